// The `run` command: runs the suite against a server, which it may start itself.
import { Command } from 'commander';
import type { Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { withEnvironment } from '../target/environment.js';
import { addTargetOptions, once, resolveTarget, type TargetOptions } from '../target/target.js';
import { lastFailures } from './baseline.js';
import { kubeApiserver, targetOfAssets } from './kubeApiserver.js';
import { run } from './lifecycle.js';
import { addRunOptions, listCases, type RunOptions } from './options.js';
import { repeatCommand } from './repeatCommand.js';

export type SuiteOptions = TargetOptions & RunOptions & { readonly startOptions?: string; readonly list?: true };

/** The target that this package brings: its reference server. */
const bundled = 'reference-server';

/** Adds the options of `run`, first those of the target. */
export function addSuiteOptions(command: Command): Command {
  addOwnOptions(command).option(
    '--target <name>',
    `target file: how to reach or start the server, and its known deviations; or ${bundled}, which is part of this ` +
      `package; or ${kubeApiserver}, the one of KUBEBUILDER_ASSETS`,
    once('--target'),
  );
  return addRunOptions(command);
}

/** Adds the options about a server that is not bundled. */
function addOwnOptions(command: Command): Command {
  return addTargetOptions(command)
    .option('--name <name>', 'name of the server in reports and in the history (default: by file, context or host)')
    .option('--start-options <options>', 'more options for the start command of the target file, and its name')
    .option('--fixtures <directory>', 'the fixtures that the server was started with; the command fixtures makes them')
    .option('--egress-socket <file>', 'simulate a node; the server must reach nodes and pods through this socket')
    .option('--disposable', 'this is a throwaway server: delete-collections across the cluster may run')
    .option('--no-disposable', 'this is not a throwaway server, whatever the target file says');
}

export function registerRun(program: Command): void {
  withEnvironment(addSuiteOptions(program.command('run')))
    .description('run the suite against a server')
    .action(async (options: SuiteOptions, command: Command) => {
      const only = options.failed ? { only: await lastFailures(options.output) } : {};
      if (options.list) listCases({ ...options, ...only });
      else
        process.exitCode = await run(await targetOf(options), { ...options, ...only, again: repeatCommand(command) });
    });
}

/** Returns the target of the options; undefined is the bundled server. Throws UsageError. */
export async function targetOf(options: SuiteOptions): Promise<Target | undefined> {
  if (options.target === bundled) {
    const own = addOwnOptions(new Command()).options;
    const given = own.find((option) => {
      const value = options[option.attributeName() as keyof SuiteOptions];
      return value !== undefined && option.negate === (value === false);
    });
    if (given !== undefined) throw new UsageError(`the run starts ${bundled} itself: leave out ${given.long}`);
    return undefined;
  }
  const target = options.target === kubeApiserver ? await targetOfAssets(options) : resolveTarget(options);
  return options.startOptions === undefined ? target : startedWith(target, options.startOptions);
}

/** Returns the target with more options in its start command; they become part of its name. */
function startedWith(target: Target, options: string): Target {
  const { lifecycle } = target;
  if (lifecycle === undefined) throw new UsageError('--start-options: the run starts no server');
  const words = options.split(/\s+/).map((word) => word.replace(/^-+(.*=)?/, '').toLowerCase());
  const name = [target.name, ...words.filter((word) => word !== '')].join('-').replaceAll(/[^\w.-]/g, '-');
  return { ...target, name, lifecycle: { ...lifecycle, start: `${lifecycle.start} ${options}` } };
}
