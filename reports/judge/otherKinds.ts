// The kinds of a run that the interface lacks: what the run did with each, and what it found.
import { groupBy } from '../../matrix/api/groupBy.js';
import { type FoundTraits, nameOfKind, resourceId, tableOfKinds } from '../../matrix/api/index.js';
import { visible } from '../safeText.js';
import { type Counts, countVerdicts, type JudgedCase } from './counts.js';
import type { Verdict } from './verdict.js';

/** `walked`: the run made objects of the kind. `blocked`: no valid object could be made. */
export type KindState = 'walked' | 'read-only' | 'blocked';

export interface OtherKind {
  /** The id by which its cases are grouped, such as `example.com/widgets`. */
  readonly kind: string;
  /** `plural.group`, and the version. */
  readonly name: string;
  readonly version: string;
  /** The group; `core` for the core group. */
  readonly group: string;
  readonly state: KindState;
  /** Why the run made no objects, in words of the suite or of the server; empty for a walked kind. */
  readonly note: string;
  readonly cases: readonly JudgedCase[];
  readonly counts: Counts;
}

/** Returns the kinds of a run that the interface lacks, in the order of the groups. */
export function otherKinds({ kinds, cases }: Pick<Verdict, 'kinds' | 'cases'>): OtherKind[] {
  if (kinds === undefined) return [];
  const ofKind = groupBy(
    cases.filter(({ about }) => about?.operation?.groupVersion.found === true),
    ({ about }) => about?.resource,
  );
  const rows = tableOfKinds(kinds.found).resources.map((resource, index): OtherKind => {
    const { group = '', version = '' } = kinds.found[index] ?? {};
    const kind = resourceId(resource);
    const members = ofKind.get(kind) ?? [];
    return {
      kind: visible(kind),
      name: visible(nameOfKind({ plural: resource.plural, group })),
      version: visible(version),
      group: visible(group || 'core'),
      ...stateOf(resource.found),
      cases: members,
      counts: countVerdicts(members),
    };
  });
  return [...groupBy(rows, ({ group }) => group)]
    .sort(([a], [b]) => Number(b === 'core') - Number(a === 'core') || (a < b ? -1 : 1))
    .flatMap(([, members]) => members);
}

function stateOf({ readOnly, blocked }: Partial<FoundTraits> = {}): Pick<OtherKind, 'state' | 'note'> {
  if (readOnly !== undefined) return { state: 'read-only', note: `only read: ${visible(readOnly)}` };
  if (blocked !== undefined) return { state: 'blocked', note: `no valid object: ${visible(blocked)}` };
  return { state: 'walked', note: '' };
}

/** The number of kinds that a line names. */
const named = 6;

/** Returns a line for each reason why the run made no objects of some kinds, with their names. */
export function kindNotes(verdict: Pick<Verdict, 'kinds' | 'cases'>): string[] {
  const noted = groupBy(
    otherKinds(verdict).filter(({ note }) => note !== ''),
    ({ note, name }) => note.replaceAll(name, '<kind>'),
  );
  return [...noted.values()].map((members) => {
    const names = members.slice(0, named).map(({ name, version }) => `${name}/${version}`);
    const rest = members.length - names.length;
    const more = rest > 0 ? [`${rest} more`] : [];
    return `${[...names, ...more].join(', ')}: ${members[0]?.note}`;
  });
}
