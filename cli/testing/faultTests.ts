// Tests that register the runs against broken servers: each fault must fail exactly the requirements of its row.

import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { groupBy } from '../../matrix/api/groupBy.js';
import { judgeSample } from '../../reports/testing/sample.js';
import { allCases, type CaseResult, choose, type Level, requirements } from '../../suites/requirements/index.js';
import { faults } from '../../suites/testing/faults/index.js';
import type { Fault } from '../../suites/testing/faults/wire/fault.js';
import { isSoak } from '../../suites/testing/soak.js';
import {
  casesOf,
  failedRequirements,
  generous,
  isAlone,
  resultsOf,
  setupOf,
  startGoodServer,
  stopGoodServer,
  timeoutWith,
} from './brokenServer.js';
import { swappedIn } from './swapped.js';

/** The ids of the profile `standard`, which leaves out what repeats a requirement on the same kind in other media types. */
const usual = new Set(choose({ profile: 'standard' }).map(({ id }) => id));

const casesById = new Map(allCases().map((each) => [each.id, each]));
const levels = new Map<string, Level>(requirements.map(({ id, row }) => [id, row.level]));

/** The rows of which earlier ones break each requirement too: the soak breaks requirements in all ways. */
const repeated = new Set<Fault>();
const broken = new Set<string>();
for (const fault of faults) {
  if (fault.fails.length > 0 && fault.fails.every((id) => broken.has(id))) repeated.add(fault);
  for (const id of fault.fails) broken.add(id);
}

/** Registers hooks that start and stop the correct server of a test file. */
export function useGoodServer(): void {
  beforeAll(startGoodServer);
  afterAll(stopGoodServer);
}

/** Runs the first cases of the fault against the broken server. Returns the failed requirements, sorted by id. */
export async function failing(fault: Fault): Promise<string[]> {
  return failedRequirements(await resultsOf(fault, 4 * generous, firstOf(fault)));
}

const requirementOf = (id: string): string => casesById.get(id)?.requirement.id ?? '';

/**
 * Returns the cases that a fault runs first: the usual ones, and all of its row if there are none. The soak runs all of
 * them. The tests run those of the fewest setups that have each requirement that must fail, or each of the row of a right
 * server, and of one other: the faults of a row take turns at its setups.
 */
function firstOf(fault: Fault): ReadonlySet<string> {
  const named = [...casesOf(fault)];
  if (isSoak) return new Set(named);
  const some = named.filter((id) => usual.has(id));
  const tried = some.length === 0 ? named : some;
  const setups = [...groupBy(tried, setupOf).values()];
  const needed = covering(setups, new Set(fault.fails.length === 0 ? tried.map(requirementOf) : fault.fails));
  const others = setups.filter((setup) => !needed.includes(setup));
  const other = others[faults.indexOf(fault) % others.length] ?? [];
  return new Set([...needed, other].flat());
}

/** Returns so few of the setups, which are lists of cases, that each of the requirements that they have is among them. */
function covering(setups: readonly (readonly string[])[], requirements: ReadonlySet<string>) {
  const missing = new Set(requirements);
  const kept: (readonly string[])[] = [];
  const news = (cases: readonly string[]): number => cases.filter((id) => missing.has(requirementOf(id))).length;
  for (;;) {
    const [best = []] = [...setups].sort((one, other) => news(other) - news(one));
    if (news(best) === 0) return kept;
    kept.push(best);
    for (const id of best) missing.delete(requirementOf(id));
  }
}

/** Returns the other cases of the row of the requirements that have not failed yet, and that must. */
function restOf(fault: Fault, first: ReadonlySet<string>, failed: readonly string[]): ReadonlySet<string> {
  const missing = new Set(fault.fails.filter((id) => !failed.includes(id)));
  return new Set([...casesOf(fault)].filter((id) => !first.has(id) && missing.has(requirementOf(id))));
}

/** Reports whether a run with these results is conformant, in whole or in part. */
function isConformant(results: readonly CaseResult[]): boolean {
  const expected = results.flatMap(({ id }) => casesById.get(id) ?? []);
  const { outcome } = judgeSample({ results, expected });
  return outcome !== 'not-conformant';
}

/**
 * Tests that each broken server fails exactly the requirements in its row. Most of a run is waiting, so several runs
 * share the good server, as the workers of the suite do; a run of cases that affect others is alone.
 */
export function testFaults(faults: readonly Fault[]): void {
  // Runs with edited frames wait longest, so they begin first.
  const rows = [...faults.filter(({ frame }) => frame), ...faults.filter(({ frame }) => !frame)];
  const named = (kept: readonly Fault[]) => kept.map((fault) => [fault.name, fault] as const);
  const test = async ([, fault]: readonly [string, Fault], { skip }: TestContext): Promise<void> => {
    if (!isSoak && repeated.has(fault)) skip('in the soak: other rows break the same');
    await testFault(fault);
  };
  it.concurrent.for(named(rows.filter((row) => !isAlone(row))))('%s', test);
  it.for(named(rows.filter(isAlone)))('%s', test);
}

async function testFault(fault: Fault): Promise<void> {
  const fails = [...fault.fails].sort();
  // A case that could not be judged, as on a busy machine, shows nothing.
  const isProven = (results: readonly CaseResult[], id: string): boolean =>
    results.some(({ requirement, verdict }) => requirement === id && verdict === 'failed');
  const unproven = (results: readonly CaseResult[]): string[] =>
    fault.blocks ? [] : fails.filter((id) => !isProven(results, id));
  const isAsSaid = (results: readonly CaseResult[]): boolean =>
    failedRequirements(results).join() === fails.join() && unproven(results).length === 0;
  const swapped: string[] = [];
  const run = (timeout: number, chosen?: ReadonlySet<string>): Promise<CaseResult[]> =>
    resultsOf(fault, timeout, chosen, (...failed) => swapped.push(...swappedIn(...failed)));
  const first = firstOf(fault);
  let results = await run(timeoutWith(fault), first);
  // A fault may show in another media type alone, and the profile may lack a requirement.
  const rest = restOf(fault, first, failedRequirements(results));
  if (rest.size > 0) results = [...results, ...(await run(timeoutWith(fault), rest))];
  // On a loaded machine, events may arrive too late: the next runs wait longer, and run every case of the row.
  for (const timeout of [generous, 4 * generous]) {
    if (isAsSaid(results)) break;
    swapped.length = 0;
    results = await run(timeout);
  }
  expect(swapped, 'messages whose two values are swapped').toEqual([]);
  expect(failedRequirements(results)).toEqual(fails);
  expect(unproven(results), 'requirements without a failed case').toEqual([]);
  expect(isConformant(results), 'conformant').toBe(!fault.fails.some((id) => levels.get(id) === 'required'));
}
