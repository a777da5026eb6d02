// Tests what is said of words that no command expects.
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerAssets } from './assets/assets.js';
import { registerEnvtest } from './envtest/envtest.js';
import { registerExplain } from './explain/explain.js';
import { registerCerts } from './fixtures/certs.js';
import { registerFixtures } from './fixtures/fixtures.js';
import { registerReport } from './reporting/report.js';
import { registerClean } from './run/clean.js';
import { registerRun } from './run/run.js';
import { registerServe } from './serve/serve.js';
import { checkSubcommand, checkWords } from './words.js';

const registrations = [
  registerRun,
  registerClean,
  registerReport,
  registerExplain,
  registerServe,
  registerFixtures,
  registerCerts,
  registerAssets,
  registerEnvtest,
];

function programOf(): Command {
  const program = new Command('program').exitOverride().allowExcessArguments();
  for (const register of registrations) register(program);
  return program;
}

const url = ['--url', 'https://127.0.0.1:1'];
const tooMany = (word: string): string => `"${word}" is one word too many: is it the value of an option?`;

it.each([
  ['a URL', ['run', 'https://127.0.0.1:1'], 'run: write --url https://127.0.0.1:1'],
  ['a URL for clean', ['clean', 'http://a/b'], 'clean: write --url http://a/b'],
  ['a profile', ['run', 'smoke'], 'run: write --profile smoke'],
  ['a chapter', ['run', 'watch'], 'run: write --chapter watch'],
  ['a host and a port', ['run', 'localhost:6443'], 'run: write --url https://localhost:6443'],
  ['a target file', ['run', ...url, 'mine.yaml'], 'run: write --target mine.yaml'],
  ['a space after a comma', ['run', '--list', '--chapter', 'create,', 'watch'], tooMany('watch')],
  ['a port', ['serve', '8443'], tooMany('8443')],
  ['a URL where no server is asked', ['serve', 'https://a'], tooMany('https://a')],
  ['a second directory', ['assets', 'a', 'b'], tooMany('b')],
  ['no output', ['run', ...url, '--output', ''], '--output: the value is empty: give one, or leave the option out'],
  ['no URL', ['run', '--url', ''], '--url: the value is empty'],
  ...['--grep', '--profile', '--shard', '--seed', '--timeout', '--watch-files', '--context', '--token'].map(
    (option): [string, string[], string] => [
      `nothing for ${option}`,
      ['run', ...url, option, ''],
      `${option}: the value is empty: give one, or leave the option out`,
    ],
  ),
  ['no run to clean', ['clean', ...url, '--run', ''], '--run: the value is empty'],
  ['no namespace', ['run', ...url, '--namespace', ''], '--namespace: the value is empty'],
  ['no certificate', ['serve', '--tls-cert-file', ''], '--tls-cert-file: the value is empty'],
  ['no directory of fixtures', ['fixtures', '--out', ''], '--out: the value is empty'],
  ['an empty --output of certificates', ['certs', 'ca-key', '--output', ''], '--output: the value is empty'],
  ['no directory of certificates', ['certs', 'ca-key', '--out', ''], '--out: the value is empty'],
  ['no directory of programs', ['assets', ''], '<directory> is empty: give one'],
  ['no run', ['report', ''], '<runs> is empty: give one'],
  ['no requirement', ['explain', ''], '<what> is empty: give one'],
])('says what to do with %s', async (_, words, message) => {
  const program = programOf().hook('preAction', (__, command) => checkWords(command));
  const error: unknown = await program.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining(message) });
});

it('does not repeat the password of a URL', async () => {
  const program = programOf().hook('preAction', (__, command) => checkWords(command));
  const words = ['run', 'https://user:secret@127.0.0.1:1'];
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toThrow(/^run: write --url before the URL$/);
});

it.each([
  [undefined, 'rnu', /^there is no command rnu; did you mean run\? There are run, clean, report/],
  [undefined, 'merge', /^there is no command merge: write report$/],
  [undefined, 'test', /^there is no command test: write run$/],
  [undefined, 'Start', /^there is no command Start: write serve$/],
  [undefined, 'init', /^there is no command init: write run$/],
  [undefined, 'diff', /^there is no command diff: write report --as comparison$/],
  ['certs', 'test', /^there is no command test; there are script, ca-key/],
  [undefined, 'completions', /^there is no command completions; there are run, /],
  ['envtest', 'strat', /^there is no command strat; did you mean start\? There are start, stop/],
  ['certs', 'all', /^there is no command all; there are script, ca-key/],
])('offers the commands of %s in place of %s', (parent, word, message) => {
  const program = programOf();
  const command = parent === undefined ? program : program.commands.find((one) => one.name() === parent);
  expect(() => checkSubcommand(command as Command, word)).toThrow(message);
  for (const known of ['', 'help', '--help', undefined])
    expect(() => checkSubcommand(command as Command, known)).not.toThrow();
});
