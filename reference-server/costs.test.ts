// Tests that the cost of each parser, codec, patch, selector, validator and merge grows no faster than its input.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { YamlThread } from './codecs/yamlThread.js';
import { codecWorks } from './testing/costs/codecs.js';
import { fieldCheckWorks } from './testing/costs/fieldChecks.js';
import { faultsOf, growthOf, type Work } from './testing/costs/growth.js';
import { objectWorks } from './testing/costs/objects.js';
import { patchWorks } from './testing/costs/patches.js';
import { productWorks } from './testing/costs/products.js';
import { patience, requireGrowth } from './testing/costs/require.js';
import { arbitraryWorks, textualWorks } from './testing/costs/selectors.js';
import { startDirect } from './testing/direct.js';

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

test('a quadratic result is detected', async () => {
  const square: Work = { name: 'the square', prepare: (bytes) => () => (bytes / 128) ** 2 };
  const bytes = 64 * 1024;
  expect(faultsOf(await growthOf(square, bytes))).toEqual([expect.stringContaining('a result 16.0 times as long')]);
  const line: Work = { name: 'the line', prepare: (bytes) => () => bytes * 100 };
  expect(faultsOf(await growthOf(line, bytes))).toEqual([]);
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

test('patches and merges', () => requireGrowth(patchWorks), patience);

test('selectors, names and scalars', () => requireGrowth(textualWorks), patience);

test(
  'random texts from the tokens of each language',
  async () => {
    const numRuns = Number(process.env.COST_RUNS ?? 40);
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
