// report.json fits its schema, and is read again.
import { describe, expect, it } from 'vitest';
import { allCases } from '../../suites/requirements/index.js';
import { judge } from '../judge/verdict.js';
import { faultsBy } from '../testing/parse.js';
import {
  allHostile,
  exchange,
  hostile,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { type ReportFile, renderJson } from './json.js';

const rule = requirement('create.answer');
const recommendedRule = sampleCase(requirement('errors.reason', 'recommended'), 'server');
const subjects = ['passing', 'failing', 'untestable', 'unoffered', 'forbidden', 'declared', 'lost'] as const;
const of = (subject: string) => sampleCase(rule, subject);

const every: Sample = {
  expected: [...subjects.map(of), recommendedRule],
  requirements: [
    rule,
    recommendedRule.requirement,
    requirement('a.hidden', 'required', { observable: false, reason: 'no request shows it' }),
  ],
  results: [
    result(of('passing'), 'passed', { exchanges: ['x0'] }),
    result(of('failing'), 'failed', { message: allHostile, exchanges: ['x1'] }),
    result(of('untestable'), 'blocked', { message: 'no pod' }),
    result(of('unoffered'), 'not-supported', { message: 'no group' }),
    result(of('forbidden'), 'skipped'),
    result(of('declared'), 'failed', { message: '201' }),
    result(recommendedRule, 'failed'),
  ],
  exchanges: [exchange('x1')],
  deviations: [
    { requirement: rule.id, subject: 'declared', reason: 'it is old' },
    { requirement: 'create.gone', reason: 'x' },
  ],
  run: {
    nodes: 'ours',
    choice: { grep: 'e' },
    notSupported: [{ capability: 'group:batch', reason: 'not in discovery' }],
  },
  end: { leftovers: ['namespaces/left'] },
};

const faults = faultsBy('report');

const reported = (sample: Sample): ReportFile =>
  JSON.parse(renderJson(judgeSample(sample), sampleEvidence(sample))) as ReportFile;

describe('report.json', () => {
  const runs: readonly (readonly [string, Sample])[] = [
    ['every verdict', every],
    ['no header', { run: null, end: null }],
    ['a killed run', { ...every, end: null }],
    ['an aborted run', { ...every, end: { aborted: allHostile } }],
    ...hostile.map(([attack, text]): readonly [string, Sample] => [
      attack,
      {
        expected: [of(text)],
        results: [result(of(text), 'failed', { message: text })],
        run: { target: { name: text, url: text } },
      },
    ]),
  ];
  it.each(runs)('fits its schema: %s', (_, sample) => {
    expect(faults(reported(sample))).toEqual([]);
  });

  it('fits its schema with every case of the matrix', () => {
    const evidence = sampleEvidence({ results: allCases().map((one) => result(one, 'passed')) });
    expect(faults(JSON.parse(renderJson(judge(evidence), evidence)))).toEqual([]);
  });

  it('has the known facts of each case', () => {
    const { cases } = reported(every);
    const one = (subject: string) => cases.find((reportedCase) => reportedCase.subject === subject);
    expect(one('passing')).toEqual({
      id: `${rule.id} › passing`,
      requirement: rule.id,
      subject: 'passing',
      verdict: 'passed',
    });
    expect(one('failing')).toMatchObject({ verdict: 'failed', message: allHostile, exchanges: ['x1'] });
    expect(one('declared')).toMatchObject({ verdict: 'known-deviation', message: '201', reason: 'it is old' });
    expect(one('lost')).toMatchObject({ verdict: 'failed', missing: true });
  });

  it('has the other reasons of a failed run, and requirements without cases', () => {
    const report = reported(every);
    expect(report.checks.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toEqual([
      'runs to its end',
      'declares no deviation that is gone',
      'leaves nothing behind',
    ]);
    expect(report.requirements.find(({ id }) => id === 'a.hidden')?.state).toBe('unobservable');
    expect(report.chapters.map(({ name }) => name)).toEqual(['create', 'errors', 'a']);
    expect(report.verdict).toMatchObject({ outcome: 'could-not-run', exitCode: 2 });
  });

  it('has a line for each case', () => {
    const lines = renderJson(judgeSample(every), sampleEvidence(every)).split('\n');
    expect(lines.filter((line) => line.includes('"subject":') && line.includes('"verdict":'))).toHaveLength(8);
  });
});

describe('the schema', () => {
  const good = reported(every);
  const wrong: readonly (readonly [string, unknown])[] = [
    ['another version', { ...good, reportVersion: 3 }],
    ['no verdict', { ...good, verdict: undefined }],
    ['an unknown outcome', { ...good, verdict: { ...good.verdict, outcome: 'fine' } }],
    ['a case with an unknown verdict', { ...good, cases: [{ ...good.cases[0], verdict: 'green' }] }],
    ['a deviation without a reason', { ...good, cases: [{ ...good.cases[0], verdict: 'known-deviation' }] }],
    [
      'a count that is not a number',
      { ...good, counts: { ...good.counts, required: { ...good.counts.required, passed: -1 } } },
    ],
    ['a time that is none', { ...good, run: { ...good.run, startedAt: 'soon' } }],
    ['a requirement without a level', { ...good, requirements: [{ ...good.requirements[0], level: undefined }] }],
  ];
  it.each(wrong)('refuses %s', (_, report) => {
    expect(faults(JSON.parse(JSON.stringify(report)))).not.toEqual([]);
  });

  it('accepts fields that are added later', () => {
    expect(faults({ ...good, added: 1, run: { ...good.run, shard: '1/2' } })).toEqual([]);
  });
});
