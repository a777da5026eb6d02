// Tests many watches of one collection while it is written: each gets every event once and in order, and the server still
// answers. `WATCHES`, `WRITES` (a second) and `WATCH_SECONDS` make it larger, such as 2000, 200 and 60.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const watchCount = Number(process.env.WATCHES ?? 100);
const perSecond = Number(process.env.WRITES ?? 50);
const seconds = Number(process.env.WATCH_SECONDS ?? 2);
const maps = '/api/v1/namespaces/default/configmaps';
const watchers = fileURLToPath(new URL('testing/watchers.mjs', import.meta.url));
const inSeconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1);

test(`${watchCount} watches, ${perSecond} writes a second for ${seconds} s`, async () => {
  await using server = await startFullServer();
  await expect.poll(async () => (await ask(server, `${maps}/kube-root-ca.crt`)).status).toBe(200);
  const { metadata } = JSON.parse((await ask(server, maps)).text);
  const total = perSecond * seconds;
  const url = `${server.url}${maps}?watch=1&resourceVersion=${metadata.resourceVersion}`;
  const child = spawn(process.execPath, [watchers, url, String(watchCount), String(total)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TOKEN: server.token, CA: server.caCertificate },
  });
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout);
  const line = (): Promise<unknown[]> => Promise.race([once(lines, 'line'), exited]);
  expect(await line()).toEqual(['open']);
  const ended = line();
  const began = performance.now();
  const filler = 'x'.repeat(1000);
  const memory = () => Math.round(process.memoryUsage().rss / 1e6);
  const memories = [memory()];
  let slowest = 0;
  for (let index = 0; index < total; index += 1) {
    const body = JSON.stringify({ metadata: { name: `m${index}` }, data: { filler } });
    const sent = performance.now();
    expect((await ask(server, maps, { method: 'POST', body })).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - sent);
    if (index % Math.ceil(total / 4) === 0) memories.push(memory());
    await sleep(Math.max(0, began + (index * 1000) / perSecond - performance.now()));
  }
  const written = inSeconds(began);
  expect(await ended).toEqual(['[]']);
  await exited;
  process.stdout.write(`${total} writes in ${written} s, the slowest in ${slowest.toFixed(0)} ms; `);
  process.stdout.write(
    `${total * watchCount} events in ${inSeconds(began)} s; the server had ${memories.join(', ')} MB\n`,
  );
});
