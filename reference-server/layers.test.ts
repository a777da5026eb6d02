// The layers of the server: a file imports only from its own folder and the layers below it, and no files in a circle.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Layers from top to bottom. Folders in one row do not import each other. CONTRIBUTING.md has the same list. */
type Layers = readonly (readonly string[])[];

/** The server of the interface. It imports from neither of the other parts. */
const core: Layers = [
  ['index.ts'],
  ['server.ts'],
  ['app.ts'],
  ['addons.ts'],
  ['cluster.ts', 'surface.ts'],
  ['options.ts'],
  ['openStorage.ts'],
  ['edge'],
  ['verbs'],
  ['connect', 'discovery'],
  ['resolver'],
  ['request.ts'],
  ['authorization'],
  ['authentication'],
  ['controllers'],
  ['admission'],
  ['quota', 'serviceaccounts'],
  ['registry'],
  ['watch'],
  ['query'],
  ['versions'],
  ['storage'],
  ['patch', 'selectors'],
  ['schema'],
  ['codecs'],
  ['features'],
  ['errors.ts'],
  ['statusError.ts'],
  ['runtimeConfig.ts'],
  ['clock.ts', 'excerpt.ts', 'optionValues.ts', 'turns.ts'],
];

/** What registers itself with the core. */
const later: Layers = [
  ['index.ts'],
  ['customresources', 'groups'],
  ['audit', 'control', 'managedfields', 'metrics', 'openapi', 'representations', 'welcome.ts', 'workloads'],
  ['impersonation.ts', 'requests'],
];

const storages: Layers = [['index.ts'], ['etcd', 'lmdb']];

const root = import.meta.dirname;
const isTest = (file: string): boolean => file.endsWith('.test.ts') || /(?:^|\/)testing\//.test(file);
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.ts'));

/** The imports of a file within the server: static and dynamic, of values and of types. */
function importsOf(file: string): string[] {
  const imported = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g);
  return [...imported]
    .map(([, path = '']) => `${normalize(join(dirname(file), path))}.ts`)
    .filter((other) => !other.startsWith('..'));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const beside = ['later', 'storages'];
/** The part of the server that a file is in; the empty one is the core. */
const partOf = (file: string): string => beside.find((part) => file.startsWith(`${part}/`)) ?? '';

describe.each([
  ['core', '', core],
  ['later', 'later', later],
  ['storages', 'storages', storages],
])('%s', (_, part, layers) => {
  const own = files.filter((file) => partOf(file) === part && !isTest(file));
  const folderOf = (file: string): string => file.slice(part === '' ? 0 : part.length + 1).split('/')[0] ?? '';
  const layerOf = (file: string): number => layers.findIndex((layer) => layer.includes(folderOf(file)));

  test('every file has a layer', () => {
    expect(own.filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  test('a file imports only from its own folder and from the layers below', () => {
    const upward = own.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((other) => partOf(other) === part)
        .filter((other) => folderOf(other) !== folderOf(file) && layerOf(other) <= layerOf(file))
        .map((other) => `${file} → ${other}`),
    );
    expect(upward).toEqual([]);
  });

  // Tests of the core run without the other parts; tests of these may start a server with both.
  test('nothing imports from another part but the core', () => {
    const across = files
      .filter((file) => partOf(file) === part && (part === '' || !isTest(file)))
      .flatMap((file) =>
        (imports.get(file) ?? [])
          .filter((other) => partOf(other) !== part && partOf(other) !== '')
          .map((other) => `${file} → ${other}`),
      );
    expect(across).toEqual([]);
  });

  test('CONTRIBUTING.md draws the layers', () => {
    const drawing = layers.map((layer) => layer.join(' · '));
    const lines = readFileSync(join(root, '../CONTRIBUTING.md'), 'utf8').split('\n');
    const first = lines.findIndex((line) => line.startsWith(`reference-server/${part}`)) + 1;
    expect(lines.slice(first, first + drawing.length).map((line) => line.split('  ')[0])).toEqual(drawing);
  });
});

test('no files import each other in a circle', () => {
  const left = new Map([...imports].filter(([file]) => !isTest(file)));
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
