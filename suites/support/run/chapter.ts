// A chapter: a setup for each subject set and a check for each requirement. The types require all of them.
import {
  type Chapter,
  type ChapterName,
  type CheckedNames,
  chapters,
  foundSubjects,
  isAskedOfFound,
  isChecked,
  type SetsOf,
  type SubjectOf,
  type SubjectSet,
  subjectSets,
} from '../../../matrix/requirements/index.js';
import { type Check, type Group, groups } from './group.js';
import { kindsOfRun, playwrightVariable } from './settings.js';
import { registerTests } from './tests.js';
import type { Context } from './worker.js';

/**
 * The setups of a chapter. A setup sends the requests of its subject set, once for each subject, and returns the record
 * for the checks. It throws a Prerequisite if the requests could not begin, and a Failure if the target violates a rule
 * that every check of the set depends on.
 */
type Setups<C extends Chapter> = {
  readonly [S in SetsOf<C>]: (subject: SubjectOf<S>, context: Context) => Promise<unknown>;
};

type SubjectsOf<Row> = Row extends { readonly subjects: infer S extends SubjectSet } ? S : never;

type RecordOf<P, S> = S extends keyof P ? (P[S] extends (...args: never) => Promise<infer R> ? R : never) : never;

/** A check for every checked requirement of the chapter, and for no other requirement. */
type Checks<C extends Chapter, P> = {
  readonly [K in CheckedNames<C>]: (
    record: RecordOf<P, SubjectsOf<C[K]>>,
    subject: SubjectOf<SubjectsOf<C[K]>>,
  ) => void;
};

/**
 * Defines a chapter: `setups` has an entry for each subject set, `checks` has an entry for each requirement. Within
 * Playwright, registers the tests of the chapter.
 */
export function defineChapter<const N extends ChapterName, const P extends Setups<(typeof chapters)[N]>>(
  name: N,
  setups: P,
  checks: Checks<(typeof chapters)[N], P>,
): void {
  const byName = checks as unknown as Readonly<Record<string, Check['check']>>;
  const entries = Object.entries(setups as unknown as Readonly<Record<SubjectSet, Group['setup']>>);
  const found = foundSubjects(kindsOfRun());
  const defined = entries.flatMap(([key, setup]): Group[] => {
    const set = key as SubjectSet;
    const rows = Object.entries<Chapter[string]>(chapters[name]);
    const own = rows.flatMap(([key, row]) => (isChecked(row) && row.subjects === set ? [[key, row] as const] : []));
    const checks = own.map(([key, row]) => ({ id: `${name}.${key}`, row, check: byName[key] as Check['check'] }));
    const group = { chapter: name, set, subjects: subjectSets[set], setup, checks };
    const ofKinds = found[set] ?? [];
    if (ofKinds.length === 0) return [group];
    return [group, { ...group, subjects: ofKinds, ofFound: true, checks: checks.filter(isAskedOfFound) }];
  });
  groups.push(...defined);
  if (process.env[playwrightVariable] !== undefined) registerTests(defined);
}
