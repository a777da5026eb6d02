// Tests `serve` on a store without the mark of its format, as older versions wrote it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { main, startServing } from '../testing/serving.js';

const folder = mkdtempSync(join(tmpdir(), 'unmarked-'));
afterAll(() => rmSync(folder, { recursive: true }));

const configs = '/api/v1/namespaces/default/configmaps';

it('opens a complete store with all objects, and marks it', async () => {
  const data = join(folder, 'whole');
  const options = ['--nodes', '0', '--data-dir', data];
  const first = await startServing(...options);
  expect((await first.cluster.call('POST', configs, { metadata: { name: 'kept' } })).status).toBe(200);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  await first.stop();
  rmSync(join(data, 'format'));
  const second = await startServing(...options);
  expect((await second.cluster.call('GET', `${configs}/kept`)).status).toBe(200);
  expect(existsSync(join(data, 'format'))).toBe(true);
  await second.stop();
});

it('refuses files that are not a store in one sentence, and does not change them', async () => {
  const data = join(folder, 'other');
  mkdirSync(join(data, 'store'), { recursive: true });
  writeFileSync(join(data, 'store', 'data.mdb'), 'x'.repeat(100_000));
  const options = ['serve', '--nodes', '0', '--data-dir', data];
  const child = spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said = (await child.stderr.toArray()).join('');
  if (child.exitCode === null) await once(child, 'close');
  expect([child.exitCode, said]).toEqual([2, expect.stringMatching(/^[^\n]+\n$/)]);
  expect(said).toContain(data);
  expect(existsSync(join(data, 'format'))).toBe(false);
});
