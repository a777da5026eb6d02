// The kinds and verbs of some cases as a grid: what the map of a run and that of a comparison are drawn from.
import { resourceId } from '../matrix/api/index.js';
import { columnOf, columns } from './columns.js';
import { groupBy, type JudgedCase } from './counts.js';

/** The grid. */
export interface KindMap {
  /** Such as `core/pods`, those of a group behind one another. */
  readonly kinds: readonly string[];
  readonly verbs: readonly string[];
  /** The cases of a kind and verb. */
  readonly at: (kind: string, verb: string) => readonly JudgedCase[];
}

/** The kind and the verb that a case is about; undefined where it is about none, or about discovery. */
export function gridPlaceOf({ about }: Pick<JudgedCase, 'about'>): readonly [kind: string, verb: string] | undefined {
  const operation = about?.operation;
  if (operation?.resource === undefined || operation.verb === 'discover') return undefined;
  return [resourceId(operation.resource), columnOf(operation.verb)];
}

/** The grid of some cases. */
export function kindMapOf(cases: Iterable<JudgedCase>): KindMap {
  const cells = new Map<string, JudgedCase[]>();
  const kinds = new Set<string>();
  const verbs = new Set<string>();
  for (const judged of cases) {
    const found = gridPlaceOf(judged);
    if (found === undefined) continue;
    const [kind, verb] = found;
    kinds.add(kind);
    verbs.add(verb);
    const key = `${kind} ${verb}`;
    const cell = cells.get(key);
    if (cell) cell.push(judged);
    else cells.set(key, [judged]);
  }
  const groups = groupBy([...kinds].sort(), (kind) => kind.split('/')[0] ?? kind);
  return {
    kinds: [...groups]
      .sort(([a], [b]) => Number(b === 'core') - Number(a === 'core'))
      .flatMap(([, members]) => members),
    verbs: columns.filter((verb) => verbs.has(verb)),
    at: (kind, verb) => cells.get(`${kind} ${verb}`) ?? [],
  };
}
