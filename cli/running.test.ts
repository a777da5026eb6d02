import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { isRunning } from './running.js';

const timeout = inject('deadline') / 2;

it('this process and the first one run', () => {
  expect([process.pid, 1].map(isRunning)).toEqual([true, true]);
});

it.each([0, -1, Number.NaN])('%s is no process', (pid) => expect(isRunning(pid)).toBe(false));

it('a process that has ended does not run', async () => {
  const child = spawn('true');
  await once(child, 'exit');
  expect(isRunning(child.pid ?? 0)).toBe(false);
});

it.skipIf(!existsSync('/proc/self/stat'))('a zombie does not run (read from /proc)', async () => {
  const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    await expect.poll(() => isRunning(pid), { timeout }).toBe(false);
    // The zombie still exists.
    expect(() => process.kill(pid, 0)).not.toThrow();
  } finally {
    parent.kill('SIGKILL');
  }
});
