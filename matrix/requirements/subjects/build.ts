// What a subject is, and the ways in which sets of them are built from the table.
import {
  type Mechanism,
  type MediaType,
  mediaTypes,
  type Operation,
  patchTypes,
  resourceId,
  statedOperations,
  type Verb,
  type VerbRow,
  verbs,
} from '../../api/index.js';
import type { Needs } from '../features.js';
import type { Capability, NodeNeed } from '../target.js';

/** What one case is about. */
export interface Subject {
  /** Unique within its set and permanent: the second half of a case id. */
  readonly id: string;
  /** `group/plural`, the group for discovery, or `server`: the cases of one resource make one test. */
  readonly resource: string;
  /** The operation under test; absent for the server as a whole. */
  readonly operation?: Operation;
  /** The media type that is asked for or sent. */
  readonly mediaType?: MediaType;
  /** The mechanism whose credential is shown. */
  readonly mechanism?: Mechanism;
  /** All that runs at the same time would feel it: it waits until everything else is done. */
  readonly alone?: true;
  /** Sent only to a target that its owner calls disposable: it is larger than what shows the fault. */
  readonly disposable?: true;
  /** What it needs of a node; absent where it needs none. */
  readonly node?: NodeNeed;
  /** What a target must have for it to be tried there; absent where nothing is needed. */
  readonly feature?: Needs;
  /** The group or resource that it is about, where it has no operation. */
  readonly within?: Capability;
  /** Names a literal input of the check, such as a kind of malformed body. */
  readonly variant?: string;
}

/** A subject that is sent only to a disposable target. */
export const forDisposable = <S extends Subject>(subject: S) => ({ ...subject, disposable: true as const });

/** A subject that has an operation. */
export type OperationSubject = Subject & { readonly operation: Operation };

/** The resource of an operation, as its cases are grouped. */
export const resourceOf = (operation: Operation): string =>
  operation.resource ? resourceId(operation.resource) : operation.groupVersion.group || 'core';

/** The stated operations of the given verbs. */
export const withVerbs = (...wanted: readonly (Verb | 'discover')[]): Operation[] =>
  statedOperations.filter((operation) => wanted.includes(operation.verb));

/** A subject for each operation. */
export const perOperation = (operations: readonly Operation[]): OperationSubject[] =>
  operations.map((operation) => ({ id: operation.id, resource: resourceOf(operation), operation }));

/** A subject for each operation and patch type. */
export const perPatchType = (operations: readonly Operation[]): OperationSubject[] =>
  operations.flatMap((operation) =>
    patchTypes.map((mediaType) => ({
      id: `${operation.id}, Content-Type ${mediaTypes[mediaType]}`,
      resource: resourceOf(operation),
      operation,
      mediaType,
    })),
  );

/** Only the operations of namespaced resources. */
export const namespaced = (of: readonly Operation[]): Operation[] => of.filter(({ resource }) => resource?.namespaced);

/** A subject for each operation and variant. */
export const perVariant = (operations: readonly Operation[], variants: readonly string[]): OperationSubject[] =>
  perOperation(operations).flatMap((subject) =>
    variants.map((variant) => ({ ...subject, id: `${subject.id}, ${variant}`, variant })),
  );

/** A subject for each resource that has a stated operation. */
export const perResource = (): OperationSubject[] => {
  const first = new Map<string, OperationSubject>();
  for (const operation of statedOperations) {
    if (!operation.resource) continue;
    const id = resourceOf(operation);
    if (!first.has(id)) first.set(id, { id, resource: id, operation });
  }
  return [...first.values()];
};

/** A subject for each variant, of the server as a whole. */
export const serverVariants = (variants: readonly string[]): Subject[] =>
  variants.map((variant) => ({ id: `server, ${variant}`, resource: 'server', variant }));

/** The same subject, felt by every worker: it waits until everything else is done. */
export const alone = <S extends Subject>(subject: S) => ({ ...subject, alone: true as const });

/** Operations that answer one body: everything but watches and connects. */
export const plain = statedOperations.filter(
  ({ verb }) => verb === 'discover' || (verbs[verb] satisfies VerbRow).answer === 'resource',
);

/** Those of them that take an object or delete options. */
export const bodies = plain.filter(({ body }) => body === 'object' || body === 'options');
