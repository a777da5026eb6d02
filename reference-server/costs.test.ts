// Tests that the cost of each parser, codec, patch, selector, validator and merge grows no faster than its input.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { YamlThread } from './codecs/yamlThread.js';
import { applyWorks } from './later/testing/costs/applies.js';
import { customResourceWorks } from './later/testing/costs/customResources.js';
import { codecWorks } from './testing/costs/codecs.js';
import { fieldCheckWorks } from './testing/costs/fieldChecks.js';
import { faultsOf, type Growth, growthOf, largest, tableOf, type Work } from './testing/costs/growth.js';
import { objectWorks } from './testing/costs/objects.js';
import { patchWorks } from './testing/costs/patches.js';
import { productWorks } from './testing/costs/products.js';
import { arbitraryWorks, textualWorks } from './testing/costs/selectors.js';
import { startDirect } from './testing/direct.js';

/** The time limit of a hang, in milliseconds, on a shared machine. */
const patience = 1_800_000;
const growths: Growth[] = [];

/**
 * Measures each work. A suspicious growth is measured again with larger inputs, for which other load of the machine
 * matters less. Half a second is large enough.
 */
async function requireGrowth(works: readonly Work[]): Promise<void> {
  const faults: string[] = [];
  for (const work of works) {
    let growth = await growthOf(work);
    for (let again = 0; again < 3 && faultsOf(growth).length > 0; again += 1)
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

test('a quadratic cost is detected', async () => {
  const square: Work = {
    name: 'the square',
    prepare(bytes) {
      const items = Array.from({ length: bytes / 4 }, (_, index) => index);
      return () => items.filter((item) => items.indexOf(item) !== item).length;
    },
  };
  expect(faultsOf(await growthOf(square))).toEqual([expect.stringContaining('the square: four times the input costs')]);
});

test(
  'codecs',
  async () => {
    const thread = new YamlThread();
    try {
      await requireGrowth([...codecWorks(thread), ...fieldCheckWorks(thread)]);
    } finally {
      await thread.close();
    }
  },
  patience,
);

test('custom resources and their definitions', () => requireGrowth(customResourceWorks), patience);

test('patches and merges', () => requireGrowth(patchWorks), patience);

test('server-side apply and managed fields', () => requireGrowth(applyWorks), patience);

test('selectors, names and scalars', () => requireGrowth(textualWorks), patience);

test(
  'random texts from the tokens of each language',
  async () => {
    const numRuns = Number(process.env.COST_RUNS ?? 100);
    await fc.assert(
      fc.asyncProperty(arbitraryWorks, (work) => requireGrowth([work])),
      { numRuns, endOnFailure: true },
    );
  },
  patience,
);

test(
  'objects of every kind with a long list or map',
  async () => {
    const server = await startDirect();
    try {
      await requireGrowth(objectWorks(server));
    } finally {
      await server.stop();
    }
  },
  patience,
);

test(
  'pairs of large objects',
  async () => {
    const server = await startDirect();
    try {
      await requireGrowth(productWorks(server));
    } finally {
      await server.stop();
    }
  },
  patience,
);
