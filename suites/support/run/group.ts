// A group: a subject set of a chapter with its setup and its checks.
import type { ChapterName, CheckedRow, Subject, SubjectSet } from '../../../matrix/requirements/index.js';
import type { Context } from './worker.js';

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
