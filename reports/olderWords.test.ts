// The output of earlier versions is read with current words: evidence lines, cases of a report, baselines.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseLine } from './evidenceLine.js';
import { inTodaysWords } from './olderWords.js';
import { readReport } from './reportFile.js';
import { runHeader } from './testing/sample.js';

const line = { type: 'case', id: 'a.b › c', requirement: 'a.b', subject: 'c', exchanges: [] };

it.each([
  ['not-testable', '', { verdict: 'blocked' }],
  ['not-offered', '', { verdict: 'not-supported' }],
  ['not-reached', 'gone', { verdict: 'skipped', skip: 'not-reached' }],
  ['not-run', 'the target speaks plain HTTP', { verdict: 'skipped', skip: 'could-not-run' }],
  ['not-run', 'the target is not disposable: it is not sent', { verdict: 'skipped', skip: 'not-safe' }],
  ['passed', '', { verdict: 'passed' }],
])('%s (%s)', (verdict, message, today) => {
  expect(parseLine(JSON.stringify({ ...line, verdict, message }))).toMatchObject(today);
});

it('reads the header of an earlier version, and keeps a current one', () => {
  const { notSupported, ...earlier } = runHeader();
  const absent = [{ capability: 'group:a', reason: 'old' }];
  expect(parseLine(JSON.stringify({ ...earlier, notOffered: absent }))).toMatchObject({ notSupported: absent });
  expect(parseLine(JSON.stringify({ ...earlier, notSupported }))).toMatchObject({ notSupported });
});

it.each([{ verdict: 'skipped', skip: 'not-safe' }, { verdict: 'toString' }, {}])('does not change %j', (one) => {
  const copy = { ...one };
  inTodaysWords(copy);
  expect(copy).toEqual(one);
});

it('reads a report of version 1, in which a known deviation was a deviation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'older-'));
  const { type: _, notSupported, ...run } = runHeader();
  const verdicts = ['deviation', 'not-testable', 'not-run', 'passed'];
  const cases = verdicts.map((verdict, index) => ({
    id: `a.b › ${index}`,
    requirement: 'a.b',
    subject: `${index}`,
    verdict,
  }));
  const file = join(folder, 'report.json');
  await writeFile(file, JSON.stringify({ reportVersion: 1, run: { ...run, notOffered: notSupported }, cases }));
  const read = await readReport(file).finally(() => rm(folder, { recursive: true }));
  expect([...read.cases.values()].map(({ verdict }) => verdict)).toEqual(['failed', 'blocked', 'skipped', 'passed']);
});
