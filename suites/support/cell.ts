// One cell of the matrix: performs a subject and judges the requirements on it, whatever the target does.

import type { SkipReason } from '../../matrix/requirements/index.js';
import { type CaseResult, type CaseVerdict, caseId, type Subject } from '../../matrix/requirements/index.js';
import { aliasFor } from './aliases.js';
import type { Performance } from './chapter.js';
import { Failure, Note, Prerequisite, Unjudged } from './expect.js';
import { danger, gate, metBy } from './gate.js';
import { NoAnswer } from './reply.js';
import type { Context, Found } from './worker.js';

/** Milliseconds that one try of a subject may take: every request has an end, this is for what nobody thought of. */
const longest = 20 * 60_000;

/** Performs a subject and judges it by every check that the run selects. Never throws for what the target does. */
export async function runCell(context: Context, subject: Subject, performance: Performance): Promise<CaseResult[]> {
  const wanted = performance.judges.filter(({ id }) => context.chosen(caseId(id, subject)));
  const { target } = context.run;
  context.client.alias = aliasFor(target.aliases, subject.operation)?.to;
  const met = metBy(target, subject);
  const end = danger(
    target,
    performance.judges.map(({ id }) => id),
    subject,
  );
  const barredBy = (row: Performance['judges'][number]['row']) => gate(met, subject, row) ?? end;
  const barred = wanted.flatMap(({ id, row }): CaseResult[] => {
    const why = barredBy(row);
    return why === undefined ? [] : [skipped(result(context, id, subject, why.verdict, why.reason), 'not-safe')];
  });
  const judges = wanted.filter(({ row }) => barredBy(row) === undefined);
  if (judges.length === 0) return barred;
  await context.ready();
  try {
    const { stop } = context;
    const reached =
      stop === undefined
        ? await judged(context, subject, { ...performance, judges })
        : judges.map(({ id }) => skipped(result(context, id, subject, 'skipped', stop.reason), 'not-reached'));
    return [...barred, ...reached];
  } finally {
    context.outages.leave();
  }
}

/** What one try came to. */
interface Try {
  readonly results: readonly CaseResult[];
  /** Whether the target is there afterwards; undefined where nothing was lost, so that nobody looked. */
  readonly found: Found | undefined;
  /** Whether something was not waited for in full. */
  readonly isCutShort: boolean;
  /** The last request whose connection ended while it was under way. */
  readonly cut?: string;
}

/**
 * Tries a subject, and once more where it failed and an answer was lost: then as patiently as the run may be. What the
 * target was gone after is tried alone, so that only what it died of fails.
 */
async function judged(context: Context, subject: Subject, performance: Performance): Promise<CaseResult[]> {
  const { health } = context.client;
  let last = await tryOnce(context, subject, performance);
  if (last.found === undefined || last.found === 'gone') return [...last.results];
  if (last.found === 'there') {
    const first = last;
    if (!first.results.some(isLacking)) return [...first.results];
    if (health.isWeary && first.isCutShort) return first.results.map(unwaited);
    context.renewScope();
    last = await health.insisting(() => tryOnce(context, subject, performance));
    const results = better(first, last);
    if (last.found === 'there' && results.some(isLacking)) context.renewScope();
    if (last.found !== 'back') return last.isCutShort ? results.map(unwaited) : results;
  }
  return await askedAlone(context, last, () => tryOnce(context, subject, performance));
}

/** What comes of a try after which the target was gone, and is back: tried once more while nobody else asks anything. */
function askedAlone(context: Context, before: Try, act: () => Promise<Try>): Promise<CaseResult[]> {
  const outage = context.outages.count;
  return context.outages.alone(async () => {
    // another one may have brought it down while this one waited
    context.beginAnew();
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

/** What passed in one of two tries, or else came of the second. */
function better({ results: first }: Try, { results: second }: Try): CaseResult[] {
  const passed = new Set(first.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id));
  return second.map((each) => (isLacking(each) && passed.has(each.id) ? withoutMessage(each) : each));
}

function withoutMessage({ message: _, ...each }: CaseResult): CaseResult {
  return { ...each, verdict: 'passed' };
}

/** No verdict of a target that was not given its time. */
function unwaited(each: CaseResult): CaseResult {
  if (!isLacking(each)) return each;
  const message =
    'the target sent no response for more than ten minutes in all, and is no longer waited for: run this chapter alone with --chapter';
  return skipped({ ...each, verdict: 'skipped', message }, 'could-not-run');
}

const isLacking = ({ verdict }: CaseResult): boolean => verdict === 'failed' || verdict === 'blocked';

async function tryOnce(context: Context, subject: Subject, { perform, judges }: Performance): Promise<Try> {
  const { health } = context.client;
  const before = health.losses;
  const look = async (): Promise<Omit<Try, 'results'>> => {
    const { all, short, cut: cuts } = health.losses;
    const isLost = all > before.all || context.wasGone || context.stop !== undefined;
    const cut = cuts > before.cut ? health.lastCut : undefined;
    const found = isLost ? await context.lookForTarget(cut) : undefined;
    return { found, isCutShort: short > before.short, ...(cut === undefined ? {} : { cut }) };
  };
  const judgeAll = (judge: (check: (typeof judges)[number]['check']) => unknown): readonly CaseResult[] =>
    judges.map(({ id, check }) => {
      try {
        const note = judge(check);
        const passed = result(context, id, subject, 'passed');
        return note instanceof Note ? { ...passed, note: context.client.redactor.redact(note.text) } : passed;
      } catch (error) {
        const judged = result(context, id, subject, verdictOf(error), messageOf(error));
        return error instanceof Unjudged ? skipped(judged, error.skip) : judged;
      }
    });
  try {
    const record = await inTime(context, perform(subject, context));
    const looked = await look();
    return { ...looked, results: judgeAll((check) => check(record, subject)) };
  } catch (error) {
    const looked = await look();
    const thrown = (): never => {
      throw error;
    };
    return { ...looked, results: judgeAll(thrown) };
  }
}

/** Gives up what does not end, with everything that it waits for. */
async function inTime<T>({ client }: Context, performing: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    late = setTimeout(() => {
      reject(new Unjudged('skipped', `not complete after ${longest / 60_000} minutes`));
      client.close();
    }, longest);
  });
  try {
    return await Promise.race([performing, end]);
  } finally {
    clearTimeout(late);
  }
}

function verdictOf(error: unknown): CaseVerdict {
  if (error instanceof Unjudged) return error.verdict;
  return error instanceof Prerequisite ? 'blocked' : 'failed';
}

/** The result with the reason kind that a skipped case has, and no other. */
function skipped(result: CaseResult, skip: SkipReason): CaseResult {
  return result.verdict === 'skipped' ? { ...result, skip } : result;
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
    ...(alias === undefined || verdict === 'not-supported' ? {} : { alias }),
    ...(message === undefined ? {} : { message: context.client.redactor.redact(message) }),
    exchanges: context.client.pendingIds(),
  };
}
