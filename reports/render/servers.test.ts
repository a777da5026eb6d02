// Records side by side: the stored fields, older records, and the pages made from them.
import { describe, expect, it } from 'vitest';
import { parseRecord, recordOf, type ServerRecord } from '../serverRecord.js';
import { allHostile } from '../testing/hostile.js';
import { elements, parse } from '../testing/parse.js';
import {
  exchange,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { renderServers } from './servers.js';
import { renderServersPage } from './serversPage.js';

const rule = requirement('create.answer');
const [pods, services] = ['pods', 'services'].map((subject) => sampleCase(rule, subject));
const of = (sample: Sample): ServerRecord => recordOf(judgeSample(sample), sampleEvidence(sample));

function sampleRecord(reason: string): ServerRecord {
  if (!pods || !services) throw new Error('no cases');
  return of({
    expected: [pods, services],
    results: [result(pods, 'failed', { message: reason, exchanges: ['x1'] }), result(services, 'passed')],
    exchanges: [exchange('x1')],
    deviations: [{ requirement: rule.id, reason }],
    run: { target: { name: reason, url: 'https://127.0.0.1' } },
  });
}

it('keeps the shares of requirements, and each deviation with an exchange', () => {
  const record = sampleRecord('it is old');
  expect(record.requirements).toEqual({ 'create.answer': [1, 2, 0] });
  expect(record.deviations).toMatchObject([
    { reason: 'it is old', requirements: ['create.answer'], cases: 1, subject: 'pods' },
  ]);
  expect(record.deviations[0]?.exchange).toContain('201, after 3 ms');
  expect(parseRecord(JSON.stringify(record))).toEqual(record);
});

it('reads a record of version 1 with the current words', () => {
  const counts = {
    passed: 3,
    failed: 0,
    deviation: 1,
    'not-testable': 1,
    'not-offered': 2,
    'not-run': 1,
    'not-reached': 1,
  };
  const text = JSON.stringify({
    ...{ format: 1, name: 'old', version: '0.1.0', startedAt: '2026-11-21T10:00:00.000Z', line: 'partial' },
    chapters: { conventions: { required: counts, recommended: counts } },
  });
  const today = { passed: 3, failed: 0, blocked: 1, 'known-deviation': 1, 'not-supported': 2, skipped: 2 };
  expect(parseRecord(text)).toMatchObject({ chapters: { responses: { required: today, recommended: today } } });
  expect(renderServers([parseRecord(text) as ServerRecord])).toContain('| **required** | 3/5 |');
});

it.each(['', '{', 'null', '{"format":3,"name":"a","chapters":{}}', '{"format":2,"name":"a"}'])(
  'does not accept %j as a record',
  (text) => expect(parseRecord(text)).toBeUndefined(),
);

describe('the page', () => {
  const page = (...records: readonly ServerRecord[]) => elements(parse(renderServersPage(records), 'html'));

  it('has servers as columns, chapters that open, deviations with their exchange, and a description', () => {
    const all = page(sampleRecord('one'), sampleRecord('two'));
    const texts = all.map(({ text }) => text);
    expect(
      texts.filter((text) => text.trim() === '1/2').length + texts.filter((text) => / 1\/2$/.test(text)).length,
    ).toBeGreaterThan(2);
    expect(all.find(({ name }) => name === 'pre')?.text).toContain('201, after 3 ms');
    expect(all.some(({ attributes }) => attributes.property === 'og:title')).toBe(true);
  });

  it('keeps hostile text as text', () => {
    const names = new Set(page(sampleRecord(allHostile)).map(({ name }) => name));
    expect([...names].filter((name) => ['img', 'x', 'iframe', 'script'].includes(name))).toEqual([]);
  });
});
