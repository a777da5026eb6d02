// The layers of the server: each file imports only from its own folder and from the layers below, and no files in a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { expect, test } from 'vitest';

/** The layers from top to bottom. Folders in one row do not import each other. CONTRIBUTING.md has the same list. */
const layers: readonly (readonly string[])[] = [
  ['index.ts'],
  ['documents.ts', 'server.ts'],
  ['app.ts'],
  ['audit', 'control', 'metrics'],
  ['surface.ts'],
  ['cluster.ts'],
  ['options.ts'],
  ['openStorage.ts'],
  ['edge'],
  ['verbs'],
  ['connect', 'discovery', 'openapi'],
  ['resolver'],
  ['request.ts'],
  ['authorization'],
  ['authentication'],
  ['customresources'],
  ['controllers'],
  ['admission'],
  ['quota', 'serviceaccounts'],
  ['registry'],
  ['representations'],
  ['watch'],
  ['query'],
  ['versions'],
  ['storage'],
  ['managedfields', 'patch', 'selectors'],
  ['schema'],
  ['codecs'],
  ['features'],
  ['errors.ts'],
  ['statusError.ts'],
  ['optionFile.ts', 'runtimeConfig.ts'],
  ['backOff.ts', 'clock.ts', 'excerpt.ts', 'optionError.ts', 'turns.ts'],
];

const root = import.meta.dirname;
const isOutside = (file: string): boolean => file.endsWith('.test.ts') || /^(?:testing|storages)\//.test(file);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts') && !isOutside(file));

/** The imports of a file within the server: static and dynamic, of values and of types. */
function importsOf(file: string): string[] {
  const imported = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g);
  return [...imported]
    .map(([, path = '']) => `${normalize(join(dirname(file), path))}.ts`)
    .filter((other) => !other.startsWith('..'));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const folderOf = (file: string): string => file.split('/')[0] ?? '';
const layerOf = (file: string): number => layers.findIndex((layer) => layer.includes(folderOf(file)));

test('every file has a layer', () => {
  expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
});

test('a file imports only from its own folder and from the layers below', () => {
  const upward = [...imports].flatMap(([file, imported]) =>
    imported
      .filter((other) => folderOf(other) !== folderOf(file) && layerOf(other) <= layerOf(file))
      .map((other) => `${file} → ${other}`),
  );
  expect(upward).toEqual([]);
});

test('no files import each other in a circle', () => {
  const left = new Map(imports);
  // A file without remaining imports or importers is not part of a circle.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [file, imported] of left) if (!imported.some((other) => left.has(other))) left.delete(file);
    const imported = new Set([...left.values()].flat());
    for (const file of left.keys()) if (!imported.has(file)) left.delete(file);
  }
  const among = [...left].map(
    ([file, imported]) => `${file} → ${imported.filter((other) => left.has(other)).join(', ')}`,
  );
  expect(among).toEqual([]);
});

test('CONTRIBUTING.md draws the layers', () => {
  const drawing = layers.map((layer) => layer.join(' · '));
  const lines = readFileSync(join(root, '../CONTRIBUTING.md'), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith('index.ts'));
  expect(lines.slice(first, first + drawing.length).map((line) => line.split('  ')[0])).toEqual(drawing);
});
