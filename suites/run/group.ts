// A group: a subject set of a chapter with its setup and its checks.
import type { ChapterName, CheckedRow, Subject, SubjectOf, SubjectSet } from '../requirements/index.js';
import type { Context } from './worker.js';

/** The parts of a group with subjects of the set `S`, whose setup returns `R`, and checks of the names `K`. */
interface GroupParts<S extends SubjectSet, R, K extends string> {
  readonly subjects: S;
  /**
   * Sends the requests, once for each subject, and returns the record for the checks. Throws a Prerequisite if the
   * requests could not begin, and a Failure if the target violates a rule that every check depends on.
   */
  readonly setup: (subject: SubjectOf<S>, context: Context) => Promise<R>;
  /** One check for each requirement on these subjects, by the name of the requirement. Throws what is wrong. */
  readonly checks: { readonly [N in K]: (record: R, subject: SubjectOf<S>) => unknown };
}

/** A group as a chapter takes it. The types of the record and the subject are erased. */
export interface ChapterGroup<S extends SubjectSet = SubjectSet, K extends string = string> {
  readonly subjects: S;
  readonly setup: (subject: never, context: Context) => Promise<unknown>;
  readonly checks: { readonly [N in K]: (record: never, subject: never) => unknown };
}

/** Returns the group of these parts: `setup` gives the types of what `checks` read. */
export function group<const S extends SubjectSet, R, const K extends string>(
  parts: GroupParts<S, R, K>,
): ChapterGroup<S, K> {
  return parts;
}

/** A requirement with its check. The types of the record and the subject are erased. */
export interface Check {
  readonly id: string;
  readonly row: CheckedRow;
  readonly check: (record: unknown, subject: Subject) => unknown;
}

/** A subject set of a chapter with its setup, and the checks of the setup's record. The types are erased. */
export interface Group {
  readonly chapter: ChapterName;
  readonly set: SubjectSet;
  readonly subjects: readonly Subject[];
  /** Set if the subjects are of kinds that only the target knows. */
  readonly ofFound?: true;
  readonly setup: (subject: Subject, context: Context) => Promise<unknown>;
  readonly checks: readonly Check[];
}

/** The groups of all chapters that are loaded. */
export const groups: Group[] = [];

/** The record that a setup returns, as the type of a check's parameter. */
export type Recorded<P extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<P>>;
