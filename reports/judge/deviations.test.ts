// Declarations that no longer hold, and those that were not seen.
import { describe, expect, it } from 'vitest';
import { renderAnnotations } from '../render/github.js';
import { renderMarkdown } from '../render/markdown.js';
import { renderSummary } from '../render/text.js';
import { judgeSample, ofRule, pods, result, rule, type Sample, sampleEvidence, services } from '../testing/sample.js';

describe('stale deviations', () => {
  const stale = (sample: Sample) =>
    judgeSample({ deviations: [ofRule], expected: [pods, services], ...sample }).staleDeviations;

  it('name the line to delete', () => {
    const [first] = stale({
      expected: [pods],
      results: [result(pods, 'passed')],
      deviations: [{ ...ofRule, subject: 'pods' }],
    });
    expect(first?.message).toBe(
      'its only case passes now: delete the deviation "requirement: create.answer, subject: pods" of target sample',
    );
  });

  const sometimes: readonly (readonly [string, Sample, number, number])[] = [
    ['is not seen', { results: [result(pods, 'passed'), result(services, 'passed')] }, 0, 1],
    ['is seen', { results: [result(pods, 'failed'), result(services, 'passed')] }, 0, 0],
    ['could not be seen', { results: [result(pods, 'not-supported'), result(services, 'not-supported')] }, 0, 0],
    ['is of no requirement', { deviations: [{ ...ofRule, requirement: 'create.anwser', sometimes: true }] }, 1, 0],
    ['is of no subject', { deviations: [{ ...ofRule, subject: 'pdos', sometimes: true }] }, 1, 0],
  ];
  it.each(sometimes)('of a deviation that is seen sometimes and %s', (_, sample, stale, notes) => {
    const verdict = judgeSample({
      deviations: [{ ...ofRule, sometimes: true }],
      requirements: [rule],
      expected: [pods, services],
      ...sample,
    });
    expect(verdict.staleDeviations).toHaveLength(stale);
    expect(verdict.notes).toHaveLength(notes);
    if (notes > 0) expect(verdict.notes[0]).toContain('not seen in this run: create.answer (it is old)');
  });

  it('name the file and line if they are known', () => {
    const [first] = stale({
      expected: [pods],
      results: [result(pods, 'passed')],
      deviations: [{ ...ofRule, at: 'some-server.yaml:7' }],
    });
    expect(first?.message).toMatch(/^some-server\.yaml:7: its only case passes now: .* of target sample$/);
  });

  it('have their file and line in every format, whatever they cover', () => {
    const long = Array.from(
      { length: 40 },
      (_, index) => `POST /apis/a/v1/namespaces/{namespace}/kinds${index}, ${'x'.repeat(80)}`,
    );
    const sample: Sample = {
      expected: [pods],
      results: [result(pods, 'passed')],
      deviations: [{ ...ofRule, subject: [pods.subject.id, ...long], at: 'target.yaml:17' }],
    };
    const verdict = judgeSample(sample);
    const line =
      /target\.yaml:17: its only case passes now: delete the deviation "requirement: \S+, subject: [^"]+ and 39 more" of target sample/;
    expect(renderSummary(verdict)).toMatch(line);
    expect(renderMarkdown(verdict, sampleEvidence(sample))).toMatch(line);
    expect(renderAnnotations(verdict)).toContain('target.yaml:17');
  });

  const partly: readonly (readonly [string, Sample, number])[] = [
    ['one of two cases still fails', { results: [result(pods, 'passed'), result(services, 'failed')] }, 0],
    ['every case passes', { results: [result(pods, 'passed'), result(services, 'passed')] }, 1],
    [
      'one is not supported, the other passes',
      { results: [result(pods, 'passed'), result(services, 'not-supported')] },
      1,
    ],
    ['none is offered', { results: [result(pods, 'not-supported'), result(services, 'not-supported')] }, 0],
    ['one was skipped', { results: [result(pods, 'passed'), result(services, 'skipped')] }, 0],
    ['one could not be tested', { results: [result(pods, 'passed'), result(services, 'blocked')] }, 0],
    ['one has no evidence', { results: [result(pods, 'passed')] }, 0],
    ['one was not selected', { results: [result(pods, 'passed')], run: { choice: { grep: 'pods' } } }, 0],
    ['the requirement does not exist', { deviations: [{ ...ofRule, requirement: 'create.anwser' }] }, 1],
    ['no subject has the text', { deviations: [{ ...ofRule, subject: 'pdos' }] }, 1],
  ];
  it.each(partly)('%s', (_, sample, expected) => {
    expect(stale(sample)).toHaveLength(expected);
  });
});
