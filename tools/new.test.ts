// The command that writes the skeletons of a requirement, in a copy of the project.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '..');
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'new-'));
  for (const part of [
    'matrix',
    'suites',
    'test-certs',
    'tools/new.mjs',
    'tsconfig.base.json',
    'package.json',
    'biome.json',
    '.gitignore',
  ])
    cpSync(join(project, part), join(copy, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['tools/new.mjs', ...words], { cwd: copy, encoding: 'utf8' });
  return { status, stdout, stderr };
}
/** Compiles the suite of the copy, and throws if that fails. Several threads would check the same types, each for itself. */
const compile = (): Buffer =>
  execFileSync(join(project, 'node_modules/.bin/tsc'), ['-b', 'suites', '--singleThreaded'], {
    cwd: copy,
    stdio: 'pipe',
  });
const read = (file: string): string => readFileSync(join(copy, file), 'utf8');

describe('a new requirement', () => {
  it('is a row, a check, a fault and an id, which compile', () => {
    const { status, stdout } = run('requirement', 'log.keeps-order', 'textLogs');
    expect(status).toBe(0);
    for (const place of stdout.matchAll(/^ {2}(suites\S+):(\d+)/gm)) {
      const [, file = '', line] = place;
      expect(read(file).split('\n')[Number(line) - 1]).toContain('keeps-order');
    }
    expect(read('suites/log/requirements.ts')).toMatch(/'keeps-order': \{\n {4}level: 'recommended',/);
    expect(read('suites/log/content.ts')).toContain("fail('write the check of log.keeps-order')");
    expect(read('suites/log/faults.ts')).toContain("'keeps-order', [])");
    expect(read('suites/requirements/ids.txt').split('\n')).toContain('log.keeps-order');
    compile();
  });

  it('on subjects that the chapter does not have yet gets a group', () => {
    expect(run('requirement', 'list.keeps-order', 'watchAnswers').status).toBe(0);
    expect(read('suites/list/list.spec.ts')).toMatch(/group\(\{\n {4}subjects: 'watchAnswers',/);
    compile();
  });

  it.each([
    [['requirement', 'create.own-uid'], 'create.own-uid exists: see suites/create/requirements.ts'],
    [['requirement', 'nothing.new'], 'there is no chapter nothing with checks; the chapters are admission, '],
    [
      ['requirement', 'create.new', 'nothing'],
      'there are no subjects nothing: add the set to a file of matrix/subjects',
    ],
    [['requirement', 'create.Some_Name'], '"create.Some_Name" is not an id'],
    [[], 'usage: npm run new requirement <chapter>.<name> [subjects]'],
  ])('that cannot be written changes nothing: %j', (words, message) => {
    const before = read('suites/requirements/ids.txt');
    const { status, stderr } = run(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(read('suites/requirements/ids.txt')).toBe(before);
  });
});
