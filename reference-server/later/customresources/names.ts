// The names of a definition: which of them no other resource of the group has, and the conditions that say so.
import { timestamp } from '../../registry/metadata.js';
import type { KubeObject } from '../../schema/object.js';
import { approvalCondition } from './approval.js';
import {
  type DefinitionCondition,
  type DefinitionNames,
  definitionSpecOf,
  definitionStatusOf,
  isTrue,
} from './definition.js';

/** The names that others in a group have. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds, and kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

export function withAcceptedNames(definition: KubeObject, taken: TakenNames, now: Date): KubeObject {
  const { group, names: wanted } = definitionSpecOf(definition);
  const { acceptedNames: before, conditions = [], storedVersions } = definitionStatusOf(definition);
  const conflicts: DefinitionCondition[] = [];
  const accept = <Value>(value: Value, old: Value, reason: string, inUse: readonly string[]): Value => {
    const [first] = inUse;
    if (first === undefined) return value;
    conflicts.push({ type: 'NamesAccepted', status: 'False', reason, message: `"${first}" is already in use` });
    return old;
  };
  const used = (set: ReadonlySet<string>, ...values: readonly (string | undefined)[]) =>
    values.filter((value): value is string => value !== undefined && set.has(value));
  const { plural, singular, shortNames = [], kind, listKind, categories } = wanted;
  const { resources, kinds } = taken;
  const accepted = {
    plural: accept(plural, before?.plural ?? '', 'PluralConflict', used(resources, plural)),
    singular: accept(singular, before?.singular, 'SingularConflict', used(resources, singular)),
    shortNames: accept(shortNames, before?.shortNames ?? [], 'ShortNamesConflict', used(resources, ...shortNames)),
    kind: accept(kind, before?.kind ?? '', 'KindConflict', used(kinds, kind)),
    listKind: accept(listKind, before?.listKind, 'ListKindConflict', used(kinds, listKind)),
    ...(categories && { categories }),
  };
  const approval = approvalCondition(group, definition.metadata.annotations ?? {});
  const all = [
    ...(approval === undefined ? [] : [approval]),
    conflicts.at(-1) ?? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    established(definition, conflicts.length === 0),
  ];
  const status = {
    conditions: all.reduce((list, one) => withCondition(list, one, now), conditions),
    acceptedNames: withoutEmpty(accepted),
    ...(storedVersions && { storedVersions }),
  };
  return { ...definition, status };
}

function established(definition: KubeObject, isAccepted: boolean): DefinitionCondition {
  const type = 'Established';
  if (isAccepted || isTrue(definition, type)) {
    const message = 'the initial names have been accepted';
    return { type, status: 'True', reason: 'InitialNamesAccepted', message };
  }
  return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function withoutEmpty({
  plural,
  singular,
  shortNames,
  kind,
  listKind,
  categories,
}: { readonly [name in keyof Required<DefinitionNames>]?: DefinitionNames[name] | undefined }): object {
  return {
    plural,
    ...(singular && { singular }),
    ...(shortNames !== undefined && shortNames.length > 0 && { shortNames }),
    kind,
    ...(listKind && { listKind }),
    ...(categories && { categories }),
  };
}

/** Returns conditions with one set. Its time is that of its last change. */
export function withCondition(
  conditions: readonly DefinitionCondition[],
  next: DefinitionCondition,
  now: Date,
): readonly DefinitionCondition[] {
  const known = conditions.find(({ type }) => type === next.type);
  const isSame = known?.status === next.status;
  const lastTransitionTime = (isSame && known?.lastTransitionTime) || timestamp(now);
  const { type, status, reason, message } = next;
  const condition = { type, status, lastTransitionTime, reason, message } as DefinitionCondition;
  return known === undefined ? [...conditions, condition] : conditions.map((one) => (one === known ? condition : one));
}

/** Adds the accepted names of a definition to sets. */
export function addNames(
  { plural, singular, shortNames = [], kind, listKind }: DefinitionNames,
  resources: Set<string>,
  kinds: Set<string>,
): void {
  for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
  for (const name of [kind, listKind]) if (name) kinds.add(name);
}
