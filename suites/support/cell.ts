// One cell of the matrix: performs a subject and judges the requirements on it, whatever the target does.
import { type CaseResult, type CaseVerdict, caseId, type Subject } from '../../matrix/requirements/index.js';
import { aliasFor } from './aliases.js';
import type { Performance } from './chapter.js';
import { Failure, Prerequisite, Unjudged } from './expect.js';
import { gate, metBy } from './gate.js';
import { NoAnswer } from './reply.js';
import type { Context } from './worker.js';

/** Performs a subject and judges it by every check that the run selects. Never throws for what the target does. */
export async function runCell(
  context: Context,
  subject: Subject,
  { perform, judges }: Performance,
): Promise<CaseResult[]> {
  const wanted = judges.filter(({ id }) => context.chosen(caseId(id, subject)));
  const everyCase = (verdict: CaseVerdict, message: string): CaseResult[] =>
    wanted.map(({ id }) => result(context, id, subject, verdict, message));
  const { target } = context.run;
  context.client.alias = aliasFor(target.aliases, subject.operation)?.to;
  const barred = gate(metBy(target, subject), subject);
  if (barred !== undefined) return everyCase(barred.verdict, barred.reason);
  if (context.stop !== undefined) return everyCase('not-reached', context.stop.reason);
  const { unanswered } = context.client.health;
  const lookForTarget = async (): Promise<void> => {
    if (context.client.health.unanswered > unanswered || context.stop !== undefined) await context.lookForTarget();
  };
  let record: unknown;
  try {
    record = await perform(subject, context);
    await lookForTarget();
  } catch (error) {
    await lookForTarget();
    return everyCase(verdictOf(error), messageOf(error));
  }
  return wanted.map(({ id, check }) => {
    try {
      check(record, subject);
      return result(context, id, subject, 'passed');
    } catch (error) {
      return result(context, id, subject, verdictOf(error), messageOf(error));
    }
  });
}

function verdictOf(error: unknown): CaseVerdict {
  if (error instanceof Unjudged) return error.verdict;
  return error instanceof Prerequisite ? 'not-testable' : 'failed';
}

const told = [Failure, Prerequisite, Unjudged, NoAnswer] as const;

function messageOf(error: unknown): string {
  if (error instanceof Error && told.some((kind) => error instanceof kind)) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function result(
  context: Context,
  requirement: string,
  subject: Subject,
  verdict: CaseVerdict,
  message?: string,
): CaseResult {
  const { alias } = context.client;
  return {
    type: 'case',
    id: caseId(requirement, subject),
    requirement,
    subject: subject.id,
    verdict,
    ...(alias === undefined || verdict === 'not-offered' ? {} : { alias }),
    ...(message === undefined ? {} : { message: context.client.redactor.redact(message) }),
    exchanges: context.client.pendingIds(),
  };
}
