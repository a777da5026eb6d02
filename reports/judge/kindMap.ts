// The grid of kinds and verbs, for maps. Its columns follow from the verb rows: a new verb needs no change here.
import { groupBy } from '../../matrix/api/groupBy.js';
import { resourceId, subresourceOf, type Verb, type VerbRow, verbs } from '../../matrix/api/index.js';
import type { JudgedCase } from './counts.js';

/** Returns the column of a verb: forms of one verb share a column, a subresource has its own, connects have one. */
export function columnOf(verb: Verb): string {
  const row: VerbRow = verbs[verb];
  if (row.answer !== 'resource') return row.answer;
  return subresourceOf(verb) ?? verb.replace(/(All|Plain)$/, '').toLowerCase();
}

export const columns: readonly string[] = [...new Set((Object.keys(verbs) as Verb[]).map(columnOf))];

export interface KindMap {
  /** The ids of the kinds, such as `core/pods`, in the order of the groups; those that the interface lacks come last. */
  readonly kinds: readonly string[];
  /** The kinds that the interface lacks. */
  readonly others: ReadonlySet<string>;
  readonly verbs: readonly string[];
  readonly at: (kind: string, verb: string) => readonly JudgedCase[];
}

/** Returns the kind and the verb of a case; undefined if it has none, and for discovery. */
export function gridPlaceOf({ about }: Pick<JudgedCase, 'about'>): readonly [kind: string, verb: string] | undefined {
  const operation = about?.operation;
  if (operation?.resource === undefined || operation.verb === 'discover') return undefined;
  return [resourceId(operation.resource), columnOf(operation.verb)];
}

export function kindMapOf(cases: Iterable<JudgedCase>): KindMap {
  const cells = new Map<string, JudgedCase[]>();
  const kinds = new Set<string>();
  const others = new Set<string>();
  const used = new Set<string>();
  for (const judged of cases) {
    const found = gridPlaceOf(judged);
    if (found === undefined) continue;
    const [kind, verb] = found;
    kinds.add(kind);
    if (judged.about?.operation?.groupVersion.found) others.add(kind);
    used.add(verb);
    const key = `${kind} ${verb}`;
    const cell = cells.get(key);
    if (cell) cell.push(judged);
    else cells.set(key, [judged]);
  }
  const groups = groupBy([...kinds].sort(), (kind) => kind.split('/')[0] ?? kind);
  const inOrder = [...groups]
    .sort(([a], [b]) => Number(b === 'core') - Number(a === 'core'))
    .flatMap(([, members]) => members);
  return {
    kinds: [...inOrder.filter((kind) => !others.has(kind)), ...inOrder.filter((kind) => others.has(kind))],
    others,
    verbs: columns.filter((verb) => used.has(verb)),
    at: (kind, verb) => cells.get(`${kind} ${verb}`) ?? [],
  };
}
