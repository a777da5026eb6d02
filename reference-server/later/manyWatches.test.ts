// Tests many watches of one collection while it is written: each gets every event once and in order. `WATCHES`, `WRITES`
// (a second) and `WATCH_SECONDS` make it larger, such as 2000, 200 and 60.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RunningServer } from '../server.js';
import { ask } from '../testing/standIn.js';
import { startFullServer } from './index.js';

const watchCount = Number(process.env.WATCHES ?? 100);
const perSecond = Number(process.env.WRITES ?? 50);
const seconds = Number(process.env.WATCH_SECONDS ?? 2);
const maps = '/api/v1/namespaces/default/configmaps';

async function openWatch(server: RunningServer, since: string): Promise<IncomingMessage> {
  const sent = request({
    ...{ port: server.port, host: '127.0.0.1', ca: server.caCertificate, agent: false },
    path: `${maps}?watch=1&resourceVersion=${since}`,
    headers: { authorization: `Bearer ${server.token}` },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  return response;
}

/** Counts the events of a watch, and says which was not the next one. */
class Counted {
  next = 0;
  wrong: string | undefined;
  #rest = '';

  constructor(readonly response: IncomingMessage) {
    response.on('data', (bytes: Buffer) => this.#read(bytes.toString('latin1')));
    response.on('error', () => {});
  }

  #read(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const isNext = line.startsWith('{"type":"ADDED"') && line.includes(`"name":"m${this.next}"`);
      if (!isNext) this.wrong ??= `expected m${this.next}, got ${line.slice(0, 200)}`;
      this.next += 1;
    }
  }
}

test(`${watchCount} watches, ${perSecond} writes a second for ${seconds} s`, async () => {
  await using server = await startFullServer();
  const watches: Counted[] = [];
  await expect.poll(async () => (await ask(server, `${maps}/kube-root-ca.crt`)).status).toBe(200);
  const { metadata } = JSON.parse((await ask(server, maps)).text);
  for (let index = 0; index < watchCount; index += 1)
    watches.push(new Counted(await openWatch(server, metadata.resourceVersion)));
  const total = perSecond * seconds;
  const began = performance.now();
  const filler = 'x'.repeat(1000);
  const memory = () => Math.round(process.memoryUsage().rss / 1e6);
  const memories = [memory()];
  for (let index = 0; index < total; index += 1) {
    const body = JSON.stringify({ metadata: { name: `m${index}` }, data: { filler } });
    expect((await ask(server, maps, { method: 'POST', body })).status).toBe(200);
    if (index % Math.ceil(total / 4) === 0) memories.push(memory());
    await sleep(Math.max(0, began + (index * 1000) / perSecond - performance.now()));
  }
  await expect.poll(() => Math.min(...watches.map(({ next }) => next))).toBeGreaterThanOrEqual(total);
  expect(watches.flatMap(({ wrong }) => wrong ?? [])).toEqual([]);
  expect(watches.filter(({ next }) => next !== total)).toEqual([]);
  for (const { response } of watches) response.destroy();
  process.stdout.write(`${total * watchCount} events in ${((performance.now() - began) / 1000).toFixed(1)} s, `);
  process.stdout.write(`the process of both sides had ${memories.join(', ')} MB\n`);
});
