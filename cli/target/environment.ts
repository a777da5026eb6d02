// Options from environment variables: `--token-file` is KUBE_API_CONFORMANCE_TOKEN_FILE.
import { type Command, CommanderError, type Option } from 'commander';
import { near } from '../../matrix/api/nearest.js';
import { UsageError } from '../errors.js';

const prefix = 'KUBE_API_CONFORMANCE_';

/** Variables that are not named after an option of `run`. */
const others = ['ALLURE', 'CONTROL', 'PLAYWRIGHT', 'RUN', 'SUITES', 'VERBOSE'].map((name) => prefix + name);

/** Returns the variable that gives an option. */
const variableOf = (option: Option): string => prefix + option.name().toUpperCase().replaceAll('-', '_');

/**
 * Lets variables give the options of a command; the command line overrides them. `like` returns a command with every
 * option that a variable may name, of which the command may have only some: other variables are warned of.
 */
export function withEnvironment(command: Command, like: () => Command | Promise<Command> = () => command): Command {
  return command.hook('preAction', async () => readEnvironment(command, await like()));
}

/**
 * Reads the variables of the options that the command line does not give. An empty variable counts as unset. Throws
 * UsageError that names the variable.
 */
export function readEnvironment(command: Command, like = command): void {
  const set = new Map<string, { readonly variable: string; readonly value: unknown }>();
  for (const option of command.options) {
    const variable = variableOf(option);
    const text = process.env[variable] ?? '';
    const name = option.attributeName();
    if (text === '' || command.getOptionValueSource(name) === 'cli') continue;
    const value = givenBy(command, option, variable, text);
    if (value === undefined) continue;
    const before = set.get(name);
    if (before !== undefined && before.value !== value)
      throw new UsageError(`${before.variable} and ${variable} contradict each other: set only one of them`);
    set.set(name, { variable, value });
  }
  for (const [name, { value }] of set) command.setOptionValueWithSource(name, value, 'env');
  warnOfUnknown(like);
}

/** Returns the value that a text gives an option; undefined if it leaves the option out. */
function givenBy(command: Command, option: Option, variable: string, text: string): unknown {
  if (!option.required) return switchOf(command, option, variable, text);
  if (option.parseArg === undefined) return text;
  try {
    return option.parseArg(text, undefined);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(renamed(error.message, option, variable, text));
    if (error instanceof CommanderError)
      throw new UsageError(`${variable}: ${text}: ${error.message.replace(/\.$/, '')}`);
    throw error;
  }
}

/** What a variable of an option without a value says; in any case of its letters. */
const words: Readonly<Record<string, boolean>> = { true: true, 1: true, yes: true, false: false, 0: false, no: false };

function switchOf(command: Command, option: Option, variable: string, text: string): boolean | undefined {
  const word = text.toLowerCase();
  const isOn = Object.hasOwn(words, word) ? words[word] : undefined;
  if (isOn === undefined)
    throw new UsageError(`${variable}: ${text} is neither true nor false: write true, 1, yes, false, 0 or no`);
  if (option.negate) return isOn ? false : undefined;
  // `no` to what a target file may say is an answer; to any other option it is nothing.
  const isAnswered = command.options.some((other) => other.negate && other.attributeName() === option.attributeName());
  return isOn || isAnswered ? isOn : undefined;
}

function warnOfUnknown(like: Command): void {
  const known = [...like.options.map(variableOf), ...others];
  for (const name of Object.keys(process.env)) {
    if (!name.startsWith(prefix) || known.includes(name)) continue;
    const guess = near(
      name.slice(prefix.length),
      known.map((one) => one.slice(prefix.length)),
    );
    const meant = guess === undefined ? '' : `; did you mean ${prefix}${guess}?`;
    process.stderr.write(`warning: the variable ${name} is unknown and has no effect${meant}\n`);
  }
}

/** Returns the sentence of an error, with the variable in place of each option that a variable gave. */
export function withVariables(message: string, command: Command): string {
  return command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'env')
    .filter((option) => (process.env[variableOf(option)] ?? '') !== '')
    .reduce(
      (text, option) => renamed(text, option, variableOf(option), process.env[variableOf(option)] ?? ''),
      message,
    );
}

function renamed(message: string, { long }: Option, variable: string, value: string): string {
  const withValue = message.replaceAll(`${long} ${value}`, () => `${variable}=${value}`);
  return withValue.replaceAll(new RegExp(`(?<![\\w-])${long}(?![\\w-])`, 'g'), () => variable);
}
