// Tests containers: attach, exec, terminals, signals.
import { beforeEach, describe, expect, test } from 'vitest';
import { FileSystem } from '../kernel/fileSystem.js';
import { makePipe, type Output } from '../kernel/streams.js';
import { Tty } from '../kernel/tty.js';
import { entrypointOf } from '../programs/images.js';
import { inputOf } from '../testing/container.js';
import { type ClientStreams, Container, type ContainerConfig } from './container.js';

const never = new AbortController().signal;

function start(script: string, more: Partial<ContainerConfig> = {}): Container {
  const settings = {
    entrypoint: entrypointOf('busybox', ['sh', '-c', script], []),
    environment: new Map([['NAME', 'value']]),
    directory: '/tmp',
    stdin: false,
    stdinOnce: false,
    tty: false,
    sandbox: {
      files: new FileSystem(),
      hostname: 'pod-1',
      user: { uid: 0, gid: 0, groups: [0], mayEscalate: true, isPrivileged: false },
      programOfImage: () => undefined,
      ports: [],
      listen: () => {},
      connect: () => Promise.reject(new Error('refused')),
      lookUp: async () => undefined,
      onRequest: () => {},
    },
  };
  return new Container({ ...settings, ...more });
}

/** An output that records its content. */
class Kept implements Output {
  text = '';
  write = async (chunk: Buffer): Promise<void> => {
    this.text += chunk.toString();
  };
}

async function logOf(container: Container, follow = false): Promise<string> {
  let text = '';
  for await (const chunk of container.log.read({ follow }, never)) text += chunk;
  return text;
}

let [stdout, stderr]: Kept[] = [];
beforeEach(() => {
  [stdout, stderr] = [new Kept(), new Kept()];
});
const streams = (stdin?: ClientStreams['stdin']) => ({
  stdin,
  stdout: stdout as Kept,
  stderr: stderr as Kept,
});

describe('a container', () => {
  test('runs to its end, and logs its output', async () => {
    const container = start('echo out; echo err >&2; echo $NAME; pwd; exit 3');
    expect(await container.ended).toBe(3);
    expect(container.exitCode).toBe(3);
    expect(await logOf(container)).toBe('out\nerr\nvalue\n/tmp\n');
    expect(container.id).toMatch(/^simulated:\/\/[0-9a-f]{64}$/);
  });

  test('of a program that does not exist ends at once', async () => {
    const container = start('', { entrypoint: entrypointOf('busybox', ['nosuch'], []) });
    expect(await container.ended).toBe(128);
    expect(container.startError).toContain('"nosuch": executable file not found');
  });

  test.each([
    ['sleep 1000', 'terminate', 143],
    ['sleep 1000', 'kill', 137],
    ["trap '' TERM; echo up; read x", 'kill', 137],
  ] as const)('ends by a signal: %s, %s', async (script, how, code) => {
    const container = start(script, { stdin: true });
    if (script.includes('trap')) {
      await expect.poll(() => logOf(container)).toBe('up\n');
      container.terminate();
      expect(container.signal.aborted).toBe(false);
    }
    container[how]();
    expect(await container.ended).toBe(code);
  });
});

