// Tests records of runs, and the table of their servers.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runFooter, runHeader } from '../../reports/testing/sample.js';
import { caseId, choose } from '../../suites/requirements/index.js';
import { call } from '../../suites/testing/runCommand.js';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Returns evidence of a run of one requirement with failures in the first cases. */
function evidence(name: string, failures: number, asFile = name): string {
  const grep = 'list.kind › ';
  const target = { name, url: 'https://127.0.0.1:6443', serverVersion: 'v1.99.0' };
  const cases = choose({ grep }).map(({ requirement, subject }, index) => ({
    type: 'case',
    id: caseId(requirement.id, subject),
    requirement: requirement.id,
    subject: subject.id,
    verdict: index < failures ? 'failed' : 'passed',
    exchanges: [],
  }));
  const file = join(folder, `${asFile}.jsonl`);
  const lines = [runHeader({ target, choice: { grep } }), ...cases, runFooter()];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const table = (...words: readonly string[]) => call('report', '--as', 'servers', ...words);
const chosen = choose({ grep: 'list.kind › ' }).length;

describe('records and their table', () => {
  it('make a column of each run', async () => {
    const records = join(folder, 'records');
    for (const [name, failures] of [
      ['one', 0],
      ['an | odd one', 2],
    ] as const)
      expect((await call('report', '--as', 'record', evidence(name, failures), '--output', records)).code).toBe(0);
    expect(readdirSync(records).sort()).toEqual(['an---odd-one.json', 'an---odd-one.md', 'one.json', 'one.md']);
    const page = join(folder, 'docs', 'servers.md');
    const html = join(folder, 'docs', 'servers.html');
    for (const file of [page, html])
      expect(await table(records, '--output', file)).toMatchObject({ code: 0, stdout: `servers: ${file}\n` });
    expect((await table(records)).stdout).toBe(readFileSync(page, 'utf8'));
    const text = readFileSync(page, 'utf8');
    expect(text).toContain(`| **recommended** | ${chosen - 2}/${chosen} | ${chosen}/${chosen} |`);
    expect(text).toMatch(/^\| list \| [\d.]+% \| ✓ \|$/m);
    expect(text).toContain(`| \`list.kind\` | ${chosen - 2}/${chosen} | ✓ |`);
    expect(text).toContain('[an \\| odd one](reports/an---odd-one.md)');
    expect(text).toContain('v1.99.0, 2026-11-21');
    expect(readFileSync(html, 'utf8')).toContain('<code>list.kind</code>');
  });

  it.each([
    ['..', 'server'],
    ['../../outside', 'outside'],
    ['/etc/passwd', 'passwd'],
    ['.hidden', 'hidden'],
  ])('keep a server called %j in their folder', async (name, file) => {
    const records = join(folder, 'kept', file);
    const { code } = await call('report', '--as', 'record', evidence(name, 0, file), '--output', records);
    expect([code, readdirSync(records).sort()]).toEqual([0, [`${file}.json`, `${file}.md`]]);
  });

  it.each([
    ['a directory that is not there', join(folder, 'nosuch'), /no records in this directory/],
    ['something else in JSON', folder, /not a record of a run/],
  ])('a table ends with 2 for %s', async (_, directory, message) => {
    writeFileSync(join(folder, 'other.json'), '{"a":1}');
    const { code, stderr } = await table(directory);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
