// The layers of a folder: which files import upward, which form a circle, and which have no layer.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/** The violations of layers, each with its files; all are empty if the layers hold. */
export interface LayerFaults {
  readonly withoutLayer: readonly string[];
  /** `file → imported file`. */
  readonly upward: readonly string[];
  /** The files of a circle, each with its imports within the circle. */
  readonly circles: readonly string[];
}

interface LayerOptions {
  /** The files without a layer, by the beginning of their path, besides `testing/` and the tests. */
  readonly outside?: readonly string[];
}

/**
 * Checks the imports of the TypeScript files below `root`, of values and of types. `layers` lists the layers from top to
 * bottom; the folders and files in one layer do not import each other. A path belongs to the longest entry that is the
 * path itself or one of its folders.
 */
export function layerFaults(
  root: string,
  layers: readonly (readonly string[])[],
  { outside = [] }: LayerOptions = {},
): LayerFaults {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .sort()
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !['testing/', ...outside].some((start) => file.startsWith(start)));
  const imports = new Map(files.map((file) => [file, importsOf(root, file)]));
  const entries = layers.flat().sort((a, b) => b.length - a.length);
  const entryOf = (file: string): string | undefined =>
    entries.find((entry) => file === entry || file.startsWith(`${entry}/`));
  const layerOf = (file: string): number => layers.findIndex((layer) => layer.includes(entryOf(file) ?? ''));
  const isUpward = (file: string, other: string): boolean =>
    entryOf(other) !== entryOf(file) && layerOf(other) <= layerOf(file);
  return {
    withoutLayer: files.filter((file) => entryOf(file) === undefined),
    upward: [...imports].flatMap(([file, imported]) =>
      imported.filter((other) => isUpward(file, other)).map((other) => `${file} → ${other}`),
    ),
    circles: circlesIn(imports),
  };
}

/** Returns the imports of a file within the root, static and dynamic. */
function importsOf(root: string, file: string): string[] {
  const imported = readFileSync(join(root, file), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g);
  return [...imported]
    .map(
      ([, path = '']) =>
        `${normalize(join(dirname(file), path))
          .split(sep)
          .join('/')}.ts`,
    )
    .filter((other) => !other.startsWith('..'));
}

function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports);
  // A file without remaining imports or importers is not part of a circle.
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [file, imported] of left) if (!imported.some((other) => left.has(other))) left.delete(file);
    const imported = new Set([...left.values()].flat());
    for (const file of left.keys()) if (!imported.has(file)) left.delete(file);
  }
  return [...left].map(([file, imported]) => `${file} → ${imported.filter((other) => left.has(other)).join(', ')}`);
}
