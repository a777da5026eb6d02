// Turns a chapter into Playwright tests: one for each subject set and resource, its cases in a loop inside.
// A failed case is written down and does not end the loop; the verdict of the run comes from what is written.
import { _baseTest as test } from '@playwright/test';
import {
  type CaseResult,
  type CaseVerdict,
  type Chapter,
  type ChapterName,
  type CheckedNames,
  caseId,
  chapters,
  isChecked,
  type SetsOf,
  type Subject,
  type SubjectOf,
  type SubjectSet,
  selects,
  subjectSets,
} from '../../matrix/requirements/index.js';
import { NoAnswer } from './client.js';
import { Failure, Prerequisite } from './expect.js';
import { gate } from './gate.js';
import { type Run, readRun } from './run.js';
import { type Context, worker } from './worker.js';

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

type UntypedPerformer = (subject: Subject, context: Context) => Promise<unknown>;
type UntypedCheck = (record: unknown, subject: Subject) => void;

/** Defines the tests of a chapter. `perform` has an entry for each subject set, `checks` one for each requirement. */
export function defineChapter<const N extends ChapterName, const P extends Performers<(typeof chapters)[N]>>(
  name: N,
  perform: P,
  checks: Checks<(typeof chapters)[N], P>,
): void {
  const run = readRun();
  const performers = perform as unknown as Readonly<Record<string, UntypedPerformer>>;
  const judges = checks as unknown as Readonly<Record<string, UntypedCheck>>;
  for (const set of Object.keys(performers) as SubjectSet[]) {
    const requirements = Object.entries<Chapter[string]>(chapters[name])
      .filter(([, row]) => isChecked(row) && row.subjects === set)
      .map(([key]) => ({ id: `${name}.${key}`, check: judges[key] as UntypedCheck }));
    for (const [resource, subjects] of byResource(subjectSets[set], run, requirements)) {
      test(`${name} ${set} › ${resource}`, async () => {
        await runCells(run, subjects, performers[set] as UntypedPerformer, requirements);
      });
    }
  }
}

interface Judged {
  readonly id: string;
  readonly check: UntypedCheck;
}

function byResource(
  subjects: readonly Subject[],
  { grep }: Run,
  requirements: readonly Judged[],
): Map<string, Subject[]> {
  const groups = new Map<string, Subject[]>();
  for (const subject of subjects) {
    if (!requirements.some(({ id }) => selects(grep, caseId(id, subject)))) continue;
    const group = groups.get(subject.resource);
    if (group === undefined) groups.set(subject.resource, [subject]);
    else group.push(subject);
  }
  return groups;
}

async function runCells(
  run: Run,
  subjects: readonly Subject[],
  perform: UntypedPerformer,
  requirements: readonly Judged[],
): Promise<void> {
  const context = worker(run);
  const failures: string[] = [];
  try {
    for (const subject of subjects) {
      const wanted = requirements.filter(({ id }) => selects(run.grep, caseId(id, subject)));
      const results = await runCell(context, subject, perform, wanted);
      context.evidence.write(results, context.client.takeExchanges());
      failures.push(...results.filter(failed).map(({ id, message }) => `${id}: ${message}`));
    }
  } finally {
    context.evidence.flush();
  }
  if (failures.length > 0) {
    // An unexpected failure would cost the worker; the reporter puts the expectation back.
    test.fail();
    throw new Error(`${failures.length} cases failed\n${failures.slice(0, 20).join('\n')}`);
  }
}

const failed = ({ verdict }: CaseResult): boolean => verdict === 'failed' || verdict === 'not-testable';

async function runCell(
  context: Context,
  subject: Subject,
  perform: UntypedPerformer,
  requirements: readonly Judged[],
): Promise<CaseResult[]> {
  const everyCase = (verdict: CaseVerdict, message: string): CaseResult[] =>
    requirements.map(({ id }) => result(context, id, subject, verdict, message));
  const barred = gate(context.run.target, subject);
  if (barred !== undefined) return everyCase(barred.verdict, barred.reason);
  if (context.gone !== undefined) return everyCase('failed', context.gone);
  let record: unknown;
  try {
    record = await perform(subject, context);
    context.answered();
  } catch (error) {
    if (error instanceof NoAnswer || (error instanceof Error && error.cause instanceof NoAnswer))
      await context.unanswered();
    return everyCase(error instanceof Prerequisite ? 'not-testable' : 'failed', messageOf(error));
  }
  return requirements.map(({ id, check }) => {
    try {
      check(record, subject);
      return result(context, id, subject, 'passed');
    } catch (error) {
      return result(context, id, subject, error instanceof Prerequisite ? 'not-testable' : 'failed', messageOf(error));
    }
  });
}

function messageOf(error: unknown): string {
  if (error instanceof Failure || error instanceof Prerequisite || error instanceof NoAnswer) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function result(
  context: Context,
  requirement: string,
  subject: Subject,
  verdict: CaseVerdict,
  message?: string,
): CaseResult {
  return {
    type: 'case',
    id: caseId(requirement, subject),
    requirement,
    subject: subject.id,
    verdict,
    ...(message === undefined ? {} : { message: context.client.redactor.redact(message) }),
    exchanges: context.client.pendingIds(),
  };
}
