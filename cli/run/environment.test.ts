// Tests variables in place of options: their values are parsed as those of the options, and errors name the variable.
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment, withEnvironment, withVariables } from '../target/environment.js';
import { registerClean } from './clean.js';
import { addSuiteOptions } from './run.js';

const prefix = 'KUBE_API_CONFORMANCE_';

let warnings: string;
beforeEach(() => {
  warnings = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    warnings += String(text);
    return true;
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Returns the command `run` after it has read variables. */
function given(variables: Readonly<Record<string, string>>, ...words: readonly string[]): Command {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(prefix + name, value);
  const command = addSuiteOptions(new Command('run')).exitOverride().parse(words, { from: 'user' });
  readEnvironment(command);
  return command;
}

/** Every switch of `run`: a new one is in the table by itself. */
const switches = addSuiteOptions(new Command('run')).options.filter(({ required }) => !required);

describe.each(switches.map((option) => [option.long ?? '', option] as const))('the variable of %s', (_, option) => {
  const name = option.name().toUpperCase().replaceAll('-', '_');
  const key = option.attributeName();

  it.each(['true', '1', 'yes', 'TRUE', 'Yes'])('is set by %s', (value) => {
    expect(given({ [name]: value }).getOptionValue(key)).toBe(!option.negate);
  });

  it.each(['false', '0', 'no', 'False', 'NO', ''])('is not set by %j', (value) => {
    const isRefused = name === 'DISPOSABLE' && value !== '';
    expect(given({ [name]: value }).getOptionValue(key)).toBe(isRefused ? false : undefined);
  });

  it.each(['n', 'off', 'maybe', 'on', ' ', 'true '])('refuses %j', (value) => {
    expect(() => given({ [name]: value })).toThrow(`${prefix}${name}: ${value} is neither true nor false`);
  });
});

describe('the variable of an option with a value', () => {
  it.each([
    ['WORKERS', 'lots', 'WORKERS: lots is not a number from 1 to 99'],
    ['WORKERS', '-3', 'WORKERS: -3 is not a number'],
    ['CONCURRENCY', '0', 'CONCURRENCY: 0 is not a number from 1 to 999'],
    ['SEED', 'x', 'SEED: x is not a number from 0'],
    ['HISTORIES', '0', 'HISTORIES: 0 is not a number from 1'],
    ['TIMEOUT', '1.5', 'TIMEOUT: 1.5 is not a number of seconds from 1'],
    ['RECOVERY_TIMEOUT', '-1', 'RECOVERY_TIMEOUT: -1 is not a number of seconds from 0'],
    ['EVIDENCE', 'some', 'EVIDENCE: some: Allowed choices are sample, all, failures'],
    ['PROFILE', 'smok', 'PROFILE: there is no profile smok; did you mean smoke?'],
    ['CHAPTER', 'reed', 'CHAPTER: there is no chapter reed; did you mean read?'],
    ['KINDS', ',', 'KINDS: the value is empty'],
    ['FEATURES', 'x', 'FEATURES: there is no feature x'],
    ['SHARD', '3/2', 'SHARD: 3/2 is not a shard'],
  ])('%s=%s', (name, value, message) => {
    expect(() => given({ [name]: value })).toThrow(prefix + message);
  });

  it('is parsed, and gives way to the command line', () => {
    expect(given({ CHAPTER: 'read,list', WORKERS: '3' }).opts()).toMatchObject({
      chapter: ['read', 'list'],
      workers: '3',
    });
    expect(given({ CHAPTER: 'nosuch' }, '--chapter', 'watch').opts()).toMatchObject({ chapter: ['watch'] });
    expect(given({ DISPOSABLE: 'yes' }, '--no-disposable').opts()).toMatchObject({ disposable: false });
  });
});

it('two variables may not contradict each other', () => {
  expect(() => given({ DISPOSABLE: 'yes', NO_DISPOSABLE: 'yes' })).toThrow(
    'KUBE_API_CONFORMANCE_DISPOSABLE and KUBE_API_CONFORMANCE_NO_DISPOSABLE contradict each other',
  );
  expect(given({ DISPOSABLE: 'no', NO_DISPOSABLE: 'yes' }).opts()).toMatchObject({ disposable: false });
});

it.each([
  ['NO_DISPOSEABLE', 'NO_DISPOSABLE'],
  ['BASLINE', 'BASELINE'],
  ['PROFIL', 'PROFILE'],
])('warns of %s', (name, meant) => {
  given({ [name]: 'x' });
  expect(warnings).toBe(
    `warning: the variable ${prefix}${name} is unknown and has no effect; did you mean ${prefix}${meant}?\n`,
  );
});

it('warns of no variable of the other command, nor of its own', async () => {
  vi.stubEnv(`${prefix}OUTPUT`, 'x');
  vi.stubEnv(`${prefix}VERBOSE`, '1');
  vi.stubEnv(`${prefix}URL`, 'ftp://a');
  const program = new Command().exitOverride();
  registerClean(program);
  await expect(program.parseAsync(['clean'], { from: 'user' })).rejects.toThrow('ftp://a is not http or https');
  expect(warnings).toBe('');
});

it.each([
  ['--url: ftp://a is not http or https', 'KUBE_API_CONFORMANCE_URL: ftp://a is not http or https'],
  ['--url and --ca contradict', 'KUBE_API_CONFORMANCE_URL and --ca contradict'],
  ['--profile smoke leaves no case', 'KUBE_API_CONFORMANCE_PROFILE=smoke leaves no case'],
  ['--tls-server-name and --url-x', '--tls-server-name and --url-x'],
])('names the variable that gave an option: %s', (message, named) => {
  const command = given({ URL: 'ftp://a', PROFILE: 'smoke' });
  expect(withVariables(message, command)).toBe(named);
});

it('reads variables before the action of a command', async () => {
  vi.stubEnv(`${prefix}GREP`, 'x');
  let grep: unknown;
  const command = withEnvironment(addSuiteOptions(new Command('run'))).action((options) => {
    grep = options.grep;
  });
  await command.parseAsync([], { from: 'user' });
  expect(grep).toBe('x');
});
