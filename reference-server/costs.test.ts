// Every parser, codec, patch, selector, validator and merge: what it costs grows with its input and no faster.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { YamlThread } from './codecs/yamlThread.js';
import { codecWorks } from './testing/costs/codecs.js';
import { faultsOf, type Growth, growthOf, largest, tableOf, type Work } from './testing/costs/growth.js';
import { objectWorks } from './testing/costs/objects.js';
import { patchWorks } from './testing/costs/patches.js';
import { productWorks } from './testing/costs/products.js';
import { drawnWorks, textualWorks } from './testing/costs/selectors.js';
import { startDirect } from './testing/direct.js';

/** For what hangs, on a machine that others use too. */
const patience = 1_800_000;
const growths: Growth[] = [];

/**
 * Measures each work. What seems to grow too fast is measured again with inputs that are larger, where what the machine
 * does otherwise counts for less; what takes half a second is large enough.
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
  // What is measured, the dearest first; what costs next to nothing is left out.
  const rows = growths.filter(({ costs }) => costs[0] !== 0);
  rows.sort((one, other) => (other.costs.at(-1) ?? 0) - (one.costs.at(-1) ?? 0));
  if (rows.length > 0) process.stdout.write(`${tableOf(rows.slice(0, Number(process.env.COST_ROWS ?? 40)))}\n`);
});

test('what grows with the square of its input is found', async () => {
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
      await requireGrowth(codecWorks(thread));
    } finally {
      await thread.close();
    }
  },
  patience,
);

test('patches and merges', () => requireGrowth(patchWorks), patience);

test('selectors, names and scalars', () => requireGrowth(textualWorks), patience);

test(
  'texts that are drawn from the pieces of each language',
  async () => {
    const numRuns = Number(process.env.COST_RUNS ?? 100);
    await fc.assert(
      fc.asyncProperty(drawnWorks, (work) => requireGrowth([work])),
      { numRuns, endOnFailure: true },
    );
  },
  patience,
);

test(
  'objects of every kind, a list or map of which is long',
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
  'two large objects that meet',
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
