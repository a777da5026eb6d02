// The cases of the profiles `standard` and `smoke`: everything is shown once, and nothing is repeated without need.

import type { Subject } from '../../matrix/subjects/index.js';
import type { Case } from './cases.js';
import { isChecked } from './types.js';

/** A subject of a subject set, with its cases. They share one setup, so a run has all of them or none. */
interface TriedSubject {
  readonly set: string;
  readonly subject: Subject;
  readonly cases: Case[];
  /** Where each kind is shown: in the set if it has a required requirement, otherwise once in the chapter. */
  readonly kindsIn: string;
}

/** The chapter that calls each operation with success in each media type. Its subjects are chosen first. */
const firstChapter = 'responses';

/**
 * Returns cases that call each operation, and show each requirement on each verb, each required one on each kind, each
 * kind in each chapter, each variant, media type and mechanism for the requirements that have it, and each media type and
 * mechanism on each verb and on each kind. Of the subjects of a subject set, the one that shows most that is not shown
 * yet is chosen next.
 */
export const representatives = (all: readonly Case[]): Case[] => showingOnce(all, pointsOf);

/** Returns those of the representatives that call each operation, and show each requirement. */
export const fewestOf = (all: readonly Case[]): Case[] =>
  showingOnce(representatives(all), ({ subject: { operation }, cases }) => [
    ...cases.map(({ requirement }) => requirement.id),
    ...(operation === undefined ? [] : [operation.id]),
  ]);

/** Returns what a subject shows, as points that other subjects may show too. */
type Points = (subject: TriedSubject) => string[];

/** Chooses cases that together show every point that the subjects show. */
function showingOnce(all: readonly Case[], pointsOf: Points): Case[] {
  const shown = new Set<string>();
  return inOrder(all).flatMap((subjects) => chosenOf(subjects, shown, pointsOf));
}

/** Chooses from the subjects of one set until they show nothing new, and adds what the chosen ones show to `shown`. */
function chosenOf(subjects: readonly TriedSubject[], shown: Set<string>, pointsOf: Points): Case[] {
  const chosen: Case[] = [];
  // By the number of points that were new when the subject was put there. What is shown only grows, so a subject never
  // moves up.
  const byNews: TriedSubject[][] = [];
  const put = (subject: TriedSubject): number => {
    const news = pointsOf(subject).filter((point) => !shown.has(point)).length;
    const row = byNews[news] ?? [];
    byNews[news] = row;
    row.push(subject);
    return news;
  };
  for (const subject of [...subjects].reverse()) put(subject);
  for (let news = byNews.length - 1; news > 0; news -= 1) {
    for (let next = byNews[news]?.pop(); next !== undefined; next = byNews[news]?.pop()) {
      if (put(next) < news) continue;
      byNews[news]?.pop();
      for (const point of pointsOf(next)) shown.add(point);
      chosen.push(...next.cases);
    }
  }
  return chosen;
}

/** Returns the subjects by subject set. The sets of the first chapter come first. */
function inOrder(all: readonly Case[]): TriedSubject[][] {
  const setOf = ({ requirement: { chapter, row } }: Case): string =>
    `${chapter} ${isChecked(row) ? row.subjects : 'not checked'}`;
  const subjects = grouped(all, (one) => `${setOf(one)} ${one.subject.id}`).map((cases): TriedSubject => {
    const first = cases[0] as Case;
    const isRequired = cases.some(({ requirement }) => requirement.row.level === 'required');
    const set = setOf(first);
    return { set, subject: first.subject, cases, kindsIn: isRequired ? set : first.requirement.chapter };
  });
  const sets = grouped(subjects, ({ set }) => set);
  const isFirst = ([one]: TriedSubject[]): boolean => one?.cases[0]?.requirement.chapter === firstChapter;
  return [...sets.filter(isFirst), ...sets.filter((set) => !isFirst(set))];
}

/** Returns the points that a subject shows. */
function pointsOf({ set, subject, kindsIn }: TriedSubject): string[] {
  const { id, operation, resource, mediaType, mechanism, variant, standsFor } = subject;
  if (standsFor !== undefined) return [`${set}: ${standsFor}`];
  if (operation === undefined) return [`${set}: ${id}`];
  const [verb, kind] = [`verb ${operation.method} ${operation.verb}`, `kind ${resource}`];
  const kinds = [verb, kind];
  return [
    operation.id,
    `${set}: ${verb}`,
    `${kindsIn}: ${kind}`,
    ...(variant === undefined ? [] : [`${set}: variant ${variant}`]),
    ...[mediaType, mechanism].flatMap((shown) =>
      shown === undefined ? [] : [`${set}: ${shown}`, ...kinds.map((kind) => `${kind}: ${shown}`)],
    ),
  ];
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()];
}
