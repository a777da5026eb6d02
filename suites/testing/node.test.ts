// The node that runs the pods of a run: the suite's own, a node of the target, or none.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at, itemsOf } from '../client/json.js';
import { Client } from '../index.js';
import { bareTarget } from './bareTarget.js';
import { evidenceText } from './evidenceText.js';
import { main, type Running, startReferenceServer } from './referenceServer.js';

let folder: string;
let egressSocket: string;
let bare: Running;
let withNode: Running;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'run-node-'));
  egressSocket = join(folder, 'egress.sock');
  bare = await startReferenceServer(['--egress-proxy', egressSocket]);
  withNode = await startReferenceServer(['--nodes', '1']);
});
afterAll(async () => {
  await bare.stop();
  await withNode.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the cases whose id contains the text. Returns the outcome and the header of the evidence. */
async function run(server: Running, grep: string, ...options: readonly string[]) {
  const output = mkdtempSync(join(folder, 'report-'));
  const reach = ['--url', server.url, '--ca', server.caFile, '--token', server.token];
  const [code, stdout, stderr] = await new Promise<[number, string, string]>((resolve) => {
    const args = [main, 'run', ...reach, '--grep', grep, '--output', output, ...options];
    execFile(process.execPath, args, (error, out, err) => resolve([error === null ? 0 : Number(error.code), out, err]));
  });
  const header = () => JSON.parse(evidenceText(output).split('\n')[0] ?? '');
  return { code, stdout, stderr, header };
}

const clientOf = ({ url, ca, token }: Running): Client =>
  new Client(bareTarget(url, { ca, credentials: { staticToken: { token } } }));

async function nodesOf(server: Running): Promise<number> {
  const client = clientOf(server);
  const reply = await client.send({ method: 'GET', path: '/api/v1/nodes' });
  await client.close();
  return itemsOf(reply.value()).length;
}

// each test starts runners, which are slow on a busy machine
it('simulates a node, and removes it', async () => {
  const { stdout, header } = await run(bare, 'log.query-forwarded', '--egress-socket', egressSocket);
  expect(stdout).toMatch(/^cases: [1-9]\d* passed, 0 failed, 0 blocked, 0 known deviations, 0 not supported, /m);
  expect(header().nodes).toBe('ours');
  expect(await nodesOf(bare)).toBe(0);
});

it('skips the cases of nodes without a node', async () => {
  const { stdout, header } = await run(bare, 'log.previous');
  expect(stdout).toMatch(/no node runs pods here; run --egress-socket .*\n/);
  expect(stdout).toContain('cases: 0 passed, 0 failed, 0 blocked, 0 known deviations, 5 not supported');
  expect(header().nodes).toBe('none');
});

it("uses the target's own nodes, and skips cases that are not observable there", async () => {
  const { stdout, header } = await run(withNode, 'log.previous');
  expect(stdout).toContain('cases: 5 passed, 0 failed');
  expect(header().nodes).toBe('theirs');
  expect((await run(withNode, 'log.query-forwarded')).stdout).toContain('what reaches them cannot be seen');
  const unscheduled = await run(withNode, 'log.unscheduled');
  expect(unscheduled.stdout).toContain('cases: 4 passed, 0 failed');
  expect(await nodesOf(withNode)).toBe(1);
});

it('skips the cases of pods where others have filled the nodes', async () => {
  const client = clientOf(withNode);
  const path = '/api/v1/namespaces/default/pods';
  const fillers = Array.from({ length: 110 }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `filler-${index}` } },
    spec: { containers: [{ name: 'c', image: 'pause' }] },
  }));
  for (const pod of fillers) await client.send({ method: 'POST', path, body: JSON.stringify(pod) });
  const running = async () => {
    const found = itemsOf((await client.send({ method: 'GET', path })).value());
    return found.filter((pod) => at(pod, 'status', 'phase') === 'Running').length;
  };
  await expect.poll(running, { interval: 500 }).toBe(110);
  const { code, stdout } = await run(withNode, 'log.previous');
  expect(stdout).toContain(
    "the nodes have no room for a pod: node-1: Pod was rejected: Node didn't have enough resource",
  );
  expect(stdout).toContain('cases: 0 passed, 0 failed, 0 blocked, 0 known deviations, 0 not supported, 5 skipped');
  expect(code).toBe(2);
  await client.close();
});

it('says on one line that the socket cannot be used', async () => {
  const file = join(folder, 'taken');
  writeFileSync(file, '');
  const { code, stderr } = await run(bare, 'log.pretty', '--egress-socket', file);
  expect([code, stderr]).toEqual([2, `the simulated node: ${file} is there already, and is not a socket\n`]);
});
