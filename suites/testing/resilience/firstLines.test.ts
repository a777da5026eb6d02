// The first lines about a server with one deep fault name this fault, not the hundred cases that depend on it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Broken } from '../faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { failure } from '../faults/wire/requests.js';
import { call } from '../runCommand.js';
import { useGoodServer } from './chosenRuns.js';

const good = useGoodServer(['read']);
let output: string;
let proxy: FaultyProxy | undefined;
beforeAll(() => {
  output = mkdtempSync(join(tmpdir(), 'first-lines-'));
});
afterAll(() => rmSync(output, { recursive: true, force: true }));
afterEach(() => proxy?.close());

async function ran(broken: Broken, ...choice: readonly string[]) {
  proxy = await startFaultyProxy(good, broken);
  const options = ['--token', good.token, '--disposable', ...choice, '--output', output];
  return await call('run', '--url', proxy.url, ...options);
}

it('names the prerequisite that blocks every case', async () => {
  const { code, stdout } = await ran(
    {
      request: (passing) =>
        passing.method === 'POST' && /\/namespaces$/.test(passing.path) ? failure(500, 'InternalError') : passing,
    },
    ...['--chapter', 'read,list', '--grep', 'configmaps'],
  );
  expect(code).toBe(1);
  const named =
    /\d+ cases blocked by one prerequisite: create namespace kac-main: POST \/api\/v1\/namespaces answered 500/;
  expect(stdout).toMatch(new RegExp(`^not conformant; ${named.source}`, 'm'));
  expect(readFileSync(join(output, 'summary.md'), 'utf8').slice(0, 200)).toMatch(named);
});

it('says what came instead of an object', async () => {
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
  const { stdout } = await ran(
    { reply: (reply, { method, path }) => (method === 'GET' && /\/configmaps(\?|$)/.test(path) ? page : reply) },
    ...['--chapter', 'list', '--grep', 'configmaps'],
  );
  expect(stdout).toMatch(/got 200 text\/html .*Sign in/);
  expect(stdout).not.toMatch(/\bError: |no decoder for text\/html(?!\))/);
});

it('suggests a run without parallel requests where creates of the same kinds succeed and fail', async () => {
  const creates = new Map<string, number>();
  const { stdout } = await ran(
    {
      request: (passing) => {
        const [, kind] = /\/namespaces\/[^/]+\/(\w+)$/.exec(passing.path) ?? [];
        if (passing.method !== 'POST' || kind === undefined) return passing;
        const before = creates.get(kind) ?? 0;
        creates.set(kind, before + 1);
        return before % 2 === 1 ? failure(500, 'InternalError') : passing;
      },
    },
    ...['--chapter', 'read,list,replace', '--grep', '/api/v1/namespaces/{namespace}/'],
  );
  expect(stdout).toMatch(/the target may not bear parallel requests; --workers 1 --concurrency 1/);
});
