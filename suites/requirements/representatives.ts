// The cases of the profile `standard`: everything is shown once, and nothing is repeated without need.

import type { Subject } from '../../matrix/subjects/index.js';
import type { Case } from './cases.js';
import { isChecked } from './types.js';

/** A subject of a subject set, with its cases. They share one setup, so a run has all of them or none. */
interface TriedSubject {
  readonly set: string;
  readonly subject: Subject;
  readonly cases: Case[];
}

/** The chapter that calls each operation with success in each media type. Its subjects are chosen first. */
const firstChapter = 'responses';

/**
 * Returns cases that show each requirement on each operation, each variant of an input for the requirements that have
 * the variant, and each media type and each authentication mechanism on each operation. Of the subjects of an
 * operation in one subject set, or of those that stand for the same, the one that shows most that is not shown yet is
 * chosen first; of the others, those that still show something.
 */
export function representatives(all: readonly Case[]): Case[] {
  const shown = new Set<string>();
  const newIn = (subject: TriedSubject): string[] => shownBy(subject).filter((point) => !shown.has(point));
  const choose = (subject: TriedSubject): readonly Case[] => {
    for (const point of shownBy(subject)) shown.add(point);
    return subject.cases;
  };
  return inOrder(all).flatMap((subjects) => [
    ...grouped(subjects, operationOf).flatMap((candidates) => {
      const news = candidates.map((one) => newIn(one).length);
      const first = candidates[news.indexOf(Math.max(...news))];
      return first === undefined ? [] : choose(first);
    }),
    ...subjects.flatMap((one) => (newIn(one).length > 0 ? choose(one) : [])),
  ]);
}

const operationOf = ({ subject }: TriedSubject): string => subject.standsFor ?? subject.operation?.id ?? subject.id;

/** Returns the subjects by subject set. The sets of the first chapter come first. */
function inOrder(all: readonly Case[]): TriedSubject[][] {
  const setOf = ({ requirement: { chapter, row } }: Case): string =>
    `${chapter} ${isChecked(row) ? row.subjects : 'not checked'}`;
  const subjects = grouped(all, (one) => `${setOf(one)} ${one.subject.id}`).map((cases): TriedSubject => {
    const first = cases[0] as Case;
    return { set: setOf(first), subject: first.subject, cases };
  });
  const sets = grouped(subjects, ({ set }) => set);
  const isFirst = ([one]: TriedSubject[]): boolean => one?.cases[0]?.requirement.chapter === firstChapter;
  return [...sets.filter(isFirst), ...sets.filter((set) => !isFirst(set))];
}

/** Returns the points that a subject shows. */
function shownBy({
  set,
  subject: { id, operation, mediaType, mechanism, variant, standsFor },
}: TriedSubject): string[] {
  if (standsFor !== undefined) return [`${set}: ${standsFor}`];
  if (operation === undefined) return [`${set}: ${id}`];
  return [
    `${set}: ${operation.id}`,
    ...(variant === undefined ? [] : [`${set}: variant ${variant}`]),
    ...(mediaType === undefined ? [] : [`${operation.id}: ${mediaType}`]),
    ...(mechanism === undefined ? [] : [`${operation.id}: ${mechanism}`]),
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
