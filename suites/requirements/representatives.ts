// The cases of the profiles `standard` and `smoke`: everything is shown once, and nothing is repeated without need.

import { groupBy } from '../../matrix/api/groupBy.js';
import type { Subject } from '../../matrix/subjects/index.js';
import type { Case, Requirement } from './cases.js';
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
  const byNews: { readonly subject: TriedSubject; readonly news: readonly string[] }[][] = [];
  const put = (subject: TriedSubject, points: readonly string[]): number => {
    const news = points.filter((point) => !shown.has(point));
    const row = byNews[news.length] ?? [];
    byNews[news.length] = row;
    row.push({ subject, news });
    return news.length;
  };
  for (const subject of [...subjects].reverse()) put(subject, pointsOf(subject));
  for (let most = byNews.length - 1; most > 0; most -= 1) {
    for (let next = byNews[most]?.pop(); next !== undefined; next = byNews[most]?.pop()) {
      if (put(next.subject, next.news) < most) continue;
      byNews[most]?.pop();
      for (const point of next.news) shown.add(point);
      chosen.push(...next.subject.cases);
    }
  }
  return chosen;
}

/** Returns the subjects by subject set. The sets of the first chapter come first. */
function inOrder(all: readonly Case[]): TriedSubject[][] {
  const setOf = ({ chapter, row }: Requirement): string =>
    `${chapter} ${isChecked(row) ? row.subjects : 'not checked'}`;
  const sets = [...groupBy(all, ({ requirement }) => setOf(requirement))].map(([set, own]) =>
    [...groupBy(own, ({ subject }) => subject)].map(([subject, cases]): TriedSubject => {
      const isRequired = cases.some(({ requirement }) => requirement.row.level === 'required');
      return { set, subject, cases, kindsIn: isRequired ? set : chapterOf(cases) };
    }),
  );
  const isFirst = ([one]: TriedSubject[]): boolean => chapterOf(one?.cases ?? []) === firstChapter;
  return [...sets.filter(isFirst), ...sets.filter((set) => !isFirst(set))];
}

const chapterOf = ([first]: readonly Case[]): string => first?.requirement.chapter ?? '';

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
