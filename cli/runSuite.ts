// Runs the compiled suite with Playwright, in processes of its own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, runVariable, writeRun } from '../suites/index.js';
import { packageRoot } from './package.js';

/** Runs Playwright on the compiled suite. Returns why the run could not go on, if it could not. */
export async function runSuite(run: Run, workers: string): Promise<string | undefined> {
  const secrets = mkdtempSync(join(tmpdir(), 'kube-api-conformance-'));
  const file = join(secrets, 'run.json');
  writeRun(file, run);
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const config = fileURLToPath(new URL('../playwright.config.js', import.meta.url));
  const child = spawn(process.execPath, [cli, 'test', '--config', config], {
    cwd: packageRoot,
    stdio: 'inherit',
    env: {
      ...process.env,
      [runVariable]: file,
      KUBE_API_CONFORMANCE_OUTPUT: join(secrets, 'output'),
      KUBE_API_CONFORMANCE_WORKERS: workers,
    },
  });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const code = await new Promise<number | NodeJS.Signals | null>((done, reject) => {
      child.once('error', reject).once('exit', (exit, signal) => done(exit ?? signal));
    });
    return code === 0 || code === 1 ? undefined : `the runner ended with ${code}`;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    rmSync(secrets, { recursive: true, force: true });
  }
}
