// Fails if the cost of a work grows faster than its input, and prints what each has cost at the end of a file.
import { afterAll, expect } from 'vitest';
import { faultsOf, type Growth, growthOf, largest, tableOf, type Work } from './growth.js';

/** The time limit of a hang, in milliseconds, on a shared machine. */
export const patience = 1_800_000;
const growths: Growth[] = [];

/** How often a suspicious growth is measured again: a real one is seen each time, that of a busy machine is not. */
const most = 8;

/**
 * Measures each work. A suspicious growth is measured again with larger inputs, for which other load of the machine
 * matters less. Half a second is large enough.
 */
export async function requireGrowth(works: readonly Work[]): Promise<void> {
  const faults: string[] = [];
  for (const work of works) {
    let growth = await growthOf(work);
    for (let again = 0; again < most && faultsOf(growth).length > 0; again += 1)
      growth = await growthOf(
        work,
        (growth.costs.at(-1) ?? 0) > 500 ? growth.bytes : Math.min(growth.bytes * 4, 16 * largest),
      );
    growths.push(growth);
    faults.push(...faultsOf(growth));
  }
  expect(faults).toEqual([]);
}

afterAll(() => {
  // The measured costs, the highest first, without negligible ones.
  const rows = growths.filter(({ costs }) => costs[0] !== 0);
  rows.sort((one, other) => (other.costs.at(-1) ?? 0) - (one.costs.at(-1) ?? 0));
  if (rows.length > 0) process.stdout.write(`${tableOf(rows.slice(0, Number(process.env.COST_ROWS ?? 40)))}\n`);
});
