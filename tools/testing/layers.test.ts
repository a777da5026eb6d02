// Each fault of layers is found.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type LayerFaults, layerFaults } from './layers.js';

/** Returns the faults of files, given by their paths and the paths that they import. */
function faultsOf(files: Readonly<Record<string, readonly string[]>>): LayerFaults {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  try {
    for (const [file, imported] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), imported.map((path) => `import type {} from '${path}';\n`).join(''));
    }
    return layerFaults(root, [['index.ts'], ['a', 'b'], ['a/low', 'c']], { outside: ['aside/'] });
  } finally {
    rmSync(root, { recursive: true });
  }
}

const none: LayerFaults = { withoutLayer: [], upward: [], circles: [] };

it.each<[string, Readonly<Record<string, readonly string[]>>, Partial<LayerFaults>]>([
  ['imports of lower layers', { 'index.ts': ['./a/x.js'], 'a/x.ts': ['./low/y.js', './z.js'], 'a/low/y.ts': [] }, {}],
  [
    'tests, their support, and what is outside',
    { 'c/x.test.ts': ['../a/x.js'], 'testing/x.ts': [], 'aside/x.ts': [] },
    {},
  ],
  ['an upward import', { 'c/x.ts': ['../index.js'] }, { upward: ['c/x.ts → index.ts'] }],
  ['an upward import within a folder', { 'a/low/y.ts': ['../x.js'] }, { upward: ['a/low/y.ts → a/x.ts'] }],
  ['an import within a layer', { 'a/x.ts': ['../b/x.js'] }, { upward: ['a/x.ts → b/x.ts'] }],
  ['a file without a layer', { 'other/x.ts': [] }, { withoutLayer: ['other/x.ts'] }],
  [
    'a circle, without the files that only lead to it',
    { 'c/x.ts': ['./y.js'], 'c/y.ts': ['./x.js'], 'c/z.ts': ['./x.js'] },
    { circles: ['c/x.ts → c/y.ts', 'c/y.ts → c/x.ts'] },
  ],
])('%s', (_, files, faults) => {
  expect(faultsOf(files)).toEqual({ ...none, ...faults });
});
