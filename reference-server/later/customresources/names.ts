// The names of a definition: which of them no other resource of the group has, and the conditions that say so.
import type { Resource } from '../../../matrix/api/index.js';
import type { KubeObject } from '../../schema/object.js';
import { withCondition } from '../conditions.js';
import { approvalCondition } from './approval.js';
import {
  type DefinitionCondition,
  type DefinitionNames,
  definitionSpecOf,
  definitionStatusOf,
  isTrue,
} from './definition.js';

type Names = Pick<ReadonlySet<string>, 'has'>;

/** The names that others in a group have. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: Names;
  /** Kinds, and kinds of lists. */
  readonly kinds: Names;
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
  const used = (set: Names, ...values: readonly (string | undefined)[]) =>
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

/** Returns the names of a resource: plural, singular and short names. */
const resourceNames = ({ plural, singular, shortNames = [] }: DefinitionNames): readonly string[] =>
  [plural, singular, ...shortNames].filter((name) => name !== undefined && name !== '') as string[];
const kindNames = ({ kind, listKind }: DefinitionNames): readonly string[] =>
  [kind, listKind].filter((name) => name !== undefined && name !== '') as string[];

/** The accepted names of a stored definition. */
interface Known {
  readonly uid: string | undefined;
  readonly group: string;
  readonly names: DefinitionNames | undefined;
}

/** The owners of the names in a group, and its definitions whose names are not accepted. */
class Group {
  readonly resources = new Map<string, Set<string>>();
  readonly kinds = new Map<string, Set<string>>();
  readonly waiting = new Set<string>();
}

/**
 * The names of all resources by their group. A definition is compared with those that have one of its names, not with
 * all others: a group may have thousands.
 */
export class GroupNames {
  readonly #groups = new Map<string, Group>();
  readonly #known = new Map<string, Known>();

  /** `table` has the resources that no definition makes. */
  constructor(table: readonly Resource[]) {
    for (const row of table)
      this.#own(row.groupVersion.group, { ...row, listKind: `${row.kind}List` }, notDefined, true);
  }

  /** Takes over a definition in its present state. */
  set(definition: KubeObject): void {
    const { name = '', uid } = definition.metadata;
    this.#remove(name);
    const { group } = definitionSpecOf(definition);
    const names = definitionStatusOf(definition).acceptedNames;
    this.#known.set(name, { uid, group, names });
    if (names !== undefined) this.#own(group, names, name, true);
    if (!isTrue(definition, 'NamesAccepted')) this.#group(group).waiting.add(name);
  }

  /** Forgets a removed definition, unless another one has its name now. */
  delete({ metadata: { name = '', uid } }: KubeObject): void {
    if (this.#known.get(name)?.uid === uid) this.#remove(name);
  }

  /** Returns the names in a group that others than a definition have. */
  beside(name: string, group: string): TakenNames {
    const { resources, kinds } = this.#group(group);
    const others = (owners: ReadonlyMap<string, ReadonlySet<string>>): Names => ({
      has(wanted) {
        const of = owners.get(wanted);
        return of !== undefined && of.size > (of.has(name) ? 1 : 0);
      },
    });
    return { resources: others(resources), kinds: others(kinds) };
  }

  /** Returns the definitions of a group whose names are not accepted. */
  waiting(group: string): readonly string[] {
    return [...(this.#groups.get(group)?.waiting ?? [])];
  }

  #remove(name: string): void {
    const known = this.#known.get(name);
    if (known === undefined) return;
    this.#known.delete(name);
    if (known.names !== undefined) this.#own(known.group, known.names, name, false);
    const group = this.#group(known.group);
    group.waiting.delete(name);
    if (group.resources.size + group.kinds.size + group.waiting.size === 0) this.#groups.delete(known.group);
  }

  #own(group: string, names: DefinitionNames, owner: string, owns: boolean): void {
    const { resources, kinds } = this.#group(group);
    for (const name of resourceNames(names)) setOwner(resources, name, owner, owns);
    for (const name of kindNames(names)) setOwner(kinds, name, owner, owns);
  }

  #group(name: string): Group {
    const group = this.#groups.get(name) ?? new Group();
    this.#groups.set(name, group);
    return group;
  }
}

/** The owner of the names that no definition has. */
const notDefined = '';

function setOwner(owners: Map<string, Set<string>>, name: string, owner: string, owns: boolean): void {
  const of = owners.get(name) ?? new Set();
  if (owns) of.add(owner);
  else of.delete(owner);
  if (of.size === 0) owners.delete(name);
  else owners.set(name, of);
}
