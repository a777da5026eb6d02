// The states of requirements, and what a verdict counts.
import { describe, expect, it } from 'vitest';
import { allCases, requirements } from '../../suites/requirements/index.js';
import {
  jobs,
  judgeSample,
  ofRule,
  pods,
  requirement,
  result,
  rule,
  type Sample,
  sampleCase,
  sampleEvidence,
  services,
} from '../testing/sample.js';
import { judge } from './verdict.js';

describe('a requirement', () => {
  const stateOfRule = (sample: Sample) => judgeSample({ requirements: [rule], ...sample }).requirements[0]?.state;

  it.each([
    ['failed', ['passed', 'failed', 'blocked']],
    ['blocked', ['passed', 'blocked', 'skipped']],
    ['passed', ['passed', 'skipped', 'not-supported']],
    ['skipped', ['not-supported', 'skipped']],
    ['not-supported', ['not-supported']],
  ] as const)('is %s with cases %j', (state, verdicts) => {
    const cases = [pods, services, jobs].slice(0, verdicts.length);
    const results = cases.map((one, index) => result(one, verdicts[index] ?? 'passed'));
    expect(stateOfRule({ expected: cases, results })).toBe(state);
  });

  it('is a deviation if its failures are declared, and failed if others fail', () => {
    const deviations = [{ ...ofRule, subject: 'pods' }];
    const expected = [pods, services];
    const passed = [result(pods, 'failed'), result(services, 'passed')];
    expect(stateOfRule({ expected, deviations, results: passed })).toBe('known-deviation');
    const failed = [result(pods, 'failed'), result(services, 'failed')];
    expect(stateOfRule({ expected, deviations, results: failed })).toBe('failed');
  });

  it('without cases is unobservable or untested', () => {
    const rows = [
      requirement('a.hidden', 'required', { observable: false, reason: 'no request shows it' }),
      requirement('a.empty'),
    ];
    const { requirements: judged } = judgeSample({
      requirements: [rule, ...rows],
      expected: [pods],
      results: [result(pods, 'passed')],
    });
    expect(judged.map(({ state }) => state)).toEqual(['passed', 'unobservable', 'untested']);
  });
});

describe('a case', () => {
  it('without evidence fails with a message; in a stopped run it is not reached', () => {
    const { cases } = judgeSample({ expected: [pods, services], results: [result(pods, 'passed')] });
    expect(cases[1]).toMatchObject({
      verdict: 'failed',
      missing: true,
      message: 'no verdict: the run ended before this case finished',
    });
    const aborted = judgeSample({ expected: [pods], end: { aborted: 'gone' } });
    expect(aborted.cases[0]).toMatchObject({ verdict: 'skipped', skip: 'not-reached', missing: true, message: 'gone' });
    const killed = judgeSample({ expected: [pods, services], results: [result(pods, 'passed')], end: null });
    expect(killed.requirements.map(({ state }) => state)).not.toContain('failed');
    expect(killed.cases[1]).toMatchObject({ verdict: 'skipped', skip: 'not-reached', message: 'the run was killed' });
  });

  it('keeps its reason as a deviation', () => {
    const { cases, counts } = judgeSample({
      expected: [pods],
      results: [result(pods, 'failed')],
      deviations: [ofRule],
    });
    expect(cases[0]).toMatchObject({ verdict: 'known-deviation', deviation: ofRule });
    expect(counts.required).toMatchObject({ passed: 0, failed: 0, 'known-deviation': 1 });
  });
});

describe('conventions', () => {
  const habits = ['a', 'b', 'c', 'd'].map((name) => sampleCase(requirement(`errors.${name}`, 'recommended'), 'server'));
  const [a, b, c, d] = habits as [typeof pods, typeof pods, typeof pods, typeof pods];
  it('are counted on their own line: passed of judged', () => {
    const { recommended } = judgeSample({
      expected: [pods, ...habits],
      results: [
        result(pods, 'passed'),
        result(a, 'passed'),
        result(b, 'failed'),
        result(c, 'not-supported'),
        result(d, 'failed'),
      ],
      deviations: [{ requirement: 'errors.d', reason: 'old' }],
    });
    expect(recommended).toEqual({ held: 1, judged: 3, line: 'recommended: 1 of 3 (1 known deviation)' });
  });
});

describe('the real matrix', () => {
  it('is complete by default: every requirement, and every case that grep selects', () => {
    const [first] = allCases();
    if (!first) throw new Error('the matrix has no cases');
    const verdict = judge(sampleEvidence({ results: [result(first, 'passed')] }));
    // Those of a server's own OpenAPI are asked only of the kinds that it declares.
    const asked = requirements.filter(({ chapter }) => chapter !== 'openapi');
    expect(verdict.requirements.map(({ requirement: { id } }) => id)).toEqual(asked.map(({ id }) => id));
    expect(verdict.cases.filter(({ missing }) => missing)).toHaveLength(allCases().length - 1);
    const one = judge(sampleEvidence({ results: [result(first, 'passed')], run: { choice: { grep: first.id } } }));
    expect(one.cases.filter(({ missing }) => missing).every(({ id }) => id.includes(first.id))).toBe(true);
  });
});

describe('a case that ran under an alias', () => {
  const aliased = (verdict: 'passed' | 'failed' | 'blocked') =>
    judgeSample({
      expected: [pods, services, jobs],
      results: [
        result(pods, 'passed'),
        result(services, verdict, { alias: 'apps/v1', message: 'm' }),
        result(jobs, 'failed', { alias: 'apps/v1' }),
      ],
    });

  it.each(['passed', 'failed', 'blocked'] as const)('that %s changes neither verdict nor exit code', (verdict) => {
    const { exitCode, line, reasons, counts, aliased: aliasedPart } = aliased(verdict);
    expect({ exitCode, reasons }).toEqual({ exitCode: 0, reasons: [] });
    expect(line).toMatch(/^partial: /);
    expect(counts.required).toMatchObject({ passed: 1, failed: 0, blocked: 0, 'not-supported': 2 });
    const lines = {
      passed: '1 passed, 1 failed',
      failed: '0 passed, 2 failed',
      blocked: '0 passed, 1 failed, 1 blocked',
    };
    expect(aliasedPart.line).toBe(`aliased: ${lines[verdict]}`);
    expect(aliasedPart.cases.map((one) => [one.subject, one.verdict])).toEqual([
      [services.subject.id, verdict],
      [jobs.subject.id, 'failed'],
    ]);
  });

  it('does not make a deviation stale, and deviates under one', () => {
    const { aliased: aliasedPart, staleDeviations } = judgeSample({
      expected: [pods, services],
      deviations: [{ ...ofRule }],
      results: [result(pods, 'not-supported'), result(services, 'failed', { alias: 'apps/v1' })],
    });
    expect(staleDeviations).toEqual([]);
    expect(aliasedPart.line).toBe('aliased: 0 passed, 0 failed, 1 known deviation');
  });
});

it('a run without aliases does not mention them', () => {
  expect(judgeSample({ expected: [pods], results: [result(pods, 'passed')] }).aliased).toEqual({ cases: [], line: '' });
});

it('merges the notes of passed cases about one thing in one line', () => {
  const notes = ['Pod: spec.b, spec.a', 'Job: spec.x', 'Pod: spec.a, spec.c'];
  const results = [pods, jobs, services].map((one, index) => result(one, 'passed', { note: notes[index] ?? '' }));
  expect(judgeSample({ expected: [pods, jobs, services], results }).beyond).toEqual([
    'Job has more than the suite knows: spec.x',
    'Pod has more than the suite knows: spec.a, spec.b, spec.c',
  ]);
});
