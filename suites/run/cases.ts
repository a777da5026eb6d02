// The cases of one subject: runs the setup and every check, whatever the target does.

import { defined } from '../../matrix/api/index.js';
import { aliasFor, unsharedBy } from '../client/aliases.js';
import type { Client } from '../client/client.js';
import { Failure, Note, Prerequisite, Unchecked } from '../client/expect.js';
import { NoAnswer, Reply, refusedPermission, refusingPolicy } from '../client/reply.js';
import { withinRunning } from '../client/runningTime.js';
import { type CaseResult, type CaseVerdict, caseId, type SkipReason, type Subject } from '../requirements/index.js';
import type { Context } from './context.js';
import type { Group } from './group.js';
import { judgedBySize } from './largeLists.js';
import { changedField, isAbout } from './mutations.js';
import { knownPolicy } from './policies.js';
import { retried, type Try } from './retries.js';
import { danger, effectiveTarget, type Skip, skipReason } from './skips.js';

/**
 * The maximum duration of one try of a subject, in milliseconds. Every request has its own limit; this limit covers
 * everything else.
 */
const longest = 20 * 60_000;

/** Sets a subject up and runs every check that the run selects. Never throws because of the target. */
export async function runCases(context: Context, subject: Subject, group: Group): Promise<CaseResult[]> {
  const wanted = group.checks.filter(({ id }) => context.chosen(caseId(id, subject)));
  const { target } = context.run;
  const alias = aliasFor(target.aliases, subject.operation);
  context.client.alias = alias?.to;
  const effective = effectiveTarget(target, subject);
  const end = danger(
    target,
    group.checks.map(({ id }) => id),
    subject,
  );
  const skip = ({ id, row }: Group['checks'][number]): Skip | undefined => {
    const reason = alias && unsharedBy(alias, id, subject.id);
    return reason === undefined ? (skipReason(effective, subject, row) ?? end) : { verdict: 'not-supported', reason };
  };
  const checks: Group['checks'][number][] = [];
  const skips = wanted.flatMap((check): CaseResult[] => {
    const why = skip(check);
    if (why !== undefined) return [skipped(result(context, check.id, subject, why.verdict, why.reason), 'not-safe')];
    checks.push(check);
    return [];
  });
  if (checks.length === 0) return skips;
  context.recovery.beginAgain();
  await context.openApi.ready();
  const { stop } = context.recovery;
  const reached =
    stop === undefined
      ? await tried(context, subject, { ...group, checks })
      : checks.map(({ id }) => skipped(result(context, id, subject, 'skipped', stop.reason), 'not-reached'));
  return [...skips, ...reached, ...brokenWord(context)];
}

/** Returns failed cases of the chapter openapi, for what the responses to this subject violate. */
function brokenWord(context: Context): CaseResult[] {
  return context.openApi.take().flatMap(({ kind, requirement, operation, message }): CaseResult[] => {
    const id = `${requirement} › ${operation}`;
    if (kind !== 'violation' || !context.chosen(id)) return [];
    const { client } = context;
    const exchanges = client.pendingIds();
    const said = client.redactor.redact(message);
    return [{ type: 'case', id, requirement, subject: operation, verdict: 'failed', message: said, exchanges }];
  });
}

function tried(context: Context, subject: Subject, group: Group): Promise<CaseResult[]> {
  const { client, recovery } = context;
  const once = (): Promise<Try> => tryOnce(context, subject, group);
  return retried({
    attempt: async (state) => {
      if (state === 'first') return await once();
      if (state === 'alone') {
        await context.becomeAlone();
        // another subject may have stopped the target while this one waited
        recovery.beginAgain();
      }
      return await client.health.withFullWaits(once);
    },
    renewSandbox: () => context.renewSandbox(),
    suspects: (outage) => recovery.outages.suspects(outage),
  });
}

