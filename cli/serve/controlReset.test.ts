// `POST /reset` of the control port: the state after the start has the simulated nodes.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Serving, startServing } from '../testing/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'control-reset-'));
const file = join(folder, 'control.json');
let serving: Serving;
beforeAll(async () => {
  serving = await startServing('--nodes', '2', '--control-port', '0', '--write-control', file);
});
afterAll(async () => {
  await serving.stop();
  rmSync(folder, { recursive: true, force: true });
});

const nodes = async (): Promise<string[]> => {
  const { json } = await serving.cluster.call('GET', '/api/v1/nodes');
  return json.items.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid);
};

it('keeps the nodes, and pods run at once', async () => {
  const before = await nodes();
  expect(before).toHaveLength(2);
  const { url, token } = JSON.parse(readFileSync(file, 'utf8')) as { readonly url: string; readonly token: string };
  const reset = await fetch(`${url}/reset`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  expect(reset.status).toBe(200);
  expect(await nodes()).toEqual(before);
  const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] };
  await serving.cluster.untilPhase(await serving.cluster.createPod('one', spec), 'Succeeded');
});
