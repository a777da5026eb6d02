// The command line: registers commands, and prints errors that the user can correct as one line.
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

// The help of a command is asked for before or after its name.
const words = process.argv.slice(process.argv[2] === 'help' ? 3 : 2);
const [called = '', second] = words;
const asksVersion = called === '-V' || called === '--version';
let isOne = false;

/** Loads the modules of a command. Returns what registers the command. */
export type Commands = Readonly<Record<string, () => Promise<(program: Command) => void>>>;

/** Runs the one of the commands that the arguments of this process name, and sets the exit code. */
export async function runProgram(commands: Commands): Promise<void> {
  // The completion of a shell has every command.
  isOne = Object.hasOwn(commands, called) && called !== 'completion';
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
