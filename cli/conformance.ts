// The `conformance` command: starts the bundled server, runs the suite against it, stops it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { referenceServerFlags } from './fixtures/flags.js';
import type { Managed } from './managed.js';
import { againOf } from './run/again.js';
import { type Interruption, interruptible } from './run/interruption.js';
import { listCases } from './run/list.js';
import { addRunOptions, checkOptions, type RunOptions } from './run/options.js';
import { checkOutput } from './run/output.js';
import { ofOurOwn, runBesideSecond } from './run.js';
import { type RunFixtures, startFixtures } from './runFixtures.js';
import { newEgressSocket } from './serveNodes.js';
import { resolveTarget } from './target.js';
import { UsageError } from './usageError.js';

const patience = 20_000;

/** Registers `conformance`. */
export function registerConformance(program: Command): void {
  const command = program
    .command('conformance')
    .description('run the suite against the bundled reference server')
    .action(async (options: RunOptions & { readonly list?: true }, command: Command) => {
      if (options.list) listCases(options);
      else process.exitCode = await conformance({ ...options, again: againOf(command) });
    });
  addRunOptions(command);
}

async function conformance(options: RunOptions): Promise<number> {
  checkOptions(options);
  checkOutput(options.output);
  return await interruptible(async (interruption) => await conformanceUntil(interruption, options));
}

async function conformanceUntil(interruption: Interruption, options: RunOptions): Promise<number> {
  const egressSocket = newEgressSocket();
  const fixtures = await startFixtures(undefined, 'k8s.io');
  try {
    const settings = { fixtures, nodes: ['--egress-proxy', egressSocket], complaints: 'inherit' } as const;
    const server = await startReference(fixtures.directory, settings);
    // What it should not start with is no news to whoever runs the suite.
    const again = { fixtures, nodes: ['--nodes', '0'], complaints: 'ignore' } as const;
    const start = (directory: string): Promise<Managed> => startReference(directory, again);
    try {
      return await runBesideSecond(server.target, ofOurOwn(options), { fixtures, egressSocket, interruption }, start);
    } finally {
      await server.stop();
    }
  } finally {
    await fixtures.close();
  }
}

/** What a bundled server is started with, beside the folder of its fixtures. */
interface Settings {
  readonly fixtures: RunFixtures;
  /** The flags that say where its pods run. */
  readonly nodes: readonly string[];
  /** What becomes of its standard error. */
  readonly complaints: 'inherit' | 'ignore';
}

/** Starts the bundled server with the fixtures in a folder. Throws UsageError where it does not get ready. */
async function startReference(
  directory: string,
  { fixtures: { fixtures }, nodes, complaints }: Settings,
): Promise<Managed> {
  const state = mkdtempSync(join(tmpdir(), 'kube-api-conformance-server-'));
  const kubeconfig = join(state, 'kubeconfig');
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  const flags = referenceServerFlags(directory, fixtures);
  const server = spawn(process.execPath, [main, 'serve', ...nodes, '--write-kubeconfig', kubeconfig, ...flags], {
    stdio: ['ignore', 'ignore', complaints],
    // a group of its own: Ctrl-C on a terminal would end it before the run
    detached: true,
  });
  const kill = (): boolean => server.kill();
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
    rmSync(state, { recursive: true, force: true });
  };
  try {
    await written(kubeconfig, () => server.exitCode);
    return {
      target: { ...resolveTarget({ kubeconfig, disposable: true }), name: 'reference-server', features: 'all' },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
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