async function tryOnce(context: Context, subject: Subject, { setup, checks }: Group): Promise<Try> {
  const { client, recovery } = context;
  const { health } = client;
  const before = health.losses;
  client.takeLacking();
  client.takePolicy();
  const look = async (): Promise<Omit<Try, 'results'>> => {
    const { all, short, refused } = health.losses;
    const isLost = all > before.all || recovery.wasGone || recovery.stop !== undefined;
    const cuts = (): readonly string[] => health.cutSince(before).map((cut) => client.redactor.redact(cut));
    const found = isLost ? await recovery.look({ cuts, wasRefused: refused > before.refused }) : undefined;
    const { count: outages } = recovery.outages;
    return { isCutShort: health.hasSpentWaits && short > before.short, outages, cuts: cuts(), ...defined({ found }) };
  };
  type Run = (check: (typeof checks)[number]['check']) => unknown;
  const runAll = async (run: Run, thrownBySetup?: unknown): Promise<readonly CaseResult[]> => {
    const causes = await causesOf(client, thrownBySetup);
    const results = checks.map(({ id, check }) => {
      try {
        const note = run(check);
        const passed = result(context, id, subject, 'passed');
        return note instanceof Note ? { ...passed, note: context.client.redactor.redact(note.text) } : passed;
      } catch (error) {
        return resultOf(context, id, subject, error, causes);
      }
    });
    return await withoutChanges(context, subject, results);
  };
  try {
    const record = await inTime(context, setup(subject, context));
    const looked = await look();
    return { ...looked, results: await runAll((check) => check(record, subject)) };
  } catch (thrownBySetup) {
    const error = await judgedBySize(client, thrownBySetup);
    const looked = await look();
    const thrown = (): never => {
      throw error;
    };
    return { ...looked, results: await runAll(thrown, error) };
  }
}

/** Stops waiting for a setup that does not end, and closes the client's connections. */
const inTime = <T>({ client }: Context, running: Promise<T>): Promise<T> =>
  withinRunning(longest, running, () => {
    client.close();
    return new Unchecked('skipped', `not complete after ${longest / 60_000} minutes`);
  });

/** What others decided about the requests of a case: then a failure says nothing about the rule. */
interface Causes {
  /** What the user of the run may not do. A user of one namespace is not expected to have every permission. */
  readonly lacking: string | undefined;
  /** The admission webhook or policy that refused a request. */
  readonly policy: string | undefined;
}

/**
 * Returns what others decided about the requests of a case, and about the one that its setup needs: that may have been
 * sent for an earlier case, which needs the same pod.
 */
async function causesOf(client: Client, thrownBySetup: unknown): Promise<Causes> {
  const cause = thrownBySetup instanceof Prerequisite ? thrownBySetup.cause : undefined;
  const refusal = cause instanceof Reply ? cause : undefined;
  const lacking = client.takeLacking() ?? (refusal && refusedPermission(refusal));
  const policy = client.takePolicy() ?? (refusal && refusingPolicy(refusal));
  return { lacking, policy: await knownPolicy(client, policy) };
}

/** Returns the result of a case whose setup or check threw. */
function resultOf(context: Context, id: string, subject: Subject, error: unknown, causes: Causes): CaseResult {
  const { lacking, policy } = causes;
  const of = (verdict: CaseVerdict, message = messageOf(error)): CaseResult =>
    result(context, id, subject, verdict, message);
  if (error instanceof Unchecked) return skipped(of(error.verdict), error.skip);
  if (policy !== undefined)
    return skipped(of('skipped', `${policy} on the target refused a request (${messageOf(error)})`), 'could-not-run');
  if (lacking === undefined) return of(error instanceof Prerequisite ? 'blocked' : 'failed');
  const why = `the user of the run ${lacking}: grant this permission (${messageOf(error)})`;
  return context.run.target.only === undefined ? of('blocked', why) : skipped(of('skipped', why), 'not-safe');
}

/** Skips the failed cases that are about a field which others change in each object of the kind. */
async function withoutChanges(
  { sandbox }: Context,
  { operation }: Subject,
  results: readonly CaseResult[],
): Promise<readonly CaseResult[]> {
  const resource = operation?.resource;
  if (resource === undefined || results.every(({ verdict }) => verdict !== 'failed')) return results;
  const field = await changedField(sandbox, resource);
  if (field === undefined) return results;
  return results.map((result) => {
    const { verdict, message = '' } = result;
    if (verdict !== 'failed' || !isAbout(message, field)) return result;
    const reason = `the webhooks of the target change ${field} of all ${resource.plural} (${message})`;
    return { ...result, verdict: 'skipped', skip: 'could-not-run', message: reason };
  });
}

function skipped(result: CaseResult, skip: SkipReason): CaseResult {
  return result.verdict === 'skipped' ? { ...result, skip } : result;
}

const ownErrors = [Failure, Prerequisite, Unchecked, NoAnswer] as const;

/** The maximum number of characters of a message: it can hold what a target sent. */
const longestMessage = 8_000;

function messageOf(error: unknown): string {
  const text = wholeMessageOf(error);
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}

function wholeMessageOf(error: unknown): string {
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
