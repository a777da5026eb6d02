// Answers without end: the client gives up each in time, and a run of which a third of all answers has no end ends with a
// report and a verdict that is no success.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pace } from '../../client/backoff.js';
import { Client } from '../../client/client.js';
import { NoAnswer } from '../../client/reply.js';
import { bareTarget } from '../bareTarget.js';
import { call } from '../runCommand.js';
import { startBadServer } from './badServers.js';
import { useGoodServer } from './chosenRuns.js';
import { endlessAnswers } from './endlessAnswers.js';

const good = useGoodServer([]);
const rows = Object.values(endlessAnswers);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'endless-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.concurrent('the client gives up', () => {
  it.each(Object.entries(endlessAnswers))('%s', async (_, answer) => {
    const target = await startBadServer(answer);
    const rules = { timeout: 1_000, pace: new Pace(undefined, 1_000) };
    const client = new Client(bareTarget(target.url), undefined, rules);
    const path = '/api/v1/configmaps';
    // Some answers are whole in parts: then each part is one.
    const sent = client.send({ method: 'GET', path });
    await sent.catch((error: unknown) => expect(error).toBeInstanceOf(NoAnswer));
    const watched = client.stream({ method: 'GET', path: `${path}?watch=1` }, (stream) => stream.until(() => false));
    await watched.catch((error: unknown) => expect(error).toBeInstanceOf(NoAnswer));
    await client.close();
    await target.close();
  });
});

/** Passes requests to the good server; after some, every third answer is one without end. */
async function startEndless(spared: number): Promise<{ readonly url: string; close(): Promise<void> }> {
  let count = -spared;
  const server = createServer((incoming, outgoing) => {
    count += 1;
    const { socket } = outgoing;
    if (socket !== null && count > 0 && count % 3 === 0) {
      // Node.js has no words for such answers.
      rows[(count / 3) % rows.length]?.(socket);
      return;
    }
    const { method, headers, url } = incoming;
    const passed = request(`${good.url}${url}`, { method, headers, ca: good.ca }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers).flushHeaders();
      answer.pipe(outgoing);
      outgoing.once('close', () => answer.destroy());
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** `ENDLESS_AFTER=10,20,30` tries other numbers of answers before the first one without end. */
const after = (process.env.ENDLESS_AFTER ?? '60').split(',').map(Number);

it.each(after)('a run with answers without end after %i others', async (spared) => {
  const target = await startEndless(spared);
  const output = join(folder, String(spared));
  const choice = ['--chapter', 'read,watch', '--grep', '/configmaps', '--profile', 'smoke', '--timeout', '1'];
  const { code, stdout, stderr } = await call(
    ...['run', '--url', target.url, '--token', good.token, '--disposable', ...choice, '--output', output],
  );
  await target.close();
  expect(stderr).not.toContain('bug in');
  // Without answers before the first case there is nothing to report.
  if (spared < 60 && code === 2) return;
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^cases: \d+ passed/m)]);
  expect(existsSync(join(output, 'index.html'))).toBe(true);
  expect(readdirSync(output)).toEqual(expect.arrayContaining(['junit.xml', 'report.json', 'evidence.jsonl.gz']));
});
