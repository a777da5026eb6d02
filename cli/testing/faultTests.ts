// Tests that register the runs against broken servers: each fault must fail exactly the requirements of its row.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeSample } from '../../reports/testing/sample.js';
import {
  allCases,
  type CaseResult,
  type Chosen,
  choose,
  type Level,
  requirements,
} from '../../suites/requirements/index.js';
import type { Fault } from '../../suites/testing/faults/wire/fault.js';
import {
  casesOf,
  failedIn,
  generous,
  isAlone,
  resultsOf,
  startGoodServer,
  stopGoodServer,
  timeoutWith,
} from './brokenServer.js';
import { swappedIn } from './swapped.js';

const profiled = new Set(choose({ profile: process.env.FAULTS === 'full' ? 'full' : 'standard' }).map(({ id }) => id));

const all = allCases();
const casesById = new Map(all.map((each) => [each.id, each]));
const levels = new Map<string, Level>(requirements.map(({ id, row }) => [id, row.level]));

/** Registers hooks that start and stop the correct server of a test file. */
export function useGoodServer(): void {
  beforeAll(startGoodServer);
  afterAll(stopGoodServer);
}

/** Runs the selected cases against the broken server. Returns the failed requirements, sorted by id. */
export async function failing(fault: Fault): Promise<string[]> {
  return requirementsOf(await resultsOf(fault, generous));
}

/**
 * Returns the cases that a fault runs first: those of the profile `standard`, which leaves out what repeats a requirement
 * on the same kind in other media types. All cases of the row if the profile lacks a requirement of it, and in the soak.
 */
function firstOf(fault: Fault): Chosen {
  const named = casesOf(fault);
  const first = all.filter(({ id }) => profiled.has(id) && named(id));
  const asked = new Set(first.map(({ requirement }) => requirement.id));
  const ids = new Set(first.map(({ id }) => id));
  return ids.size > 0 && fault.fails.every((id) => asked.has(id)) ? (id) => ids.has(id) : named;
}

const requirementsOf = (results: readonly CaseResult[]): string[] =>
  [...new Set(failedIn(results).map(({ requirement }) => requirement))].sort();

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
  it.concurrent.each(named(rows.filter((row) => !isAlone(row))))('%s', (_, fault) => testFault(fault));
  it.each(named(rows.filter(isAlone)))('%s', (_, fault) => testFault(fault));
}

async function testFault(fault: Fault): Promise<void> {
  const fails = [...fault.fails].sort();
  const swapped: string[] = [];
  const hurried = await resultsOf(fault, timeoutWith(fault), firstOf(fault), (...failed) =>
    swapped.push(...swappedIn(...failed)),
  );
  expect(swapped, 'messages whose two values are swapped').toEqual([]);
  const isAsSaid = requirementsOf(hurried).join() === fails.join();
  // On a loaded machine, events may arrive too late, and a fault may show in another media type alone: a second run
  // waits longer, and runs every case of the row.
  const results = isAsSaid ? hurried : await resultsOf(fault, generous);
  expect(requirementsOf(results)).toEqual(fails);
  expect(isConformant(results), 'conformant').toBe(!fault.fails.some((id) => levels.get(id) === 'required'));
}
