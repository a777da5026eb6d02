// A run of the suite on a server that responds late: how long it takes, and how right its estimates are.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { main, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { type ChosenFlags, chosenOf } from './options.js';

export interface SlowFlags extends ChosenFlags {
  readonly delay: string;
}

/** Runs the suite on a reference server that delays every request. Returns the figures as text. */
export async function measureSlowRun({ delay, ...flags }: SlowFlags): Promise<string> {
  const server = await startReferenceServer(['--latency', delay]);
  const output = mkdtempSync(join(tmpdir(), 'bench-slow-'));
  try {
    const options = ['--kubeconfig', server.kubeconfig, '--disposable', '--output', output, ...chosenOf(flags)];
    const started = performance.now();
    const child = spawn(process.execPath, [main, 'run', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
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
    await server.stop();
    rmSync(output, { recursive: true });
  }
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;
const seconds = (clock: string): number => clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
