// The suite waits for a target that restarts, names the request that ended it, and runs all other cases.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeTestFixtures } from '../../../cli/testing/testFixtures.js';
import { freePort } from '../../../matrix/api/freePort.js';
import { readEvidence } from '../../../reports/index.js';
import { main } from '../referenceServer.js';
import { callHeard } from '../runCommand.js';

let folder: string;
let close = (): void => undefined;

const token = 'mortal-token';
const files = { 'tls-cert-file': 'server.crt', 'tls-private-key-file': 'server.key', 'root-ca-file': 'ca.crt' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restarts-'));
  await writeTestFixtures(folder);
  writeFileSync(join(folder, 'token.csv'), `${token},admin,1,"system:masters"\n`);
});
afterEach(() => close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server that crashes on a request; with `again`, restarts it after each crash, when a run has said so. */
async function start(crashOn: string, again: boolean, ...more: readonly string[]) {
  const port = await freePort();
  let [deaths, told] = [0, 0];
  let child: ChildProcess | undefined;
  const flags = Object.entries({ ...files, 'token-auth-file': 'token.csv' }).map(
    ([flag, file]) => `--${flag}=${join(folder, file)}`,
  );
  const begin = (): void => {
    const options = ['--nodes', '0', '--port', String(port), '--crash-on', crashOn, ...flags, ...more];
    child = spawn(process.execPath, [main, 'serve', ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.once('exit', () => {
      deaths += 1;
      restart();
    });
  };
  // The end of the process and what the run says of it come in any order.
  const restart = (): void => {
    if (again && told >= deaths && child?.exitCode !== null) begin();
  };
  close = () => {
    told = Number.NaN;
    child?.kill('SIGTERM');
  };
  begin();
  const { stdout } = child as unknown as { readonly stdout: NodeJS.ReadableStream };
  await new Promise<void>((resolve) => {
    stdout.on('data', (said: Buffer) => said.toString().includes('serving') && resolve());
  });
  const hear = (said: string): void => {
    const saidNow = said.match(/stopped responding; the run waits/g)?.length ?? 0;
    if (saidNow === told) return;
    told = saidNow;
    restart();
  };
  return { url: `https://127.0.0.1:${port}`, deaths: () => deaths, hear };
}

async function run({ url, hear }: Awaited<ReturnType<typeof start>>, ...options: readonly string[]) {
  const output = mkdtempSync(join(folder, 'run-'));
  const reach = ['--url', url, '--ca', join(folder, 'ca.crt'), '--token', token, '--disposable'];
  const choice = ['--recovery-timeout', '400', '--grep', '/api/v1/namespaces/{namespace}/configmaps'];
  const { code, stdout, stderr } = await callHeard(hear, 'run', ...reach, ...choice, '--output', output, ...options);
  expect(existsSync(join(output, 'evidence.jsonl.gz')), stdout + stderr).toBe(true);
  const { cases, end } = await readEvidence(join(output, 'evidence.jsonl'));
  const junit = readFileSync(join(output, 'junit.xml'), 'utf8');
  const others = [...cases.values()].filter(({ verdict }) => verdict !== 'passed');
  return { code, said: stdout + stderr, passed: cases.size - others.length, others, end, junit };
}

it('a case that crashes the server each time fails, and all others run', async () => {
  const server = await start('DELETE /api/v1/namespaces/*/configmaps', true);
  const { code, said, passed, others, end, junit } = await run(server, '--chapter', 'create,read,deleteCollection');
  const died = [...new Set(others.map(({ verdict, subject }) => `${verdict} ${subject}`))];
  expect(died.sort(), JSON.stringify({ others, outages: end?.outages }, undefined, 1)).toEqual([
    'failed DELETE /api/v1/namespaces/{namespace}/configmaps',
    'failed DELETE /api/v1/namespaces/{namespace}/configmaps, 505 objects',
  ]);
  for (const { message } of others)
    expect(message).toMatch(/stopped responding after this request, twice: DELETE \/api\/v1\/\S+\/configmaps/);
  expect(passed).toBeGreaterThan(3);
  // The first crash may end several cases that send the request. Then each of them crashes the server alone.
  expect(server.deaths()).toBeGreaterThan(1);
  expect(end?.outages).toHaveLength(server.deaths());
  expect(said).toMatch(/stopped responding; the run waits up to 400 s for it to recover/);
  expect(junit).toContain('the target was gone for');
  expect(code).toBe(1);
});

it('a case that crashes the server once is named, and the run is not called conformant', async () => {
  const server = await start('PUT /api/v1/namespaces/*/configmaps/*', false, '--restart-after', '5');
  // strict: the request that stops the server may belong to a recommended case
  const { code, said, others, end } = await run(server, '--strict', '--chapter', 'create,replace');
  // if another request was pending, either one may be the cause, and neither case fails
  for (const { message } of others) expect(message).toMatch(/with no other request in flight.*: PUT \S+\/configmaps\//);
  expect(end?.outages).toHaveLength(1);
  expect(end?.outages?.[0]?.requests.join()).toMatch(/PUT \S+\/configmaps\//);
  expect(said).toMatch(/^ {2}under way: PUT \S+\/configmaps\//m);
  expect(code).toBe(others.length > 0 ? 1 : 2);
});

it('a request that crashes the server before the first case is reported', async () => {
  const server = await start('GET /apis/batch/v1', false, '--restart-after', '5');
  const { code, said, others } = await run(server, '--chapter', 'read');
  expect(said).toMatch(/^note: the target closed a connection before the first case.*: GET \/apis\/batch\/v1/m);
  expect(others).toEqual([]);
  expect(code).toBe(0);
});

it('a server that is not restarted ends the run, once for both workers', async () => {
  const server = await start('PUT /api/v1/namespaces/*/configmaps/*', false);
  const { code, said, others } = await run(server, '--chapter', 'create,replace', '--recovery-timeout', '6');
  expect(said.match(/waits up to 6 s for it to recover/g)?.length).toBe(1);
  expect(said).toMatch(/no longer responds.*start it again/);
  expect(others.filter(({ verdict }) => verdict === 'passed')).toEqual([]);
  expect(code).toBe(2);
});
