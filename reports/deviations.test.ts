import { describe, expect, it } from 'vitest';
import { ofRule, pods, rule, services } from './testing/cases.js';
import { judgeSample, result, type Sample } from './testing/sample.js';

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
    expect(first?.message).toMatch(/ of target sample \(some-server\.yaml:7\)$/);
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
    ['one was not selected', { results: [result(pods, 'passed')], run: { grep: 'pods' } }, 0],
    ['the requirement does not exist', { deviations: [{ ...ofRule, requirement: 'create.anwser' }] }, 1],
    ['no subject has the text', { deviations: [{ ...ofRule, subject: 'pdos' }] }, 1],
  ];
  it.each(partly)('%s', (_, sample, expected) => {
    expect(stale(sample)).toHaveLength(expected);
  });
});
