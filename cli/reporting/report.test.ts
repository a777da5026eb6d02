// Tests reports and comparisons on realistic evidence.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, result, runFooter, runHeader } from '../../reports/testing/sample.js';
import { allCases, type CaseVerdict, type EvidenceLine } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { registerReport } from './report.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const grep = 'POST /api/v1/namespaces/{namespace}/pods';
const cases = allCases().filter(({ id }) => id.includes(grep));
const files = ['badge.json', 'badge.svg', 'index.html', 'junit.xml', 'map.svg', 'report.json', 'summary.md'];

let folder: string;
const inFolder = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  await write('good/evidence.jsonl', linesOf('passed', 'one'));
  await write('bad/evidence.jsonl', linesOf('failed', 'two'));
  const [head = '', ...rest] = linesOf('passed', 'three').split('\n');
  await write('interrupted/evidence/0-run.jsonl', `${head}\n`);
  await write('interrupted/evidence/worker-1.jsonl', rest.slice(0, 4).join('\n'));
  await write('other.jsonl', linesOf('passed', 'four'));
  await write('empty.jsonl', '');
  await write('binary.jsonl', '\x1b[2J\x00\x01 garbage\nmore\n');
  await write('list.jsonl', '[]\n{}\n');
  await write('wrong.json', '{"reportVersion":9}');
  await write('neverBegan.json', '{"reportVersion":2,"cases":[]}');
  await write('file', '');
  await mkdir(inFolder('nothing'));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(join(inFolder(name), '..'), { recursive: true });
  await writeFile(inFolder(name), text);
}

