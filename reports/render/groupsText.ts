// The failures in about ten lines for a terminal: the worst requirements, and the ids of the others.
import { groupBy } from '../judge/counts.js';
import type { FailureGroup } from '../judge/failureGroups.js';
import { exampleText } from '../judge/failureMessage.js';
import { countOf, type LevelWord, levelWord } from '../page/words.js';
import { firstLine } from '../safeText.js';

/** The number of requirements with their sentence and an example, and the number of other ids. */
const shown = { whole: 3, ids: 5 } as const;

/** Marks the differing part of a value; returns it unchanged on a terminal without bold text. */
export type Mark = (text: string) => string;

/** Returns the failing requirements as lines: three for each of the worst, one or two for all others of a level. */
export function groupLines(groups: readonly FailureGroup[], mark: Mark = (text) => text): string[] {
  if (groups.length === 0) return [];
  const whole = worstOf(groups, shown.whole);
  const rest = groups.filter((group) => !whole.includes(group));
  return [
    groups.length === 1 ? '1 requirement fails:' : `${countOf(groups.length, 'requirement')} fail, the worst first:`,
    ...whole.flatMap((group) => wholeLines(group, mark)),
    ...[...groupBy(rest, restOf)].flatMap(([name, members]) => restLines(name, members)),
  ];
}

/** Returns the first groups; blocked groups only if there are no others. */
export function worstOf(groups: readonly FailureGroup[], limit: number): readonly FailureGroup[] {
  const own = groups.filter(({ blocked }) => !blocked);
  return (own.length > 0 ? own : groups).slice(0, limit);
}

/** Returns the level of a group: `required`, `recommended`. */
export function levelOf({ requirement: { row } }: FailureGroup): LevelWord {
  return levelWord(row.level);
}

/** Returns the kinds and verbs of a group: `(all 37 kinds; list)`; empty if there are none. */
export function aboutOf({ kinds, verbs }: FailureGroup): string {
  const about = [kinds, verbs].filter((part) => part !== '').join('; ');
  return about === '' ? '' : ` (${about})`;
}

function wholeLines(group: FailureGroup, mark: Mark): string[] {
  const { requirement, fraction, blocked, known, example } = group;
  const standing = [levelOf(group), ...(blocked ? ['blocked'] : []), ...(known ? ['known'] : [])].join(', ');
  return [
    `  ${blocked ? '!' : '✗'} ${requirement.id} (${standing}): ${fraction}${aboutOf(group)}`,
    `      ${requirement.row.text}`,
    `      ${exampleText(example, mark)}`,
  ];
}

const restOf = (group: FailureGroup): string => (group.blocked ? 'blocked' : levelOf(group));

function restLines(name: string, members: readonly FailureGroup[]): string[] {
  const ids = members.slice(0, shown.ids).map(({ requirement }) => requirement.id);
  const more = members.length - ids.length;
  const line = `  and ${members.length} ${name}: ${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const [first] = members;
  return first?.blocked ? [line, `      ${firstLine(exampleText(first.example), 160)}`] : [line];
}
