// Prepares and ends a run that Playwright started: `npx playwright test`.
import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { readStop, runVariable } from '../../suites/index.js';
import { UsageError } from '../errors.js';
import { readEnvironment, withVariables } from '../target/environment.js';
import { Interruption } from './interruption.js';
import { cleanUp, prepareRun } from './lifecycle.js';
import { chosenFrom } from './options.js';
import { addSuiteOptions, type SuiteOptions, targetOf } from './run.js';
import { writeSettings } from './suite.js';

/** Playwright calls this function before it loads the tests, and the returned function after the last test. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const command = addSuiteOptions(new Command('playwright')).exitOverride();
  return await setUp(command).catch((error: unknown) => {
    if (error instanceof UsageError) error.stack = `Error: ${withVariables(error.message, command)}`;
    throw error;
  });
}

/** The options that only `run` follows, which has a verdict on the whole. */
const onlyOfRun = ['failed', 'list', 'watch', 'watchFiles', 'strict', 'history'];

/** Returns the options that variables give, and warns of those that Playwright does not follow. */
function optionsOf(command: Command): SuiteOptions {
  command.parse([], { from: 'user' });
  readEnvironment(command);
  for (const option of command.options) {
    const name = option.attributeName();
    if (!onlyOfRun.includes(name) || command.getOptionValueSource(name) !== 'env') continue;
    const sentence = `${option.long} has no effect in Playwright: only the command run follows it`;
    process.stderr.write(`warning: ${withVariables(sentence, command)}\n`);
    command.setOptionValue(name, undefined);
  }
  return command.opts<SuiteOptions>();
}

async function setUp(command: Command): Promise<() => Promise<void>> {
  const options = optionsOf(command);
  const { url, target, kubeconfig } = options;
  const isUnsaid = [url, target, kubeconfig].every((one) => one === undefined);
  // Playwright handles signals.
  const interruption = new Interruption();
  const reached = isUnsaid ? undefined : await targetOf(options);
  const prepared = await prepareRun(reached, chosenFrom(options), options, interruption);
  // Each test says what fails in it, whatever that does to a verdict.
  const { onlyRequired: _, ...run } = prepared.run;
  const { folder, file, stopFile } = writeSettings({ ...run, showsCases: true });
  process.env[runVariable] = file;
  return async () => {
    const stop = readStop(stopFile);
    const left = await cleanUp(prepared, stop !== undefined, interruption);
    await prepared.close();
    rmSync(folder, { recursive: true, force: true });
    const problems = [...(stop ? [stop.reason] : []), ...left.map((name) => `left on the server: ${name}`)];
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
  };
}
