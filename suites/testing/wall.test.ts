// The wall between the parts of the project: an import across it does not compile.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wall-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Compiles files as a part of the project, one for each import, and returns the output of the compiler. Does not block
 * the test worker, because a worker without a sign of life for a minute counts as lost.
 */
async function compileIn(project: string, imports: readonly string[]): Promise<string> {
  const config = JSON.parse(readFileSync(join(root, project, 'tsconfig.json'), 'utf8')) as {
    readonly references: readonly { readonly path: string }[];
  };
  const files = imports.map((imported) => {
    const file = join(folder, `${project}-imports-${imported}.ts`.replaceAll('/', '-'));
    writeFileSync(file, `export * from '${join(root, imported)}';\n`);
    return file;
  });
  const settings = join(folder, `tsconfig-${project.replaceAll('/', '-')}.json`);
  writeFileSync(
    settings,
    JSON.stringify({
      extends: join(root, project, 'tsconfig.json'),
      compilerOptions: {
        ...{ rootDir: '/', noEmit: true, typeRoots: [join(root, 'node_modules/@types')] },
        // The files of the project tell a start whether its modules have changed.
        tsBuildInfoFile: `${settings}buildinfo`,
      },
      files,
      include: [],
      references: config.references.map(({ path }) => ({ path: join(root, project, path) })),
    }),
  );
  try {
    // Several threads check the same types, each for itself.
    return (await promisify(execFile)(process.execPath, [tsc, '-p', settings, '--singleThreaded'])).stdout;
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

/** Small files, since the compiler checks what an import leads to. */
const forbidden = [
  ['matrix/api', 'suites/requirements/pattern.js'],
  ['matrix/api', 'reference-server/remote/places.js'],
  ['matrix', 'suites/requirements/pattern.js'],
  ['suites/requirements', 'suites/run/messages.js'],
  ['suites/requirements', 'reference-server/remote/places.js'],
  ['reference-server', 'suites/requirements/pattern.js'],
  ['reference-server', 'matrix/subjects/invalidBodies.js'],
  ['reference-server', 'suites/run/messages.js'],
  ['reference-server', 'reports/safeText.js'],
  ['reference-server', 'cli/errors.js'],
  ['suites', 'reference-server/remote/places.js'],
  ['suites', 'reports/safeText.js'],
  ['suites', 'cli/errors.js'],
  ['reports', 'reference-server/remote/places.js'],
  ['reports', 'suites/run/messages.js'],
  ['reports/page', 'reports/safeText.js'],
  ['reports/page', 'matrix/api/signals.js'],
  ['test-certs', 'reference-server/remote/places.js'],
  ['node-agent', 'reference-server/remote/places.js'],
  ['node-agent', 'suites/run/messages.js'],
  ['node-agent', 'suites/requirements/pattern.js'],
  ['node-agent', 'cli/errors.js'],
  ['reference-server', 'node-agent/api/time.js'],
  ['suites', 'node-agent/api/time.js'],
] as const;

const allowed = [
  ['reference-server', 'matrix/api/index.js'],
  ['suites', 'suites/requirements/index.js'],
  ['reports', 'suites/requirements/index.js'],
  ['reports', 'reports/page/words.js'],
  ['cli', 'suites/index.js'],
  ['cli', 'node-agent/index.js'],
  ['node-agent', 'matrix/api/index.js'],
  ['node-agent', 'test-certs/index.js'],
] as const;

/** Returns the imports of each project: they are compiled together. */
const byProject = (rows: readonly (readonly [project: string, imported: string])[]) =>
  [...new Set(rows.map(([project]) => project))].map(
    (project) => [project, rows.flatMap(([of, imported]) => (of === project ? [imported] : []))] as const,
  );

describe('the wall', () => {
  it.each(byProject(forbidden))('%s may not import %j', async (project, imports) => {
    const output = await compileIn(project, imports);
    for (const imported of imports) {
      const file = join(root, imported.replace(/\.js$/, '.ts'));
      expect(output).toContain(`error TS6307: File '${file}' is not listed within the file list of project`);
    }
  });

  it.each(byProject(allowed))('%s may import %j', async (project, imports) => {
    expect(await compileIn(project, imports)).toBe('');
  });
});
