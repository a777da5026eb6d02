// Tests exec and port-forward with real kubectl clients.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RemoteProgram, type StreamServer, startStreamServer } from '../testing/streamServer.js';

// The clients are the paths in KUBECTL, separated by colons, or the kubectl on the PATH.
const named = (process.env.KUBECTL ?? 'kubectl').split(':');
const clients = named.filter((command) => starts(command, ['version', '--client']));
/** Runs a command on a terminal. */
const recorder = 'script';
const terminal = starts(recorder, ['--version']);

function starts(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const aborted: string[] = [];
const program: RemoteProgram =
  ([name, argument]) =>
  async ({ stdin, stdout, stderr, resize }, signal) => {
    if (name === 'exit') return { exitCode: Number(argument) };
    if (name === 'fail') return { error: 'no such file or directory' };
    if (name === 'both') {
      stdout.write('to stdout\n');
      stderr.write('to stderr\n');
    }
    if (name === 'cat' && stdin !== undefined) await pipeline(stdin, stdout);
    if (name === 'sizes')
      for await (const { width, height } of resize) {
        stdout.write(`${width}x${height}\r\n`);
        return { exitCode: 0 };
      }
    if (name === 'wait') {
      // A kubectl that made its streams late has lost the first words.
      const again = setInterval(() => stdout.write('waiting\n'), 1_000);
      stdout.write('waiting\n');
      await once(signal, 'abort');
      clearInterval(again);
      aborted.push(argument ?? '');
    }
    return { exitCode: 0 };
  };

let echo: Server;
let server: StreamServer;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'kubectl-'));
  echo = createServer({ allowHalfOpen: true }, (socket) => void pipeline(socket, socket).catch(() => {}));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  server = await startStreamServer({ program, dial: dialEcho });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  echo.close();
  rmSync(home, { recursive: true, force: true });
});

/** Connects to port 80 of the pod, an echo server. Other ports refuse connections. */
async function dialEcho(port: number) {
  if (port !== 80) throw new Error(`connection to port ${port} refused`);
  const socket = connect((echo.address() as { port: number }).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function start(command: string, ...args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(command, ['--server', `http://127.0.0.1:${server.port}`, ...args], {
    env: { PATH: process.env.PATH, HOME: home, KUBECONFIG: '/dev/null' },
  });
  child.stdin.on('error', () => {});
  return child;
}

async function run(command: string, args: readonly string[], input: Buffer | string = '') {
  const child = start(command, ...args);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr: stderr.toString(), code: code as number };
}

const digest = (bytes: Buffer) => `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;

/** Reads until the text has arrived. */
async function until(stream: Readable, pattern: RegExp): Promise<RegExpExecArray> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  throw new Error(`ended without ${pattern}: ${text}`);
}

describe.skipIf(clients.length === 0).each(clients.length === 0 ? named : clients)(
  '%s (skipped where none starts)',
  (kubectl) => {
    it.each([0, 1, 7, 255])('exits with the %i of the command', async (code) => {
      expect((await run(kubectl, ['exec', 'web', '--', 'exit', `${code}`])).code).toBe(code);
    });

    it('uses the protocol of its release, without a fallback', async () => {
      const release = JSON.parse(execFileSync(kubectl, ['version', '--client', '-o', 'json'], { encoding: 'utf8' }));
      const minor = Number.parseInt(release.clientVersion.minor, 10);
      const since = (first: number) => (minor >= first ? 'websocket' : 'SPDY/3.1');
      const before = server.upgrades.length;
      await run(kubectl, ['exec', 'web', '--', 'both']);
      const child = start(kubectl, 'port-forward', 'web', ':80');
      await until(child.stdout, /127\.0\.0\.1:(\d+) ->/);
      child.kill();
      await once(child, 'close');
      expect(server.upgrades.slice(before)).toEqual([since(30), since(31)]);
    });

    it('keeps the outputs apart', async () => {
      const { stdout, stderr, code } = await run(kubectl, ['exec', 'web', '--', 'both']);
      expect([stdout.toString(), stderr, code]).toEqual(['to stdout\n', 'to stderr\n', 0]);
    });

    it('shows why a command did not run', async () => {
      const { stderr, code } = await run(kubectl, ['exec', 'web', '--', 'fail']);
      expect([stderr, code]).toEqual([expect.stringContaining('no such file or directory'), 1]);
    });

    it('carries 3 MB of stdin in both directions', async () => {
      const bytes = randomBytes(3_000_000);
      const { stdout, code } = await run(kubectl, ['exec', '-i', 'web', '--', 'cat'], bytes);
      expect([digest(stdout), code]).toEqual([digest(bytes), 0]);
    });

    it('gets the exit code of a command that does not read its 3 MB of stdin', async () => {
      expect((await run(kubectl, ['exec', '-i', 'web', '--', 'exit', '7'], Buffer.alloc(3_000_000))).code).toBe(7);
    });

    it('aborts the command when it dies', async () => {
      const child = start(kubectl, 'exec', 'web', '--', 'wait', kubectl);
      await until(child.stdout, /waiting/);
      child.kill('SIGKILL');
      await expect.poll(() => aborted).toContain(kubectl);
    });

    it.skipIf(!terminal)('tells the size of its terminal (skipped without script)', async () => {
      const line = `stty cols 97 rows 31; ${kubectl} --server http://127.0.0.1:${server.port} exec -it web -- sizes`;
      const child = spawn(recorder, ['-qec', line, '/dev/null'], {
        env: { PATH: process.env.PATH, HOME: home, KUBECONFIG: '/dev/null', TERM: 'xterm', SHELL: '/bin/sh' },
      });
      await until(child.stdout, /97x31/);
      child.stdin.end();
      await once(child, 'close');
    });

    it('forwards a port, connection after connection', async () => {
      const child = start(kubectl, 'port-forward', 'web', ':80');
      const [, port] = await until(child.stdout, /127\.0\.0\.1:(\d+) ->/);
      for (const size of [1, 100_000, 3_000_000]) {
        const bytes = randomBytes(size);
        const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
        socket.end(bytes);
        expect(digest(await buffer(socket))).toBe(digest(bytes));
      }
      child.kill();
      await once(child, 'close');
    });

    it('shows which port of the pod refuses', async () => {
      const child = start(kubectl, 'port-forward', 'web', ':81');
      const [, port] = await until(child.stdout, /127\.0\.0\.1:(\d+) ->/);
      const errorShown = until(child.stderr, /error forwarding port 81: connection to port 81 refused/);
      const socket = connect(Number(port), '127.0.0.1');
      expect((await buffer(socket)).length).toBe(0);
      await errorShown;
      child.kill();
      await once(child, 'close');
    });
  },
);
