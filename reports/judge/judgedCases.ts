// The verdict of each case: from its result in the evidence, or because it has none.
import { defined } from '../../matrix/api/index.js';
import {
  type Case,
  type CaseResult,
  covers,
  type Exchange,
  type Requirement,
  type Subject,
} from '../../suites/requirements/index.js';
import { isFailure, type JudgedCase } from './counts.js';
import type { Evidence } from './evidence.js';
import { earlyEnd } from './outcome.js';

/** The requirements and the cases of a run, by which its evidence is judged. */
interface Matrix {
  readonly known: ReadonlyMap<string, Requirement>;
  readonly all: readonly Case[];
  readonly expected: readonly Case[];
  /** The missing shard of each lost case. */
  readonly lost: ReadonlyMap<string, number>;
  readonly failedBefore: ReadonlySet<string>;
}

/** Returns the verdict of each case that was expected or judged, by its id. A case without evidence is missing. */
export function judgeCases(
  evidence: Evidence,
  { known, all, expected, lost, failedBefore }: Matrix,
): Map<string, JudgedCase> {
  const judged = new Map<string, JudgedCase>();
  const add = (result: CaseResult, one: Pick<Case, 'requirement' | 'subject'> | undefined): void => {
    const requirement = one?.requirement ?? known.get(result.requirement);
    if (!requirement || !known.has(requirement.id)) return;
    const about = one?.subject;
    const verdict = judgeCase(withoutAlias(result), requirement, evidence, about);
    judged.set(result.id, isFailure(verdict) && failedBefore.has(verdict.id) ? { ...verdict, known: true } : verdict);
  };
  for (const { id, requirement, subject } of expected) {
    const result = evidence.cases.get(id);
    if (result) add(result, { requirement, subject });
    else judged.set(id, missing({ id, requirement, subject }, evidence, lost.get(id)));
  }
  const others = [...evidence.cases.values()].filter(({ id }) => !judged.has(id));
  const abouts = new Map(others.length === 0 ? [] : all.map((one) => [one.id, one] as const));
  for (const result of others) add(result, abouts.get(result.id));
  return judged;
}

/** Returns the verdicts of the cases that ran under aliases. */
export function judgeAliased(evidence: Evidence, known: Matrix['known']): JudgedCase[] {
  return [...evidence.cases.values()].flatMap((result) => {
    const requirement = known.get(result.requirement);
    return result.alias === undefined || !requirement ? [] : [judgeCase(result, requirement, evidence)];
  });
}

function judgeCase(
  result: CaseResult,
  requirement: Requirement,
  { run, exchanges, timings }: Evidence,
  about?: Subject,
): JudgedCase {
  const { id, subject, verdict, skip, message, retried } = result;
  const timing = timings.get(id);
  const deviation =
    verdict === 'failed' ? run?.deviations.find((declared) => covers(declared, requirement.id, subject)) : undefined;
  return {
    id,
    requirement,
    subject,
    ...(about && { about }),
    verdict: deviation ? 'known-deviation' : verdict,
    ...(skip && { skip }),
    ...(message !== undefined && { message }),
    ...(verdict === 'passed' && defined({ retried })),
    ...(deviation && { deviation }),
    ...(timing && { timing }),
    exchanges: exchangesOf(result, exchanges),
  };
}

function exchangesOf(result: CaseResult, exchanges: Evidence['exchanges']): Exchange[] {
  const found: Exchange[] = [];
  for (const id of result.exchanges) {
    const exchange = exchanges.get(id);
    if (exchange) found.push(exchange);
  }
  return found;
}

// No deviation covers a missing case, because the behaviour of the server is unknown.
function missing({ id, requirement, subject }: Case, evidence: Evidence, lost?: number): JudgedCase {
  const early = lost === undefined ? earlyEnd(evidence) : undefined;
  const message =
    lost === undefined
      ? 'no verdict: the run ended before this case finished'
      : `no verdict: the evidence of shard ${lost} of ${evidence.shards?.of} is missing`;
  return {
    id,
    requirement,
    subject: subject.id,
    about: subject,
    ...(early === undefined ? { verdict: 'failed' } : { verdict: 'skipped', skip: 'not-reached' }),
    message: early ?? message,
    missing: true,
    exchanges: [],
  };
}

/** Returns the result of a case without its alias: its own version is not served, so the case is not supported. */
function withoutAlias(result: CaseResult): CaseResult {
  const { alias, skip: _, ...own } = result;
  if (alias === undefined) return result;
  return { ...own, verdict: 'not-supported', message: `it ran under ${alias} instead, not scored`, exchanges: [] };
}
