// Files that were written before a chapter was renamed are read with the current name: evidence, records.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEvidence } from './evidence.js';
import { parseRecord } from './serverRecord.js';
import { requirement, result, runHeader, sampleCase } from './testing/sample.js';

const old = sampleCase(requirement('conventions.status'), 'server');
const today = 'responses.status › server';

it('older evidence gets the new names of chapters', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'renamed-'));
  try {
    const file = join(directory, 'evidence.jsonl');
    const header = {
      ...runHeader(),
      deviations: [
        { requirement: 'conventions.status', reason: 'known' },
        { requirement: ['conventions.body-kind', 'create.answer'], reason: 'known' },
      ],
      choice: { chapters: ['conventions', 'list'], grep: 'conventions.status' },
      baseline: { file: 'before.jsonl', failed: ['conventions.status › server', 'list.kind › server'] },
    };
    await writeFile(file, [header, result(old, 'failed')].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { run, cases } = await readEvidence(file);
    expect([...cases.values()]).toMatchObject([{ id: today, requirement: 'responses.status' }]);
    expect(run).toMatchObject({
      deviations: [{ requirement: 'responses.status' }, { requirement: ['responses.body-kind', 'create.answer'] }],
      choice: { chapters: ['responses', 'list'], grep: 'responses.status' },
      baseline: { failed: [today, 'list.kind › server'] },
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('an older record gets them too', () => {
  const counts = { required: {}, recommended: {} };
  const text = JSON.stringify({ format: 1, name: 'a', chapters: { conventions: counts, list: counts } });
  expect(Object.keys(parseRecord(text)?.chapters ?? {})).toEqual(['responses', 'list']);
});
