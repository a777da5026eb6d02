// Runs the compiled suite with Playwright, in processes of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outage } from '../matrix/requirements/index.js';
import { Outages, type Run, readStop, runVariable, writeRun } from '../suites/index.js';
import { packageRoot } from './package.js';
import type { Interruption } from './run/interruption.js';

/** Milliseconds that the runner may take to end once it is told to. */
const patience = 10_000;

/** How the suite ended. */
export interface SuiteEnd {
  /** Why the run ended before its end, if it did. */
  readonly aborted?: string;
  /** When the target was gone and came back. */
  readonly outages: readonly Outage[];
}

/** Runs Playwright on the compiled suite. */
export async function runSuite(run: Run, workers: string, interruption: Interruption): Promise<SuiteEnd> {
  if (interruption.reason !== undefined) return { aborted: interruption.reason, outages: [] };
  const secrets = mkdtempSync(join(tmpdir(), 'kube-api-conformance-'));
  const file = join(secrets, 'run.json');
  const stopFile = join(secrets, 'stop.json');
  writeRun(file, { ...run, stopFile });
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const config = fileURLToPath(new URL('../playwright.config.js', import.meta.url));
  const child = spawn(process.execPath, [cli, 'test', '--config', config], {
    cwd: packageRoot,
    // Its end of the pipe tells it that this process is gone. A group of its own: Ctrl-C is for this process to pass on.
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      [runVariable]: file,
      KUBE_API_CONFORMANCE_OUTPUT: join(secrets, 'output'),
      KUBE_API_CONFORMANCE_WORKERS: workers,
    },
  });
  let late: NodeJS.Timeout | undefined;
  const ignore = interruption.listen(() => {
    child.kill('SIGINT');
    late = setTimeout(() => child.kill('SIGKILL'), patience);
  });
  const endHurry = interruption.listen(() => child.kill('SIGKILL'), 'second');
  try {
    const code = await new Promise<number | NodeJS.Signals | null>((done, reject) => {
      child.once('error', reject).once('exit', (exit, signal) => done(exit ?? signal));
    });
    const reason = interruption.reason ?? readStop(stopFile)?.reason;
    const aborted = reason ?? (code === 0 || code === 1 ? undefined : `the runner ended with ${code}`);
    return { ...(aborted === undefined ? {} : { aborted }), outages: new Outages(stopFile).ended() };
  } finally {
    ignore();
    endHurry();
    clearTimeout(late);
    rmSync(secrets, { recursive: true, force: true });
  }
}
