// Tests instances of containers: attach, exec, terminals, signals.
import { beforeEach, describe, expect, test } from 'vitest';
import { FileSystem } from '../kernel/fileSystem.js';
import { inputOf, type Output, pipe } from '../kernel/streams.js';
import { Tty } from '../kernel/tty.js';
import { entrypointOf } from '../programs/images/index.js';
import { exec } from './exec.js';
import { Instance, type InstanceSettings } from './instance.js';

const never = new AbortController().signal;

function start(script: string, more: Partial<InstanceSettings> = {}): Instance {
  const settings = {
    entrypoint: entrypointOf('busybox', ['sh', '-c', script], []),
    environment: new Map([['NAME', 'value']]),
    directory: '/tmp',
    stdin: false,
    stdinOnce: false,
    tty: false,
    container: { files: new FileSystem(), hostname: 'pod-1', ports: [], listen: () => {}, onRequest: () => {} },
  };
  return new Instance({ ...settings, ...more });
}

/** An output that records its content. */
class Kept implements Output {
  text = '';
  write = async (chunk: Buffer): Promise<void> => {
    this.text += chunk.toString();
  };
}

async function logOf(instance: Instance, follow = false): Promise<string> {
  let text = '';
  for await (const chunk of instance.log.read({ follow }, never)) text += chunk;
  return text;
}

let [stdout, stderr]: Kept[] = [];
beforeEach(() => {
  [stdout, stderr] = [new Kept(), new Kept()];
});
const streams = (stdin?: Parameters<Instance['attach']>[0]['stdin']) => ({
  stdin,
  stdout: stdout as Kept,
  stderr: stderr as Kept,
});

describe('an instance', () => {
  test('runs to its end, and logs its output', async () => {
    const instance = start('echo out; echo err >&2; echo $NAME; pwd; exit 3');
    expect(await instance.ended).toBe(3);
    expect(instance.exitCode).toBe(3);
    expect(await logOf(instance)).toBe('out\nerr\nvalue\n/tmp\n');
    expect(instance.id).toMatch(/^simulated:\/\/[0-9a-f]{64}$/);
  });

  test('of a program that does not exist ends at once', async () => {
    const instance = start('', { entrypoint: entrypointOf('busybox', ['nosuch'], []) });
    expect(await instance.ended).toBe(128);
    expect(instance.startError).toContain('"nosuch": executable file not found');
  });

  test.each([
    ['sleep 1000', 'terminate', 143],
    ['sleep 1000', 'kill', 137],
    ["trap '' TERM; echo up; read x", 'kill', 137],
  ] as const)('ends by a signal: %s, %s', async (script, how, code) => {
    const instance = start(script, { stdin: true });
    if (script.includes('trap')) {
      await expect.poll(() => logOf(instance)).toBe('up\n');
      instance.terminate();
      expect(instance.signal.aborted).toBe(false);
    }
    instance[how]();
    expect(await instance.ended).toBe(code);
  });
});

