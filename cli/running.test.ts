import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Duplex, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { beginningOf, commandLineOf, isRunning, processesBelow } from './running.js';

it('this process and the first one run', () => {
  expect([process.pid, 1].map(isRunning)).toEqual([true, true]);
});

it.each([0, -1, Number.NaN])('%s is no process', (pid) => expect(isRunning(pid)).toBe(false));

it.skipIf(!existsSync('/proc/self/stat'))('a later process begins later (read from /proc)', async () => {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  expect(beginningOf(child.pid ?? 0)).toBeGreaterThanOrEqual(beginningOf(process.pid) ?? Number.NaN);
  child.stdin.end();
  await ended;
  expect(beginningOf(child.pid ?? 0)).toBeUndefined();
});

it('a process that has ended does not run', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  expect(isRunning(child.pid ?? 0)).toBe(false);
});

it.skipIf(!existsSync('/proc/self/stat'))('a zombie does not run (read from /proc)', async () => {
  // A shell may notice the end of a child; sleep does not, so the child ends when the shell has become it.
  const parent = spawn('sh', ['-c', 'sh -c "read -r end" <&3 & echo $!; exec sleep 600 3<&-'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [, output, , end] = parent.stdio as [null, Readable, null, Duplex, null];
  try {
    const [line] = (await once(output, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    end.end();
    await expect.poll(() => isRunning(pid)).toBe(false);
    // The zombie still exists.
    expect(() => process.kill(pid, 0)).not.toThrow();
  } finally {
    parent.kill('SIGKILL');
  }
});

it.skipIf(!existsSync('/proc/self/stat'))('the children of a child are below a process (read from /proc)', async () => {
  const child = spawn('sh', ['-c', 'sh -c "read -r end <&3" & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [, output, , end] = child.stdio as [null, Readable, null, Duplex, null];
  const ended = once(child, 'exit');
  const [line] = (await once(output, 'data')) as [Buffer];
  const grandchild = Number(line.toString());
  expect(processesBelow(process.pid)).toEqual(expect.arrayContaining([child.pid, grandchild]));
  expect(processesBelow(child.pid ?? 0)).toEqual([grandchild]);
  await expect.poll(() => commandLineOf(grandchild)).toContain('read -r end');
  end.end();
  await ended;
  expect(processesBelow(child.pid ?? 0)).toEqual([]);
});