/** Returns the evidence of a run on pods: the first case has the given verdict, all others pass. */
function linesOf(verdict: CaseVerdict, name: string): string {
  const lines: EvidenceLine[] = [
    runHeader({ runId: name, choice: { grep }, target: { name, url: 'https://127.0.0.1:1' } }),
    exchange('x1'),
    ...cases.map((one, index) =>
      index === 0 ? result(one, verdict, { message: 'wanted 200', exchanges: ['x1'] }) : result(one, 'passed'),
    ),
    runFooter(),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function cli(...words: string[]) {
  const run = promisify(execFile)(process.execPath, [main, ...words], { cwd: folder });
  return await run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

/** Runs the command in this process, on paths in the folder. Returns the error that its user is shown, as one line. */
async function refusal(...words: string[]): Promise<string> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  registerReport(program);
  // without --output, the command looks into the folder `report` of whoever runs the tests
  const all = words.some((word) => /^--(output|as)$/.test(word)) ? words : [...words, '--output', 'refused'];
  const here = all.map((word) => (/^(-|comparison$)/.test(word) ? word : inFolder(word)));
  const error: unknown = await program.parseAsync(['report', ...here], { from: 'user' }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
}

const compare = (...words: string[]) => cli('report', '--as', 'comparison', ...words);

describe('report', () => {
  it.each([
    ['a file', ['good/evidence.jsonl'], 0],
    ['the directory of a run', ['good'], 0],
    ['a run that failed', ['bad'], 1],
    ['a run that was killed', ['interrupted'], 2],
  ])('makes every format from %s', async (_, paths, code) => {
    const output = inFolder(`out-${paths.join('-').replaceAll('/', '-')}`);
    const done = await cli('report', ...paths, '--output', output);
    expect([done.code, done.stderr]).toEqual([code, '']);
    expect((await readdir(output)).sort()).toEqual(files);
    expect(done.stdout).toContain(`report: ${join(output, 'index.html')}`);
  });

  it('merges several files of one run', async () => {
    const parts = ['interrupted/evidence/0-run.jsonl', 'interrupted/evidence/worker-1.jsonl'];
    const done = await cli('report', ...parts, '--output', 'out-parts');
    expect(done.code).toBe(2);
    expect(done.stdout).toContain('could not run: the run was killed');
  });

  it.each([
    ['a file that is not there', ['absent.jsonl'], 'absent.jsonl: no such file'],
    ['a directory without evidence', ['nothing'], 'nothing: no evidence in this directory'],
    ['one beside a run that has no shards', ['good', 'nothing'], 'nothing: no evidence in this directory'],
    ['an empty file', ['empty.jsonl'], 'empty.jsonl: contains no run, because it is empty'],
    ['an empty file, whatever the output has', ['empty.jsonl', '--output', 'good'], 'empty.jsonl: contains no run'],
    ['a folder with the folders of runs', ['.'], '/bad'],
    ['one folder twice', ['good', 'good'], 'good is given twice: give each run once'],
    ['a folder and its file', ['good', 'good/evidence.jsonl'], 'evidence.jsonl is given twice: give each run once'],
    ['a binary file', ['binary.jsonl'], 'binary.jsonl:1: not a line of evidence'],
    ['other JSON', ['list.jsonl'], 'list.jsonl:1: not a line of evidence: it is not an object'],
    ['two runs', ['good', 'bad'], 'run two among the evidence of run one'],
    ['an output that is a file', ['good', '--output', 'file'], 'give another folder'],
  ])('reports on one line: %s', async (_, words, part) => {
    const message = await refusal(...words);
    expect(message).toContain(part);
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  it.each([
    ['a binary file', ['binary.jsonl'], 'binary.jsonl:1: not a line of evidence'],
    ['nothing', [], "missing required argument 'runs'"],
    ['another rendering', ['good', '--as', 'deviation'], 'Allowed choices are report, comparison, deviations'],
  ])('ends with 2: %s', async (_, words, part) => {
    const { code, stdout, stderr } = await cli('report', ...words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(part);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

it('report writes into no folder that has the evidence of another run', async () => {
  await cp(inFolder('bad'), inFolder('taken'), { recursive: true });
  const { code, stderr } = await cli('report', 'good', '--output', 'taken');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^\S*taken has the evidence of another run: give a folder/),
  ]);
  expect((await cli('report', 'taken', '--output', 'taken')).code).toBe(1);
});

it('report reads compressed evidence by either name, and says what is no gzip file', async () => {
  await write('packed/evidence.jsonl.gz', '');
  await writeFile(inFolder('packed/evidence.jsonl.gz'), gzipSync(linesOf('passed', 'one')));
  for (const path of ['packed', 'packed/evidence.jsonl', 'packed/evidence.jsonl.gz'])
    expect((await cli('report', path, '--output', 'from-packed')).code, path).toBe(0);
  await write('no.gz', 'text');
  const { code, stderr } = await cli('report', 'no.gz');
  expect([code, stderr]).toEqual([2, expect.stringContaining('no.gz: not a whole gzip file: incorrect header check')]);
});

describe('report --as comparison', () => {
  it.each([
    ['good', 'other.jsonl', 0, 'The runs agree: 0 requirements worse'],
    ['good', 'bad/evidence.jsonl', 1, 'two is worse than one: 1 requirement worse, 0 better'],
    ['bad', 'good', 0, 'one is better than two: 0 requirements worse, 1 better'],
  ])('%s with %s', async (before, after, code, part) => {
    const done = await compare(before, after, '--output', 'compared');
    expect([done.code, done.stderr]).toEqual([code, '']);
    expect(done.stdout).toContain(part);
    expect(done.stdout).toContain(`comparison: ${inFolder('compared/compare.html')}`);
    const json = JSON.parse(await readFile(inFolder('compared/compare.json'), 'utf8')) as { exitCode: number };
    expect(json.exitCode).toBe(code);
    expect(await readFile(inFolder('compared/compare.html'), 'utf8')).toContain('<!doctype html>');
  });

  it('reads report.json as it reads its evidence', async () => {
    await cli('report', 'bad', '--output', 'bad-report');
    await mkdir(inFolder('published'));
    await cp(inFolder('bad-report/report.json'), inFolder('published/report.json'));
    const one = await compare('good', 'bad', '--output', 'one');
    for (const path of ['bad-report/report.json', 'published']) {
      const other = await compare('good', path, '--output', 'other');
      expect(other.code).toBe(1);
      expect(other.stdout.replaceAll('other/', 'one/')).toBe(one.stdout);
    }
  });

  it('names runs on one target by their paths', async () => {
    const { stdout } = await compare('good', 'good/evidence.jsonl', '--output', 'compared');
    expect(stdout).toContain('one (good)');
    expect(stdout).toContain('one (good/evidence.jsonl)');
    const same = await compare(inFolder('good'), inFolder('good'), '--output', 'compared');
    expect(same.stdout).toContain('one (run 2)');
  });

  it('tells nothing of the machine', async () => {
    await compare(inFolder('good'), inFolder('good/evidence.jsonl'), '--output', 'compared');
    for (const name of ['html', 'md', 'json'])
      expect(await readFile(inFolder(`compared/compare.${name}`), 'utf8'), name).not.toContain(folder);
  });

  it.each([
    ['one run', ['good'], 'one run is not enough'],
    ['a path that is not there', ['good', 'absent'], 'absent: no such file'],
    ['an unknown report.json', ['good', 'wrong.json'], 'its reportVersion is 9, not 2'],
    ['the report of nothing', ['good', 'neverBegan.json'], 'the report of a run that did not start'],
    ['no JSON', ['good', 'binary.jsonl'], 'not a line of evidence'],
    ['an output that is a file', ['good', 'bad', '--output', 'file'], /^cannot write .*file\/compare\.html: /],
  ])('reports on one line: %s', async (_, words, part) => {
    const message = await refusal('--as', 'comparison', ...words);
    expect(message).toMatch(part);
    expect(message).not.toContain('\n');
  });

  it('ends with 2 if it cannot be made', async () => {
    const { code, stdout, stderr } = await compare('good');
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toContain('one run is not enough');
  });
});
