// The cases of one subject: runs the setup and every check, whatever the target does.

import { defined } from '../../matrix/api/index.js';
import { aliasFor } from '../client/aliases.js';
import { Failure, Note, Prerequisite, Unchecked } from '../client/expect.js';
import { NoAnswer } from '../client/reply.js';
import type { SkipReason } from '../requirements/index.js';
import { type CaseResult, type CaseVerdict, caseId, type Subject } from '../requirements/index.js';
import type { Group } from './group.js';
import { danger, effectiveTarget, skipReason } from './skips.js';
import type { Context, Found } from './worker.js';

/**
 * The maximum duration of one try of a subject, in milliseconds. Every request has its own limit; this limit covers
 * everything else.
 */
const longest = 20 * 60_000;

/** Sets a subject up and runs every check that the run selects. Never throws because of the target. */
export async function runCases(context: Context, subject: Subject, group: Group): Promise<CaseResult[]> {
  const wanted = group.checks.filter(({ id }) => context.chosen(caseId(id, subject)));
  const { target } = context.run;
  context.client.alias = aliasFor(target.aliases, subject.operation)?.to;
  const effective = effectiveTarget(target, subject);
  const end = danger(
    target,
    group.checks.map(({ id }) => id),
    subject,
  );
  const skip = (row: Group['checks'][number]['row']) => skipReason(effective, subject, row) ?? end;
  const skips = wanted.flatMap(({ id, row }): CaseResult[] => {
    const why = skip(row);
    return why === undefined ? [] : [skipped(result(context, id, subject, why.verdict, why.reason), 'not-safe')];
  });
  const checks = wanted.filter(({ row }) => skip(row) === undefined);
  if (checks.length === 0) return skips;
  await context.ready();
  await context.openApi.ready();
  try {
    const { stop } = context;
    const reached =
      stop === undefined
        ? await tried(context, subject, { ...group, checks })
        : checks.map(({ id }) => skipped(result(context, id, subject, 'skipped', stop.reason), 'not-reached'));
    return [...skips, ...reached, ...brokenWord(context)];
  } finally {
    context.caseTurns.leave();
  }
}

/** Returns failed cases of the chapter openapi, for what the responses to this subject violate. */
function brokenWord(context: Context): CaseResult[] {
  return context.openApi.take().flatMap(({ requirement, operation, message }): CaseResult[] => {
    const id = `${requirement} › ${operation}`;
    if (!context.chosen(id)) return [];
    const { client } = context;
    const exchanges = client.pendingIds();
    const said = client.redactor.redact(message);
    return [{ type: 'case', id, requirement, subject: operation, verdict: 'failed', message: said, exchanges }];
  });
}

/** The outcome of one try. */
interface Try {
  readonly results: readonly CaseResult[];
  /** Whether the target responds afterwards; undefined if no response was lost or late: there was no reason to look. */
  readonly found: Found | undefined;
  /** Whether a wait was shorter than the full time. */
  readonly isCutShort: boolean;
  /** The last request whose connection ended during the exchange. */
  readonly cut?: string;
}

/**
 * Tries a subject. Tries it once more, with full waits, if a case failed and a response was lost or late. If the target
 * was gone after the subject, tries it alone, so that only the subject that brought the target down fails.
 */
async function tried(context: Context, subject: Subject, group: Group): Promise<CaseResult[]> {
  const { health } = context.client;
  let last = await tryOnce(context, subject, group);
  if (last.found === undefined || last.found === 'gone') return [...last.results];
  if (last.found === 'there') {
    const first = last;
    if (!first.results.some(isLacking)) return [...first.results];
    if (health.isWeary && first.isCutShort) return first.results.map(unwaited);
    context.renewSandbox();
    last = await health.insisting(() => tryOnce(context, subject, group));
    const results = better(first, last);
    if (last.found === 'there' && results.some(isLacking)) context.renewSandbox();
    if (last.found !== 'back') return last.isCutShort ? results.map(unwaited) : results;
  }
  return await askedAlone(context, last, () => tryOnce(context, subject, group));
}

