// The `conformance` command: starts the bundled server, runs the suite against it, stops it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { referenceServerFlags } from './fixtures/flags.js';
import { checkOptions, type RunOptions, runOnReachable } from './run.js';
import { startFixtures } from './runFixtures.js';
import { newEgressSocket } from './serveNodes.js';
import { resolveTarget } from './target.js';
import { UsageError } from './usageError.js';

const patience = 20_000;

/** Registers `conformance`. */
export function registerConformance(program: Command): void {
  program
    .command('conformance')
    .description('run the suite against the bundled reference server')
    .option('--grep <id>', 'only cases whose id contains this text')
    .option('--output <directory>', 'where evidence and reports go', 'report')
    .option('--workers <n>', 'how many workers', '2')
    .action(async (options: RunOptions) => {
      process.exitCode = await conformance(options);
    });
}

async function conformance(options: RunOptions): Promise<number> {
  checkOptions(options);
  const fixtures = await startFixtures(undefined, 'k8s.io');
  const state = mkdtempSync(join(tmpdir(), 'kube-api-conformance-server-'));
  const kubeconfig = join(state, 'kubeconfig');
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const egressSocket = newEgressSocket();
  const flags = referenceServerFlags(fixtures.directory, fixtures.fixtures);
  const server = spawn(
    process.execPath,
    [main, 'serve', '--egress-proxy', egressSocket, '--write-kubeconfig', kubeconfig, ...flags],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  try {
    await written(kubeconfig, () => server.exitCode);
    const target = { ...resolveTarget({ kubeconfig, disposable: true }), name: 'reference-server' };
    return await runOnReachable(target, options, { fixtures, egressSocket });
  } finally {
    server.kill('SIGTERM');
    await ended;
    await fixtures.close();
    rmSync(state, { recursive: true, force: true });
  }
}

async function written(file: string, exitCode: () => number | null): Promise<void> {
  const deadline = Date.now() + patience;
  while (!existsSync(file)) {
    if (exitCode() !== null) throw new UsageError(`the reference server ended with ${exitCode()} before it was ready`);
    if (Date.now() > deadline) throw new UsageError(`the reference server was not ready after ${patience / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
