// Records side by side: the stored fields, older records, and the pages made from them.
import { describe, expect, it } from 'vitest';
import { allElements, parseMarkup } from '../../testing/parse.js';
import {
  allHostile,
  exchange,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../../testing/sample.js';
import { parseRecord, recordOf, type ServerRecord } from './serverRecord.js';
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

it.each([
  '',
  '{',
  'null',
  '{"format":1,"name":"a","chapters":{}}',
  '{"format":3,"name":"a","chapters":{}}',
  '{"format":2,"name":"a"}',
])('does not accept %j as a record', (text) => expect(parseRecord(text)).toBeUndefined());

describe('the page', () => {
  const page = (...records: readonly ServerRecord[]) => allElements(parseMarkup(renderServersPage(records), 'html'));

  it('has servers as columns, chapters that open, deviations with their exchange, and a description', () => {
    const all = page(sampleRecord('one'), sampleRecord('two'));
    const texts = all.map(({ text }) => text);
    expect(
      texts.filter((text) => text.trim() === '1/2').length + texts.filter((text) => / 1\/2$/.test(text)).length,
    ).toBeGreaterThan(2);
    expect(all.find(({ name }) => name === 'pre')?.text).toContain('201, after 3 ms');
    expect(all.some(({ attributes }) => attributes.property === 'og:title')).toBe(true);
  });

  it('names the units of its numbers, cuts no verdict, and explains its signs', () => {
    const record = { ...sampleRecord('it is old'), line: `partial: ${'not supported '.repeat(60)}the end` };
    const text = renderServersPage([record]).replaceAll(/<[^>]+>/g, '');
    expect(text).toContain('Known deviations: 1 reason, 1 requirement, 1 case');
    expect(text).toContain('the end');
    expect(text).not.toMatch(/characters more|say something/);
    expect(text).toContain('≈ some deviate');
  });

  it('keeps hostile text as text', () => {
    const names = new Set(page(sampleRecord(allHostile)).map(({ name }) => name));
    expect([...names].filter((name) => ['img', 'x', 'iframe', 'script'].includes(name))).toEqual([]);
  });
});
