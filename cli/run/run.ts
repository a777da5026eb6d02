// The `run` and `conformance` commands: run the suite against a server, or against the bundled one.
import type { Command } from 'commander';
import { addTargetOptions, resolveTarget, type TargetOptions } from '../target/target.js';
import { run } from './lifecycle.js';
import { addRunOptions, listCases, type RunOptions } from './options.js';
import { repeatCommand } from './repeatCommand.js';

/** The options of `run`. */
export type SuiteOptions = TargetOptions & RunOptions & { readonly list?: true };

/** Adds the options of `run`, first those of the target. */
export function addSuiteOptions(command: Command): Command {
  addTargetOptions(command)
    .option('--fixtures <directory>', 'the fixtures that the server was started with; the command fixtures makes them')
    .option('--egress-socket <file>', 'simulate a node; the server must reach nodes and pods through this socket')
    .option('--disposable', 'this is a throwaway server: delete-collections across the cluster may run')
    .option('--no-disposable', 'this is not a throwaway server, whatever the target file says');
  return addRunOptions(command);
}

/** Registers `run`. */
export function registerRun(program: Command): void {
  addSuiteOptions(program.command('run'))
    .description('run the suite against a server')
    .action(async (options: SuiteOptions, command: Command) => {
      if (options.list) listCases(options);
      else process.exitCode = await run(resolveTarget(options), { ...options, again: repeatCommand(command) });
    });
}

/** Registers `conformance`. */
export function registerConformance(program: Command): void {
  addRunOptions(program.command('conformance'))
    .description('run the suite against the bundled reference server')
    .action(async (options: SuiteOptions, command: Command) => {
      if (options.list) listCases(options);
      else process.exitCode = await run(undefined, { ...options, again: repeatCommand(command) });
    });
}
