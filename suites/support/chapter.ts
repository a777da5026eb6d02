// What a chapter is made of: a performer for each subject set, a check for each requirement. The compiler counts them.
import {
  type Chapter,
  type ChapterName,
  type CheckedNames,
  type CheckedRow,
  chapters,
  isChecked,
  type SetsOf,
  type Subject,
  type SubjectOf,
  type SubjectSet,
  subjectSets,
} from '../../matrix/requirements/index.js';
import { runVariable } from './run.js';
import { registerTests } from './tests.js';
import type { Context } from './worker.js';

/**
 * Does what a subject set is about, once for each subject, and returns what the checks look at. It throws a
 * Prerequisite where it could not begin, and a Failure where the target broke what every check of the set rests on.
 */
type Performers<C extends Chapter> = {
  readonly [S in SetsOf<C>]: (subject: SubjectOf<S>, context: Context) => Promise<unknown>;
};

type SubjectsOf<Row> = Row extends { readonly subjects: infer S extends SubjectSet } ? S : never;

type RecordOf<P, S> = S extends keyof P ? (P[S] extends (...args: never) => Promise<infer R> ? R : never) : never;

/** A check for every checked requirement of the chapter, and for no other: the compiler counts them. */
type Checks<C extends Chapter, P> = {
  readonly [K in CheckedNames<C>]: (
    record: RecordOf<P, SubjectsOf<C[K]>>,
    subject: SubjectOf<SubjectsOf<C[K]>>,
  ) => void;
};

/** A requirement with its check, the types forgotten. */
interface Judge {
  readonly id: string;
  readonly row: CheckedRow;
  readonly check: (record: unknown, subject: Subject) => unknown;
}

/** A subject set of a chapter with its performer and the checks that look at what it returns, the types forgotten. */
export interface Performance {
  readonly chapter: ChapterName;
  readonly set: SubjectSet;
  readonly subjects: readonly Subject[];
  readonly perform: (subject: Subject, context: Context) => Promise<unknown>;
  readonly judges: readonly Judge[];
}

/** Every performance of the chapters that were loaded so far. */
export const performances: Performance[] = [];

/**
 * Defines a chapter: `perform` has an entry for each subject set, `checks` one for each requirement. Inside a run its
 * tests are registered with Playwright.
 */
export function defineChapter<const N extends ChapterName, const P extends Performers<(typeof chapters)[N]>>(
  name: N,
  perform: P,
  checks: Checks<(typeof chapters)[N], P>,
): void {
  const judges = checks as unknown as Readonly<Record<string, Judge['check']>>;
  const entries = Object.entries(perform as unknown as Readonly<Record<SubjectSet, Performance['perform']>>);
  const defined = entries.map(([key, performer]): Performance => {
    const set = key as SubjectSet;
    const rows = Object.entries<Chapter[string]>(chapters[name]);
    const own = rows.flatMap(([key, row]) => (isChecked(row) && row.subjects === set ? [[key, row] as const] : []));
    return {
      chapter: name,
      set,
      subjects: subjectSets[set],
      perform: performer,
      judges: own.map(([key, row]) => ({ id: `${name}.${key}`, row, check: judges[key] as Judge['check'] })),
    };
  });
  performances.push(...defined);
  if (process.env[runVariable] !== undefined) registerTests(defined);
}
