import { describe, expect, it } from 'vitest';
import { ofRule, pods, rule, services } from './testing/cases.js';
import { judgeSample, requirement, result, type Sample } from './testing/sample.js';

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

  it('name the file and line where that is known', () => {
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
    ['one is not offered, the other passes', { results: [result(pods, 'passed'), result(services, 'not-offered')] }, 1],
    ['none is offered', { results: [result(pods, 'not-offered'), result(services, 'not-offered')] }, 0],
    ['one was not run', { results: [result(pods, 'passed'), result(services, 'not-run')] }, 0],
    ['one could not be tested', { results: [result(pods, 'passed'), result(services, 'not-testable')] }, 0],
    ['one has no evidence', { results: [result(pods, 'passed')] }, 0],
    ['one was not selected', { results: [result(pods, 'passed')], run: { grep: 'pods' } }, 0],
    ['the requirement does not exist', { deviations: [{ ...ofRule, requirement: 'create.anwser' }] }, 1],
    ['no subject has the text', { deviations: [{ ...ofRule, subject: 'pdos' }] }, 1],
    [
      'the requirement is planned',
      {
        requirements: [rule, requirement('patch.merge', 'stated', { planned: 'issue 3' })],
        deviations: [{ ...ofRule, requirement: 'patch.merge' }],
      },
      0,
    ],
  ];
  it.each(partly)('%s', (_, sample, expected) => {
    expect(stale(sample)).toHaveLength(expected);
  });
});
