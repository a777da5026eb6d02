// The faults of the chapters for every kind, applied to a custom resource: each must be found on that kind too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf, resultsOn, startServerWithKind, stopServerWithKind } from '../../../cli/testing/brokenKind.js';
import { failedIn, generous } from '../../../cli/testing/brokenServer.js';
import { faults } from './index.js';
import type { Fault } from './wire/fault.js';
import { kindOfRow } from './wire/otherKind.js';

beforeAll(startServerWithKind);
afterAll(stopServerWithKind);

const rows = faults.filter((fault) => kindOfRow(fault) !== undefined && fault.fails.length > 0);

describe('a fault on a custom resource', () => {
  it.concurrent.each(rows.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const cases = casesOf(fault);
    const asked = new Set(cases.map(({ requirement }) => requirement));
    const expected = fault.fails.filter((id) => asked.has(id));
    const failed = await failing(fault, new Set(cases.map(({ id }) => id)));
    console.log(JSON.stringify([fault.name, fault.grep, expected, failed]));
    expect(failed).toEqual(expect.arrayContaining(expected));
  });
});

async function failing(fault: Fault, ids: ReadonlySet<string>): Promise<string[]> {
  const results = await resultsOn(fault, ids, generous);
  return [...new Set(failedIn(results).map(({ requirement }) => requirement))].sort();
}