describe('attaching', () => {
  test('a client that does not read delays neither the program nor other clients', async () => {
    const keyboard = pipe();
    const instance = start('read x; for i in 1 2 3; do printf "%s" $i; done; read x', { stdin: true });
    const deaf: Output = { write: () => new Promise(() => {}) };
    const first = instance.attach({ stdin: undefined, stdout: deaf, stderr: deaf }, never);
    const second = instance.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('go\n'));
    await expect.poll(() => stdout?.text).toBe('123');
    await keyboard.output.write(Buffer.from('go\n'));
    expect([await instance.ended, await second, await first]).toEqual([0, true, false]);
  });

  test('of a client with too much unread output ends; the others get all output', async () => {
    const keyboard = pipe();
    const instance = start('read x; seq 1 400000; read x', { stdin: true });
    const deaf: Output = { write: () => new Promise(() => {}) };
    const first = instance.attach({ stdin: undefined, stdout: deaf, stderr: deaf }, never);
    const second = instance.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('go\n'));
    expect(await first).toBe(false);
    await expect.poll(() => stdout?.text.endsWith('\n400000\n')).toBe(true);
    await keyboard.output.write(Buffer.from('go\n'));
    expect([await instance.ended, await second]).toEqual([0, true]);
  });

  test('connects the streams until the program ends; earlier output is in the log only', async () => {
    const instance = start('echo before; while read line; do echo "got $line"; echo e >&2; done', {
      stdin: true,
      stdinOnce: true,
    });
    await expect.poll(() => logOf(instance)).toBe('before\n');
    await instance.attach(streams(inputOf(Buffer.from('a\nb\n'))), never);
    expect([stdout?.text, stderr?.text]).toEqual(['got a\ngot b\n', 'e\ne\n']);
    expect(await logOf(instance)).toBe('before\ngot a\ne\ngot b\ne\n');
  });

  test('several clients attach; the program goes on when one leaves', async () => {
    const instance = start('read x; echo "got $x"', { stdin: true });
    const leaves = new AbortController();
    const first = instance.attach(streams(), leaves.signal);
    const other = new Kept();
    const second = instance.attach({ stdin: undefined, stdout: other, stderr: other }, never);
    leaves.abort();
    await first;
    const keyboard = pipe();
    const third = instance.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('on\n'));
    await Promise.all([second, third]);
    expect([other.text, stdout?.text]).toEqual(['got on\n', 'got on\n']);
  });

  test('a terminal echoes, edits lines, and interrupts', async () => {
    const instance = start('while read x; do echo "<$x>"; done; sleep 1000', { stdin: true, tty: true });
    const keyboard = pipe();
    const attached = instance.attach(streams(keyboard.input), never);
    await keyboard.output.write(Buffer.from('ax\x7fb\r'));
    await expect.poll(() => stdout?.text).toBe('ax\b \bb\r\n<ab>\r\n');
    await keyboard.output.write(Buffer.from('more\x03'));
    await attached;
    expect(await instance.ended).toBe(130);
    expect(await logOf(instance)).toBe('ax\b \bb\r\n<ab>\r\nmore^C\r\n');
  });

  test('Ctrl-D on an empty line ends the input', async () => {
    const instance = start('cat; echo done', { stdin: true, tty: true });
    await instance.attach(streams(inputOf(Buffer.from('ab\x04\x04'))), never);
    expect(stdout?.text).toBe('ababdone\r\n');
  });
});

test.each([true, false])('its program sees the size of the terminal, if there is one: %s', async (tty) => {
  const instance = start('stty size', { tty });
  instance.tty?.resize(80, 24);
  await instance.ended;
  expect(await logOf(instance)).toBe(tty ? '24 80\r\n' : 'stty: standard input: Not a tty\n');
});

describe('exec', () => {
  const argv = (script: string) => ['sh', '-c', script];

  test('runs a program with the files and environment of the container', async () => {
    const instance = start('echo from main > /tmp/f; sleep 1000');
    await expect.poll(() => instance.container.files.lookup('/tmp/f')).toBeDefined();
    const wanted = { argv: argv('cat f; echo $NAME; cat; echo e >&2; exit 7') };
    const code = await exec(instance, { ...wanted, ...streams(inputOf(Buffer.from('in\n'))) }, never);
    expect([code, stdout?.text, stderr?.text]).toEqual([7, 'from main\nvalue\nin\n', 'e\n']);
    expect(await logOf(instance)).toBe('');
    instance.kill();
  });

  test('rejects for a program that does not exist', async () => {
    const instance = start('sleep 1000');
    const running = exec(instance, { argv: ['nosuch'], ...streams() }, never);
    await expect(running).rejects.toThrow('exec: "nosuch": executable file not found in $PATH');
    instance.kill();
  });

  test('ends with the client, and with the container', async () => {
    const instance = start('sleep 1000');
    const client = new AbortController();
    const one = exec(instance, { argv: argv('sleep 1000'), ...streams() }, client.signal);
    const two = exec(instance, { argv: argv('while :; do :; done'), ...streams() }, never);
    client.abort();
    expect(await one).toBe(137);
    instance.kill();
    expect(await two).toBe(137);
  });

  test('has one output with a terminal', async () => {
    const instance = start('sleep 1000');
    const wanted = { argv: argv('echo hi; echo oops >&2; exit 4'), tty: new Tty() };
    expect(await exec(instance, { ...wanted, ...streams() }, never)).toBe(4);
    expect(stdout?.text).toBe('hi\r\noops\r\n');
    expect(stderr?.text).toBe('');
    instance.kill();
  });
});
