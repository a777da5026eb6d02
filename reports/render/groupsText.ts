// What a person needs of the failures in about ten lines of a terminal: the worst requirements, and the ids of the rest.
import { groupBy, plural } from '../counts.js';
import { exampleText } from '../example.js';
import type { FailureGroup } from '../failureGroups.js';
import { type LevelWord, levelWord } from '../page/words.js';
import { firstLine } from './visible.js';

/** How many requirements are shown with their sentence and an example; how many ids of the others. */
const shown = { whole: 3, ids: 5 } as const;

/** How the part of a value is written that differs; as it is where the terminal has no bold. */
export type Mark = (text: string) => string;

/** The failing requirements as lines: three for each of the worst, one or two for all others of a level. */
export function groupLines(groups: readonly FailureGroup[], mark: Mark = (text) => text): string[] {
  if (groups.length === 0) return [];
  const whole = worstOf(groups, shown.whole);
  const rest = groups.filter((group) => !whole.includes(group));
  return [
    groups.length === 1 ? '1 requirement fails:' : `${plural(groups.length, 'requirement')} fail, the worst first:`,
    ...whole.flatMap((group) => wholeLines(group, mark)),
    ...[...groupBy(rest, restOf)].flatMap(([name, members]) => restLines(name, members)),
  ];
}

/** The first of the groups; those that only wait for others when nothing else fails. */
export function worstOf(groups: readonly FailureGroup[], limit: number): readonly FailureGroup[] {
  const own = groups.filter(({ blocked }) => !blocked);
  return (own.length > 0 ? own : groups).slice(0, limit);
}

/** A group's level: `required`, `recommended`. */
export function levelOf({ requirement: { row } }: FailureGroup): LevelWord {
  return levelWord(row.level);
}

/** What a group is about: `(all 37 kinds; list)`; empty where it is about no kind and verb. */
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