describe('attaching', () => {
  test('a client that does not read delays neither the program nor other clients', async () => {
    const keyboard = makePipe();
    const container = start('read x; for i in 1 2 3; do printf "%s" $i; done; read x', { stdin: true });
    const deaf: Output = { write: () => new Promise(() => {}) };
    const first = container.attach({ stdin: undefined, stdout: deaf, stderr: deaf }, never);
    const second = container.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('go\n'));
    await expect.poll(() => stdout?.text).toBe('123');
    await keyboard.output.write(Buffer.from('go\n'));
    expect([await container.ended, await second, await first]).toEqual([0, true, false]);
  });

  test('of a client with too much unread output ends; the others get all output', async () => {
    const keyboard = makePipe();
    const container = start('read x; seq 1 400000; read x', { stdin: true });
    const deaf: Output = { write: () => new Promise(() => {}) };
    const first = container.attach({ stdin: undefined, stdout: deaf, stderr: deaf }, never);
    const second = container.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('go\n'));
    expect(await first).toBe(false);
    await expect.poll(() => stdout?.text.endsWith('\n400000\n')).toBe(true);
    await keyboard.output.write(Buffer.from('go\n'));
    expect([await container.ended, await second]).toEqual([0, true]);
  });

  test('connects the streams until the program ends; earlier output is in the log only', async () => {
    const container = start('echo before; while read line; do echo "got $line"; echo e >&2; done', {
      stdin: true,
      stdinOnce: true,
    });
    await expect.poll(() => logOf(container)).toBe('before\n');
    await container.attach(streams(inputOf(Buffer.from('a\nb\n'))), never);
    expect([stdout?.text, stderr?.text]).toEqual(['got a\ngot b\n', 'e\ne\n']);
    expect(await logOf(container)).toBe('before\ngot a\ne\ngot b\ne\n');
  });

  test('several clients attach; the program goes on when one leaves', async () => {
    const container = start('read x; echo "got $x"', { stdin: true });
    const leaves = new AbortController();
    const first = container.attach(streams(), leaves.signal);
    const other = new Kept();
    const second = container.attach({ stdin: undefined, stdout: other, stderr: other }, never);
    leaves.abort();
    await first;
    const keyboard = makePipe();
    const third = container.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('on\n'));
    await Promise.all([second, third]);
    expect([other.text, stdout?.text]).toEqual(['got on\n', 'got on\n']);
  });

  test('a terminal echoes, edits lines, and interrupts', async () => {
    const container = start('while read x; do echo "<$x>"; done; sleep 1000', { stdin: true, tty: true });
    const keyboard = makePipe();
    const attached = container.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('ax\x7fb\r'));
    await expect.poll(() => stdout?.text).toBe('ax\b \bb\r\n<ab>\r\n');
    await keyboard.output.write(Buffer.from('more\x03'));
    await attached;
    expect(await container.ended).toBe(130);
    expect(await logOf(container)).toBe('ax\b \bb\r\n<ab>\r\nmore^C\r\n');
  });

  test('Ctrl-D on an empty line ends the input', async () => {
    const container = start('cat; echo done', { stdin: true, tty: true });
    await container.attach(streams(inputOf(Buffer.from('ab\x04\x04'))), never);
    expect(stdout?.text).toBe('ababdone\r\n');
  });
});

test.each([true, false])('its program sees the size of the terminal, if there is one: %s', async (tty) => {
  const container = start('stty size', { tty });
  container.tty?.resize(80, 24);
  await container.ended;
  expect(await logOf(container)).toBe(tty ? '24 80\r\n' : 'stty: standard input: Not a tty\n');
});

describe('exec', () => {
  const argv = (script: string) => ['sh', '-c', script];

  test('runs a program with the files and environment of the container', async () => {
    const container = start('echo from main > /tmp/f; sleep 1000');
    await expect.poll(() => container.sandbox.files.find('/tmp/f')).toBeDefined();
    const command = argv('cat f; echo $NAME; cat; echo e >&2; exit 7');
    const code = await container.exec(command, streams(inputOf(Buffer.from('in\n'))), undefined, never);
    expect([code, stdout?.text, stderr?.text]).toEqual([7, 'from main\nvalue\nin\n', 'e\n']);
    expect(await logOf(container)).toBe('');
    container.kill();
  });

  test('rejects for a program that does not exist', async () => {
    const container = start('sleep 1000');
    const running = container.exec(['nosuch'], streams(), undefined, never);
    await expect(running).rejects.toThrow('exec: "nosuch": executable file not found in $PATH');
    container.kill();
  });

  test('ends with the client, and with the container', async () => {
    const container = start('sleep 1000');
    const client = new AbortController();
    const one = container.exec(argv('sleep 1000'), streams(), undefined, client.signal);
    const two = container.exec(argv('while true; do true; done'), streams(), undefined, never);
    client.abort();
    expect(await one).toBe(137);
    container.kill();
    expect(await two).toBe(137);
  });

  test('has one output with a terminal', async () => {
    const container = start('sleep 1000');
    const command = argv('echo hi; echo oops >&2; exit 4');
    expect(await container.exec(command, streams(), new Tty(), never)).toBe(4);
    expect(stdout?.text).toBe('hi\r\noops\r\n');
    expect(stderr?.text).toBe('');
    container.kill();
  });
});
