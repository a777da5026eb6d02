// A run of the suite on a server that responds late: how long it takes, and how right its estimates are.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main } from '../suites/testing/referenceServer.js';
import { type ChosenFlags, chosenOf } from './chosenCases.js';
import { startReference } from './subject.js';

export interface SlowFlags extends ChosenFlags {
  readonly delay: string;
}

/** Runs the suite on the reference server behind a relay that delays every response. Returns the figures as text. */
export async function measureSlowRun({ delay, ...flags }: SlowFlags): Promise<string> {
  const server = await startReference();
  const relay = await startRelay(Number(new URL(server.url).port), Number(delay));
  const output = mkdtempSync(join(tmpdir(), 'bench-slow-'));
  try {
    const [ca, token] = [join(output, 'ca.crt'), join(output, 'token')];
    writeFileSync(ca, server.ca);
    writeFileSync(token, server.token, { mode: 0o600 });
    const url = `https://127.0.0.1:${(relay.address() as AddressInfo).port}`;
    const reach = ['--url', url, '--ca', ca, '--token-file', token, '--disposable'];
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [main, 'run', ...reach, '--output', join(output, 'report'), ...chosenOf(flags)],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const exit = once(child, 'exit');
    const estimates: { readonly at: number; readonly left: number }[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      const left = /, ([\d:]+) left/.exec(line)?.[1];
      if (left !== undefined) estimates.push({ at: secondsSince(started), left: seconds(left) });
    }
    await exit;
    const all = secondsSince(started);
    const rows = estimates.map(({ at, left }) => {
      const error = Math.round((100 * (at + left - all)) / all);
      return `${at.toFixed(0).padStart(6)} s: ${left.toFixed(0).padStart(6)} s left, so ${error} % off in all\n`;
    });
    return `${rows.join('')}${all.toFixed(0).padStart(6)} s: the end\n`;
  } finally {
    relay.close();
    await server.stop();
    rmSync(output, { recursive: true });
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;
const seconds = (clock: string): number => clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

/** Listens on a free port, and passes everything on; what comes back is delayed by so many milliseconds. */
async function startRelay(port: number, delay: number): Promise<Server> {
  const relay = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    const late = (act: () => void): void => {
      setTimeout(act, delay);
    };
    client.pipe(server);
    server.on('data', (bytes: Buffer) => late(() => client.write(bytes)));
    server.on('end', () => late(() => client.end()));
    const destroy = (one: Socket, other: Socket): void => {
      one.on('error', () => other.destroy()).on('close', () => late(() => other.destroy()));
    };
    destroy(client, server);
    destroy(server, client);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return relay;
}
