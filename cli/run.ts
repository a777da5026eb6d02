// The `run` command: prepares a target, starting it where it is managed, and runs the suite against it.
import type { Command } from 'commander';
import type { Target } from '../matrix/requirements/index.js';
import { type Managed, startManaged } from './managed.js';
import { againOf } from './run/again.js';
import { type Interruption, interruptible } from './run/interruption.js';
import { listCases } from './run/list.js';
import { addRunOptions, checkOptions, type RunOptions } from './run/options.js';
import { checkOutput } from './run/output.js';
import { type Beside, runOnReachable } from './run/reachable.js';
import { type RunFixtures, startFixtures } from './runFixtures.js';
import { type Started, serveSecondServer } from './secondServer.js';
import { newEgressSocket } from './serveNodes.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { checkRequirements } from './targetFields.js';
import { addTargetOptions } from './targetOptions.js';

type AllOptions = TargetOptions & RunOptions & { readonly list?: boolean };

/** Registers `run`. */
export function registerRun(program: Command): void {
  const command = program.command('run');
  addTargetOptions(command)

    .description('run the suite against a server')
    .option('--target <file>', 'target file: how to reach or start the server, and its known deviations')
    .option('--fixtures <directory>', 'the fixtures that the server was started with; the command fixtures makes them')
    .option('--egress-socket <file>', 'simulate a node; the server must reach nodes and pods through this socket')
    .option('--disposable', 'this is a throwaway server: delete-collections across the cluster may run')
    .action(async (options: AllOptions, command: Command) => {
      if (options.list) listCases(options);
      else process.exitCode = await runOn(resolveTarget(options), { ...options, again: againOf(command) });
    });
  addRunOptions(command);
}

/** Runs the suite on a target, starting and stopping it where it is managed. Returns the exit code of the verdict. */
export async function runOn(target: Target, options: RunOptions): Promise<number> {
  checkOptions(options);
  checkRequirements([...target.deviations, ...(target.dangerous ?? [])]);
  checkOutput(options.output);
  return await interruptible(async (interruption) => {
    if (options.fixtures === undefined && !target.lifecycle?.fixtures)
      return await runOnStarted(target, options, interruption);
    const fixtures = await startFixtures(options.fixtures, target.domains.authentication);
    try {
      return await runOnStarted(target, options, interruption, fixtures);
    } finally {
      await fixtures.close();
    }
  });
}

async function runOnStarted(
  target: Target,
  options: RunOptions,
  interruption: Interruption,
  fixtures?: RunFixtures,
): Promise<number> {
  const { lifecycle } = target;
  const { egressSocket = lifecycle && target.nodes === 'ours' ? newEgressSocket() : undefined } = options;
  const beside = { fixtures, egressSocket, interruption };
  if (lifecycle === undefined) return await runOnReachable(target, options, beside);
  const managed = await startManaged(target, lifecycle, fixtures?.directory, egressSocket, interruption);
  try {
    const own = ofOurOwn(options);
    if (fixtures === undefined) return await runOnReachable(managed.target, own, beside);
    const again = (directory: string): Promise<Managed> => startManaged(target, lifecycle, directory);
    return await runBesideSecond(managed.target, own, { ...beside, fixtures }, again);
  } finally {
    await managed.stop();
  }
}

/** The options for a server that the run started: who would start it again when it is gone? */
export const ofOurOwn = (options: RunOptions): RunOptions => ({ comesBack: '20', ...options });

/** Runs the suite on a target of which `start` starts another one with the fixtures in a folder. */
export async function runBesideSecond(
  target: Target,
  options: RunOptions,
  { fixtures, ...beside }: Beside & { readonly fixtures: RunFixtures },
  start: (directory: string) => Promise<Started>,
): Promise<number> {
  const second = await serveSecondServer(fixtures.directory, start);
  try {
    const withSecond = { ...fixtures, secondServerUrl: second.url };
    return await runOnReachable(target, options, { ...beside, fixtures: withSecond });
  } finally {
    await second.close();
  }
}
