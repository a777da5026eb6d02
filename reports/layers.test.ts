// The layers of the reports: each folder imports only from the layers below it, and no files form a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { layerFaults } from '../tools/testing/layers.js';

/** From top to bottom. Folders in one row do not import each other. */
const layers = [
  ['index.ts', 'interface'], // the formats of a report; docs/interface.md
  ['compare'], //               runs side by side
  ['render'], //                one run, and the records of servers
  ['judge'], //                 from the evidence to the verdict
  ['page', 'safeText.ts'], //   the script of the page, and its data
];

test('imports go down', () => {
  expect(layerFaults(import.meta.dirname, layers)).toEqual({ withoutLayer: [], upward: [], circles: [] });
});

test('the page imports only itself: browsers have no packages and no Node.js', () => {
  const page = join(import.meta.dirname, 'page');
  const files = readdirSync(page).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const imported = files.flatMap((file) => [
    ...readFileSync(join(page, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(?!\.\/)[^']+'/g),
  ]);
  expect(imported.map(([line]) => line)).toEqual([]);
});
