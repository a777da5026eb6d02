// The type of a subject, and functions that build subject sets from the table.

import { groupBy } from '../api/groupBy.js';
import {
  type Mechanism,
  type MediaType,
  mediaTypes,
  type Operation,
  operations,
  patchTypes,
  type Resource,
  resourceId,
  statedOperations,
  type Verb,
  type VerbRow,
  verbs,
} from '../api/index.js';
import type { Capability, Needs, NodeNeed } from './features.js';

export interface Subject {
  /** Unique within its set and permanent: the second half of a case id. */
  readonly id: string;
  /** `group/plural`, the group for discovery, or `server`: the cases of one resource make one test. */
  readonly resource: string;
  /** The operation under test; absent for the server as a whole. */
  readonly operation?: Operation;
  /** An operation of another version that the subject needs too; absent if it needs none. */
  readonly beside?: Operation;
  /** The media type of the request or of the response. */
  readonly mediaType?: MediaType;
  /** The mechanism whose credential is sent. */
  readonly mechanism?: Mechanism;
  /** The subject affects everything that runs at the same time, so it runs after everything else. */
  readonly alone?: true;
  /** Sent only to a target that its owner calls disposable, because it is larger than the fault requires. */
  readonly disposable?: true;
  /** The need for a node; absent if the subject needs none. */
  readonly node?: NodeNeed;
  /** The features that a target must have for this subject; absent if it needs none. */
  readonly feature?: Needs;
  /** The group or resource of a subject without an operation. */
  readonly within?: Capability;
  /** The same kind in another version, for a kind that only the target knows. */
  readonly sibling?: Resource;
  /** The name of a literal input of the check, such as a kind of malformed body. */
  readonly variant?: string;
  /** What the subject stands for: of the subjects of its set with the same value, the profile `standard` tries one. */
  readonly standsFor?: string;
}

/** Returns a subject that is sent only to a disposable target. */
export const forDisposable = <S extends Subject>(subject: S) => ({ ...subject, disposable: true as const });

export type OperationSubject = Subject & { readonly operation: Operation };

/** Returns the resource of an operation, by which its cases are grouped. */
export const subjectResource = (operation: Operation): string =>
  operation.resource ? resourceId(operation.resource) : operation.groupVersion.group || 'core';

/** The operations from which subject sets are made. */
export interface Table {
  readonly operations: readonly Operation[];
  readonly withVerbs: (...wanted: readonly (Verb | 'discover')[]) => Operation[];
  /** The operations with one response body: all except watches and connects. */
  readonly plain: readonly Operation[];
  /** The plain operations whose body is an object or delete options. */
  readonly bodies: readonly Operation[];
}

export function tableOf(operations: readonly Operation[]): Table {
  const plain = operations.filter(
    ({ verb }) => verb === 'discover' || (verbs[verb] satisfies VerbRow).answer === 'resource',
  );
  return {
    operations,
    withVerbs: (...wanted) => operations.filter((operation) => wanted.includes(operation.verb)),
    plain,
    bodies: plain.filter(({ body }) => body === 'object' || body === 'options'),
  };
}

export const stated = tableOf(statedOperations);
export const { withVerbs, plain } = stated;

const byResource = groupBy(operations, subjectResource);

/** Returns all operations of a resource with a verb, stated or not. */
export const operationsOf = (resource: string, verb: Verb): Operation[] =>
  (byResource.get(resource) ?? []).filter((operation) => operation.verb === verb);

export const perOperation = (operations: readonly Operation[]): OperationSubject[] =>
  operations.map((operation) => ({ id: operation.id, resource: subjectResource(operation), operation }));

/** Returns the patch types that a resource declares; all three for a resource of the table. */
export const patchTypesOf = ({ resource }: Operation): readonly MediaType[] =>
  resource?.found?.patchTypes ?? patchTypes;

export const perPatchType = (operations: readonly Operation[]): OperationSubject[] =>
  operations.flatMap((operation) =>
    patchTypesOf(operation).map((mediaType) => ({
      id: `${operation.id}, Content-Type ${mediaTypes[mediaType]}`,
      resource: subjectResource(operation),
      operation,
      mediaType,
    })),
  );

export const namespaced = (of: readonly Operation[]): Operation[] => of.filter(({ resource }) => resource?.namespaced);

export const perVariant = (operations: readonly Operation[], variants: readonly string[]): OperationSubject[] =>
  perOperation(operations).flatMap((subject) =>
    variants.map((variant) => ({ ...subject, id: `${subject.id}, ${variant}`, variant })),
  );

export const perResource = (operations: readonly Operation[]): OperationSubject[] => {
  const first = new Map<string, OperationSubject>();
  for (const operation of operations) {
    if (!operation.resource) continue;
    const id = subjectResource(operation);
    if (!first.has(id)) first.set(id, { id, resource: id, operation });
  }
  return [...first.values()];
};

export const serverVariants = (variants: readonly string[]): Subject[] =>
  variants.map((variant) => ({ id: `server, ${variant}`, resource: 'server', variant }));

/** Returns the subject to run alone: it affects every worker, so it runs after everything else. */
export const alone = <S extends Subject>(subject: S) => ({ ...subject, alone: true as const });
