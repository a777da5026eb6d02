// Tests the completion of a shell in bash itself, and that the scripts name every command and option.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPath } from '../reference-server/testing/programs.js';
import { main } from './testing/serving.js';

const scriptOf = (shell: string): string =>
  execFileSync(process.execPath, [main, 'completion', shell], { encoding: 'utf8' });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'));
  writeFileSync(join(folder, 'completion'), scriptOf('bash'));
  writeFileSync(join(folder, 'mine.yaml'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what bash offers for the last of the words. */
function offered(...words: readonly string[]): string[] {
  const script = `source ./completion
COMP_WORDS=(kube-api-conformance "$@") COMP_CWORD=$#
_kube_api_conformance
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const stdout = execFileSync('bash', ['-c', script, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash offers', () => {
  it.each([
    ['commands', ['re'], ['report']],
    ['options of the program', ['--v'], ['--version']],
    [
      'options of a command',
      ['run', '--nam'],
      ['--namespace', '--namespace-server', '--namespace-server-ca', '--name'],
    ],
    ['options after others', ['run', '--read-only', '--his'], ['--history', '--histories']],
    ['subcommands', ['certs', 'ca'], ['ca-key', 'ca-cert']],
    ['options of a subcommand', ['envtest', 'start', '--st'], ['--state']],
    ['values', ['run', '--profile', 's'], ['smoke', 'standard']],
    ['choices', ['report', '--as', 'd'], ['deviations']],
    ['the last value of a list', ['run', '--chapter', 'create,wat'], ['create,watch']],
    ['features of the server', ['serve', '--without', 'dry'], ['dry-run']],
    ['requirements', ['explain', 'create.ans'], ['create.answer']],
    ['no options before they begin', ['report', ''], []],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['files', ['run', '--ca', 'm'], ['mine.yaml']],
    ['files after =, in one word', ['run', '--ca=m'], ['--ca=mine.yaml']],
    ['files after =, where it divides words', ['run', '--ca', '=', 'm'], ['mine.yaml']],
    ['values right after =', ['run', '--profile', '='], ['smoke', 'standard', 'full']],
    ['values of a list after =', ['run', '--chapter=create,wat'], ['--chapter=create,watch']],
    ['commands to help with', ['help', 're'], ['report']],
    ['help', ['hel'], ['help']],
    ['nothing else', ['run', '--tokne'], []],
  ])('%s', (_, words, expected) => expect(offered(...words)).toEqual(expected));
});

it('zsh takes the function of bash', () => {
  const [first, ...rest] = scriptOf('zsh').split('\n');
  expect([first, rest.join('\n')]).toEqual(['autoload -U +X bashcompinit && bashcompinit', scriptOf('bash')]);
});

const fish = onPath('fish');

it.skipIf(fish === undefined).each([
  ['run --chapter list,wat', 'list,watch'],
  ['run --profile sm', 'smoke'],
  ['help re', 'report'],
])('fish completes %s', (typed, expected) => {
  writeFileSync(join(folder, 'fish'), scriptOf('fish'));
  const script = `source ./fish; complete -C 'kube-api-conformance ${typed}'`;
  const stdout = execFileSync(fish ?? '', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  });
  expect(stdout.split('\n').map((line) => line.split('\t')[0])).toContain(expected);
});

it('fish has each option with its values and its meaning', () => {
  const lines = scriptOf('fish').split('\n');
  for (const line of [
    "complete -c kube-api-conformance -n '__fish_use_subcommand' -f -a run -d 'run the suite against a server'",
    "complete -c kube-api-conformance -n '__fish_seen_subcommand_from certs' -f -a ca-key -d 'step 1: write ca.key, an RSA key of 2048 bits'",
    "complete -c kube-api-conformance -n '__fish_seen_subcommand_from run' -l ca -r -d 'the CA that signed the server\\'s certificate, PEM'",
  ])
    expect(lines).toContain(line);
  expect(lines.find((line) => line.includes("from run' -l features "))).toContain(
    `-x -a '(__fish_complete_list , "printf \\'%s\\\\n\\' `,
  );
  expect(lines).toContain(
    "complete -c kube-api-conformance -n '__fish_seen_subcommand_from help' -f -a run -d 'run the suite against a server'",
  );
  const isProfile = (line: string): boolean => line.includes("from run' -l profile -x -a 'smoke standard full' -d ");
  expect(lines.filter(isProfile)).toHaveLength(1);
  expect(lines.filter((line) => line !== '' && !line.startsWith('complete -c kube-api-conformance -n '))).toEqual([]);
});
