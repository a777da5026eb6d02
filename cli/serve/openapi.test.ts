// The `openapi` command: the documents that it writes are those of a running server.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { ask } from '../../reference-server/testing/standIn.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'openapi-command-'));
let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function openapi(...options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, 'openapi', ...options], { maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const served = async (path: string): Promise<unknown> => JSON.parse((await ask(server, path)).text);

it('writes OpenAPI 2 to standard output, or to a file', async () => {
  const { code, stdout } = await openapi('--spec-version', 'v2');
  expect([code, JSON.parse(stdout)]).toEqual([0, await served('/openapi/v2')]);
  const file = join(folder, 'new', 'swagger.json');
  expect(await openapi('--spec-version', 'v2', '--output', file)).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toBe(stdout);
});

it('writes one document of OpenAPI 3', async () => {
  for (const [name, path] of [
    ['v1', 'api/v1'],
    ['batch/v1', 'apis/batch/v1'],
    ['apis/batch', 'apis/batch'],
    ['version', 'version'],
  ] as const) {
    expect(JSON.parse((await openapi('--group-version', name)).stdout)).toEqual(await served(`/openapi/v3/${path}`));
  }
});

it('writes all documents of OpenAPI 3 to a directory', async () => {
  const out = join(folder, 'v3');
  expect(await openapi('--output', out, '--without', 'group:autoscaling')).toMatchObject({ code: 0, stderr: '' });
  const files = readdirSync(out);
  expect(files).toEqual(expect.arrayContaining(['api__v1_openapi.json', 'apis__extensions__v1beta1_openapi.json']));
  expect(files.some((file) => file.includes('autoscaling'))).toBe(false);
});

it.each([
  [[], 'openapi: v3 has several documents: give --output with a directory, or choose one with --group-version'],
  [['--group-version', 'btch/v1'], 'openapi: --group-version: there is no document btch/v1; did you mean batch/v1?'],
  [['--spec-version', 'v2', '--group-version', 'v1'], 'openapi: v2 is one document: leave out --group-version'],
  [['--without', 'sleep'], 'openapi: --without: there is no feature sleep; there are '],
  [['--kube-version', '1.99'], 'openapi: --kube-version: there is no 1.99 to report; the newest version is 1.36'],
])('%j is refused', async (options, message) => {
  const { code, stderr } = await openapi(...options);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