/** Returns the results for a subject after which the target was gone: tries it again while no other worker sends. */
function askedAlone(context: Context, before: Try, act: () => Promise<Try>): Promise<CaseResult[]> {
  const outage = context.outages.count;
  return context.caseTurns.alone(async () => {
    // another subject may have brought the target down while this subject waited
    context.beginAgain();
    const again = await context.client.health.insisting(act);
    const every = (message: string): CaseResult[] => {
      const redacted = context.client.redactor.redact(message);
      return again.results.map((each) => ({ ...each, verdict: 'failed', message: redacted }));
    };
    if (again.found === 'back' || again.found === 'gone')
      return every(
        `the target is gone after this, each of the two times that it was asked; the last request that it was asked: ${again.cut ?? before.cut ?? 'unknown'}`,
      );
    if (before.cut !== undefined && context.outages.suspects(outage).length === 1)
      return every(
        `the target was gone after this, with nothing else under way; asked again, it was there: ${before.cut}`,
      );
    return better(before, again);
  });
}

/** Merges two tries: a case that passed in either try passes; other cases keep the result of the second try. */
function better({ results: first }: Try, { results: second }: Try): CaseResult[] {
  const passed = new Set(first.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id));
  return second.map((each) => (isLacking(each) && passed.has(each.id) ? withoutMessage(each) : each));
}

function withoutMessage({ message: _, ...each }: CaseResult): CaseResult {
  return { ...each, verdict: 'passed' };
}

/** Returns a failed result as skipped: the target did not get the full time. */
function unwaited(each: CaseResult): CaseResult {
  if (!isLacking(each)) return each;
  const message =
    'the target sent no response for more than ten minutes in all, and is no longer waited for: run this chapter alone with --chapter';
  return skipped({ ...each, verdict: 'skipped', message }, 'could-not-run');
}

const isLacking = ({ verdict }: CaseResult): boolean => verdict === 'failed' || verdict === 'blocked';

async function tryOnce(context: Context, subject: Subject, { setup, checks }: Group): Promise<Try> {
  const { health } = context.client;
  const before = health.losses;
  const look = async (): Promise<Omit<Try, 'results'>> => {
    const { all, short, cut: cuts } = health.losses;
    const isLost = all > before.all || context.wasGone || context.stop !== undefined;
    const cut = cuts > before.cut ? health.lastCut : undefined;
    const found = isLost ? await context.lookForTarget(cut) : undefined;
    return { found, isCutShort: short > before.short, ...defined({ cut }) };
  };
  const runAll = (run: (check: (typeof checks)[number]['check']) => unknown): readonly CaseResult[] =>
    checks.map(({ id, check }) => {
      try {
        const note = run(check);
        const passed = result(context, id, subject, 'passed');
        return note instanceof Note ? { ...passed, note: context.client.redactor.redact(note.text) } : passed;
      } catch (error) {
        const failed = result(context, id, subject, verdictOf(error), messageOf(error));
        return error instanceof Unchecked ? skipped(failed, error.skip) : failed;
      }
    });
  try {
    const record = await inTime(context, setup(subject, context));
    const looked = await look();
    return { ...looked, results: runAll((check) => check(record, subject)) };
  } catch (error) {
    const looked = await look();
    const thrown = (): never => {
      throw error;
    };
    return { ...looked, results: runAll(thrown) };
  }
}

/** Stops waiting for a setup that does not end, and closes the client's connections. */
async function inTime<T>({ client }: Context, running: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    late = setTimeout(() => {
      reject(new Unchecked('skipped', `not complete after ${longest / 60_000} minutes`));
      client.close();
    }, longest);
  });
  try {
    return await Promise.race([running, end]);
  } finally {
    clearTimeout(late);
  }
}

function verdictOf(error: unknown): CaseVerdict {
  if (error instanceof Unchecked) return error.verdict;
  return error instanceof Prerequisite ? 'blocked' : 'failed';
}

/** Adds the reason kind to a skipped result; returns other results unchanged. */
function skipped(result: CaseResult, skip: SkipReason): CaseResult {
  return result.verdict === 'skipped' ? { ...result, skip } : result;
}

const ownErrors = [Failure, Prerequisite, Unchecked, NoAnswer] as const;

function messageOf(error: unknown): string {
  if (error instanceof Error && ownErrors.some((kind) => error instanceof kind)) return error.message;
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
    ...(alias === undefined || verdict === 'not-supported' ? {} : { alias }),
    ...(message === undefined ? {} : { message: context.client.redactor.redact(message) }),
    exchanges: context.client.pendingIds(),
  };
}
