// The message and the colour of the badge.
import { describe, expect, it } from 'vitest';
import { allElements, parseMarkup } from '../testing/parse.js';
import { judgeSample, requirement, result, type Sample, sampleCase, sampleEvidence } from '../testing/sample.js';
import { renderBadge, renderBadgeEndpoint } from './badge.js';

const rule = requirement('create.answer');
const one = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods');
const other = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/services');
const failed: Sample = { expected: [one], results: [result(one, 'failed', { message: 'x' })] };

const badges: readonly (readonly [message: string, Sample])[] = [
  ['conformant', { expected: [one], results: [result(one, 'passed')] }],
  ['conformant, 1 known deviation', { ...failed, deviations: [{ requirement: rule.id, reason: 'it is old' }] }],
  [
    'conformant, of a selection',
    { expected: [one], results: [result(one, 'passed')], run: { choice: { grep: 'POST' } } },
  ],
  [
    'partial',
    {
      expected: [one, other],
      results: [result(one, 'not-supported', { message: 'no group' }), result(other, 'passed')],
    },
  ],
  ['not conformant, 1 failed', failed],
  ['not conformant', { expected: [one], results: [result(one, 'passed')], end: { leftovers: ['namespaces/a'] } }],
  [
    'interrupted',
    { expected: [one, other], results: [result(one, 'passed')], end: { aborted: 'interrupted (SIGINT)' } },
  ],
  ['ended early', { expected: [one, other], results: [result(one, 'passed')], end: { aborted: 'gone' } }],
  ['could not run', { expected: [one], end: { aborted: '<svg onload=alert(1)>' } }],
];

const svg = (sample: Sample) =>
  parseMarkup(
    `<?xml version="1.0" encoding="UTF-8"?>${renderBadge(judgeSample(sample), sampleEvidence(sample))}`,
    'xml',
  );

/** Returns the contrast of white text on a colour, according to WCAG 2. */
function contrastWithWhite(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

describe('the badge', () => {
  it.each(badges)('says: %s', (message, sample) => {
    const root = svg(sample);
    const title = `kube-api-conformance: ${message}`;
    expect(root.attributes).toMatchObject({ role: 'img', 'aria-label': title });
    expect(allElements(root).find(({ name }) => name === 'title')?.text).toBe(title);
    expect(
      allElements(root)
        .filter(({ name }) => name === 'text')
        .map(({ text }) => text),
    ).toEqual(['kube-api-conformance', message]);
    expect(JSON.parse(renderBadgeEndpoint(judgeSample(sample), sampleEvidence(sample)))).toMatchObject({
      schemaVersion: 1,
      label: 'kube-api-conformance',
      message,
    });
  });

  it('has a colour for each outcome, on which white can be read', () => {
    const colours = badges.map(
      ([, sample]) =>
        allElements(svg(sample))
          .filter(({ name }) => name === 'rect')
          .at(-1)?.attributes.fill ?? '',
    );
    expect(new Set(colours).size).toBe(5);
    for (const colour of colours) expect(contrastWithWhite(colour)).toBeGreaterThan(4.5);
  });
});
