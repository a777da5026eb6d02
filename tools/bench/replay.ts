// The limit of a run: the requests of its evidence, sent one after the other by two bare clients to a fresh server.
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { Pool } from 'undici';
import { LineSequence } from '../../suites/client/streams/sequences.js';
import type { EvidenceLine, Exchange } from '../../suites/requirements/index.js';
import { cpuMicroseconds } from './figures.js';
import { startReference } from './subject.js';

/** As many as a run has workers. */
const clients = 2;

/**
 * Sends the requests of a compressed file of evidence again, with one token instead of their credentials, and returns the figures
 * as text. Streams end with their head, upgrades are left out. Objects have other versions than in the run, and long
 * bodies are cut in the evidence, so some writes are refused here.
 */
export async function replay(evidence: string): Promise<string> {
  const requests = await requestsOf(evidence);
  const server = await startReference();
  const pool = new Pool(server.url, { connections: clients, connect: { ca: server.ca } });
  const before = { wall: performance.now(), client: process.cpuUsage(), server: cpuMicroseconds(server.pids) };
  const rest = requests.values();
  const send = async (): Promise<void> => {
    for (const exchange of rest) await sendAgain(pool, exchange, server.token).catch(() => undefined);
  };
  await Promise.all(Array.from({ length: clients }, send));
  const { user, system } = process.cpuUsage(before.client);
  const figures = [
    ['wall', performance.now() - before.wall],
    ['client', (user + system) / 1000],
    ['server', (cpuMicroseconds(server.pids) - before.server) / 1000],
  ] as const;
  await pool.destroy();
  await server.stop();
  const lines = figures.map(([name, figure]) => `${name.padEnd(14)}${(figure / 1000).toFixed(1).padStart(8)}\n`);
  return `the same ${requests.length} requests alone, CPU of the client and of the server\n${lines.join('')}`;
}

async function requestsOf(evidence: string): Promise<Exchange[]> {
  const requests: Exchange[] = [];
  const lines = new LineSequence();
  for await (const chunk of createReadStream(evidence).pipe(createGunzip())) {
    for (const { bytes } of lines.push(chunk)) {
      const line = JSON.parse(bytes.toString()) as EvidenceLine;
      if (line.type === 'exchange' && line.frames === undefined) requests.push(line);
    }
  }
  return requests;
}

async function sendAgain(pool: Pool, { request, events }: Exchange, token: string): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  const { text, base64 } = request.body ?? {};
  const headers = Object.fromEntries(request.headers.filter(([name]) => !/^(authorization|upgrade)$/i.test(name)));
  const { body } = await pool.request({
    method: request.method as 'GET',
    path,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: base64 === undefined ? (text ?? null) : Buffer.from(base64, 'base64'),
    headersTimeout: 2_000,
    bodyTimeout: 2_000,
  });
  if (events === undefined && !isStream(path)) await body.dump();
  else body.on('error', () => undefined).destroy();
}

/** Reports whether a response may go on without a byte: a watch, or a log that is followed. */
const isStream = (path: string): boolean => /\/watch\/|[?&](?:watch|follow)=/.test(path);
