// Deadlines of this clock leave a target its time when the process stands still.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { afterRunning, runningTime, withinRunning } from './runningTime.js';

const built = join(import.meta.dirname, '../../dist/suites/client/runningTime.js');

/** A program that awaits what arrives on its standard input, for two seconds of this clock and of the usual one. */
const waiting = `
  import { afterRunning, runningTime } from ${JSON.stringify(built)};
  const [began, clock] = [runningTime(), performance.now()];
  process.stdin.once('data', () => {
    const seen = { late, ran: runningTime() - began, took: performance.now() - clock };
    setTimeout(() => {
      console.log(JSON.stringify({ ...seen, usual }));
      process.exit();
    });
  });
  let [late, usual] = [false, false];
  afterRunning(2000, () => { late = true; });
  setTimeout(() => { usual = true; }, 2000);
  console.log('stops');
  process.kill(process.pid, 'SIGSTOP');
`;

it('a process that was stopped reads what has arrived before its deadline is over', async () => {
  const program = spawn(process.execPath, ['--input-type=module', '-e', waiting], { stdio: 'pipe' });
  let waking: NodeJS.Timeout | undefined;
  try {
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe('stops');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    program.stdin.write('an answer\n');
    // It may stop only now.
    waking = setInterval(() => program.kill('SIGCONT'), 100);
    const { late, usual, ran, took } = JSON.parse(String((await lines.next()).value));
    expect({ late, usual }).toEqual({ late: false, usual: true });
    expect(took).toBeGreaterThan(3_900);
    expect(ran).toBeLessThan(took - 2_000);
  } finally {
    clearInterval(waking);
    program.kill('SIGKILL');
  }
});

it('a deadline ends a process that runs', async () => {
  const began = runningTime();
  await new Promise<void>((resolve) => afterRunning(300, resolve));
  expect(runningTime() - began).toBeGreaterThanOrEqual(299);
});

it('a deadline that is cancelled does not act', async () => {
  let acted = false;
  const cancel = afterRunning(20, () => {
    acted = true;
  });
  cancel();
  await new Promise<void>((resolve) => afterRunning(60, resolve));
  expect(acted).toBe(false);
});

it('work that takes longer than its time is given up, and other work is not', async () => {
  const late = () => new Error('too late');
  await expect(withinRunning(20, new Promise(() => undefined), late)).rejects.toThrow('too late');
  await expect(withinRunning(60_000, Promise.resolve('done'), late)).resolves.toBe('done');
});
