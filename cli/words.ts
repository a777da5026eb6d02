// The words of a command line that no command expects: an unknown command, a word too many, an empty value.
import type { Command, Option } from 'commander';
import { unknownName } from '../matrix/api/nearest.js';
import { UsageError } from './errors.js';

/** Throws UsageError if a command has subcommands, and the word after it is the name of none, also before `--help`. */
export function checkSubcommand(command: Command, word: string | undefined): void {
  const names = command.commands.map((one) => one.name());
  if (names.length === 0 || word === undefined || word === '' || word.startsWith('-')) return;
  if (word === 'help' || names.includes(word)) return;
  const rendering = otherWords[word.toLowerCase()] ?? renderingOf(command, word);
  if (rendering !== undefined && names.includes(rendering.split(' ')[0] ?? ''))
    throw new UsageError(`there is no command ${word}: write ${rendering}`);
  const shown = command.createHelp().visibleCommands(command);
  throw new UsageError(
    unknownName(
      'command',
      word,
      shown.map((one) => one.name()),
    ),
  );
}

/** What people call a command elsewhere. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ test: 'run', check: 'run', conformance: 'run', verify: 'run', watch: 'run --watch', list: 'run --list' },
  ...{ merge: 'report', join: 'report', render: 'report', html: 'report', summary: 'report' },
  ...{ diff: 'report --as comparison', baseline: 'run --baseline' },
  ...{ start: 'serve', up: 'serve', init: 'run' },
  ...{ cleanup: 'clean', delete: 'clean', remove: 'clean', why: 'explain', describe: 'explain', show: 'explain' },
  ...{ certificates: 'certs', complete: 'completion', node: 'node-agent', download: 'assets' },
};

/** Returns the command that makes what a word names, as `compare` names a comparison; undefined if there is none. */
function renderingOf({ commands }: Command, word: string): string | undefined {
  const isLonger = commands.some((one) => word.startsWith(one.name()));
  const start = word.slice(0, 5);
  for (const one of commands) {
    const made = one.options.find(({ long }) => long === '--as')?.argChoices ?? [];
    const alike = (name: string): boolean => !isLonger && start.length === 5 && name.startsWith(start);
    const name = made.find((each) => each === word) ?? made.find(alike);
    if (name !== undefined) return `${one.name()} --as ${name}`;
  }
  return undefined;
}

/** Rejects with UsageError for the first word that a command cannot use: one too many, or an empty one. */
export async function checkWords(command: Command): Promise<void> {
  const { args, registeredArguments, options } = command;
  const empty = registeredArguments.find((_, index) => args[index] === '');
  if (empty !== undefined) throw new UsageError(`<${empty.name()}> is empty: give one`);
  const isEmpty = (option: Option): boolean => command.getOptionValue(option.attributeName()) === '';
  const option = options.find((one) => one.required && !mayBeEmpty.test(one.flags) && isEmpty(one));
  if (option !== undefined)
    throw new UsageError(`${option.long}: the value is empty: give one, or leave the option out`);
  const extra = registeredArguments.at(-1)?.variadic ? undefined : args[registeredArguments.length];
  if (extra !== undefined) throw new UsageError(`${command.name()}: ${await adviceFor(extra, command)}`);
}

/** The options whose value is a list, which may be empty. */
const mayBeEmpty = /<(features|names|options|prefixes|switches|urls)>/;

/** Says what to do with a word that is no option. It is not repeated where it may hold a password. */
async function adviceFor(word: string, command: Command): Promise<string> {
  const { options } = command;
  const has = (long: string): boolean => options.some((option) => option.long === long);
  if (has('--url') && /^https?:/.test(word))
    return word.includes('@') ? 'write --url before the URL' : `write --url ${word}`;
  if (has('--url') && /^[\w.-]+:\d+$/.test(word)) return `write --url https://${word}`;
  if (has('--target') && /\.ya?ml$/.test(word)) return `write --target ${word}`;
  // The values are those of the suite, which takes a tenth of the time in which a server starts.
  const { valuesOf } = await import('./optionValues.js');
  const isGiven = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  const meant = options.find((option) => !isGiven(option) && valuesOf(option).includes(word));
  if (meant !== undefined) return `write ${meant.long} ${word}`;
  return `"${word}" is one word too many: is it the value of an option? --help shows the options`;
}
