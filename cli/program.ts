// The command line: registers all commands, and prints errors that the user can correct as one line.
import { Command, CommanderError } from 'commander';
import { printError, reportUnexpected, toItsEnd, UsageError } from './errors.js';
import { version } from './files.js';
import { helpStyle } from './help.js';
import { withVariables } from './target/environment.js';
import { checkSubcommand, checkWords } from './words.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early, such as head, is not an error.
    if (error.code !== 'EPIPE') throw error;
  });
process.on('uncaughtException', (error) => process.exit(reportUnexpected(error)));

/** The command whose options were parsed. */
let running: Command | undefined;
const program = new Command('kube-api-conformance')
  .description('Test whether a server implements the Kubernetes API, request by request.')
  .version(version)
  .configureOutput({
    outputError: (message) => {
      printError(
        `${message
          .trim()
          .replace(/^error: /, '')
          // The option of the program is none of a command.
          .replace(isOne ? /\n?\(Did you mean --version\?\)/ : /^$/, '')
          .replace(/\.$/, '')
          .replaceAll('\n', ' ')}; --help shows the options`,
      );
    },
  })
  .configureHelp(helpStyle)
  .allowExcessArguments()
  .hook('preAction', (_, command) => {
    running = command;
    return checkWords(command);
  })
  .exitOverride();

/** Commands are loaded on demand: `serve` does not need the suite. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  run: async () => (await import('./run/run.js')).registerRun,
  report: async () => (await import('./reporting/report.js')).registerReport,
  explain: async () => (await import('./explain/explain.js')).registerExplain,
  clean: async () => (await import('./run/clean.js')).registerClean,
  serve: async () => (await import('./serve/serve.js')).registerServe,
  openapi: async () => (await import('./serve/openapi.js')).registerOpenapi,
  'node-agent': async () => (await import('./nodeAgent.js')).registerNodeAgent,
  assets: async () => (await import('./assets/assets.js')).registerAssets,
  asset: async () => (await import('./assets/assets.js')).registerAsset,
  envtest: async () => (await import('./envtest/envtest.js')).registerEnvtest,
  fixtures: async () => (await import('./fixtures/fixtures.js')).registerFixtures,
  certs: async () => (await import('./fixtures/certs.js')).registerCerts,
  completion: async () => (await import('./completion.js')).registerCompletion,
};

// The help of a command is asked for before or after its name.
const words = process.argv.slice(process.argv[2] === 'help' ? 3 : 2);
const [called = '', second] = words;
const asksVersion = called === '-V' || called === '--version';
// The completion of a shell has every command.
const isOne = Object.hasOwn(commands, called) && called !== 'completion';

/** Runs the command that the arguments of this process name, and sets the exit code. */
export async function main(): Promise<void> {
  const wanted = isOne ? [called] : asksVersion ? [] : Object.keys(commands);
  for (const name of wanted) (await commands[name]?.())?.(program);

  try {
    checkSubcommand(program, called);
    for (const command of program.commands) if (command.name() === called) checkSubcommand(command, second);
    await toItsEnd(() => program.parseAsync());
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof UsageError) {
      printError(running === undefined ? error.message : withVariables(error.message, running));
      process.exitCode = error.exitCode;
    } else process.exitCode = reportUnexpected(error);
    // What a failed command has left open must not keep the process.
    process.exit();
  }
}
