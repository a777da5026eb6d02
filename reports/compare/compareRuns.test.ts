// Which differences between runs are worse, better, or neither, in every format.
import { describe, expect, it } from 'vitest';
import type { CaseVerdict } from '../../suites/requirements/index.js';
import { judge } from '../judge/verdict.js';
import { faultsBy } from '../testing/parse.js';
import { allHostile, requirement, result, type Sample, sampleCase, sampleEvidence } from '../testing/sample.js';
import { type ComparedRun, compareRuns } from './compareRuns.js';
import { renderComparisonJson } from './json.js';
import { renderComparisonText } from './text.js';

const rule = requirement('create.answer');
const recommendedRule = requirement('errors.reason', 'recommended');
const one = sampleCase(rule, 'one');
const two = sampleCase(rule, 'two');
const recommendedCase = sampleCase(recommendedRule, 'server');

type Given = CaseVerdict | '-' | 'known-deviation' | 'unreached';

/** Returns a run whose cases have these verdicts; `-` means that the run did not select the case. */
function run(name: string, verdicts: readonly Given[], more: Sample = {}): ComparedRun {
  const cases = [one, two, recommendedCase].filter((_, index) => (verdicts[index] ?? '-') !== '-');
  const results = [one, two, recommendedCase].flatMap((of, index) => {
    const verdict = verdicts[index] ?? '-';
    if (verdict === '-') return [];
    const message = `${name}: ${allHostile}`;
    if (verdict === 'unreached') return [result(of, 'skipped', { skip: 'not-reached', message })];
    return [result(of, verdict === 'known-deviation' ? 'failed' : verdict, { message })];
  });
  const deviations = verdicts.flatMap((verdict, index) =>
    verdict === 'known-deviation'
      ? [{ requirement: rule.id, subject: ['one', 'two'][index] ?? '', reason: 'it is old' }]
      : [],
  );
  const evidence = sampleEvidence({
    results,
    deviations,
    run: { target: { name, url: 'https://127.0.0.1' } },
    ...more,
  });
  return { name, evidence, verdict: judge(evidence, { expected: cases, requirements: [rule, recommendedRule] }) };
}

it('says first that runs chose different cases', () => {
  const chosen = {
    run: { choice: { chapters: ['create'] }, target: { name: 'b', url: 'https://b' } },
  } satisfies Sample;
  const comparison = compareRuns([run('a', ['passed', 'failed']), run('b', ['passed'], chosen)]);
  const [first, second] = renderComparisonText(comparison).split('\n');
  expect(first).toMatch(/^Different cases were run; in what both have, /);
  expect(second).toBe('  different cases were run: a: all; b: chapter create');
});

describe('two runs', () => {
  const pairs: readonly (readonly [Given, Given, string, 0 | 1])[] = [
    ['passed', 'passed', 'same', 0],
    ['failed', 'failed', 'same', 0],
    ['passed', 'failed', 'worse', 1],
    ['passed', 'blocked', 'worse', 1],
    ['not-supported', 'failed', 'worse', 1],
    ['known-deviation', 'failed', 'worse', 1],
    ['-', 'failed', 'worse', 1],
    ['failed', 'passed', 'better', 0],
    ['failed', 'known-deviation', 'better', 0],
    ['failed', 'blocked', 'other', 0],
    ['failed', '-', 'other', 0],
    ['passed', 'not-supported', 'other', 0],
    ['passed', 'known-deviation', 'other', 0],
    ['passed', '-', 'same', 0],
    ['passed', 'unreached', 'same', 0],
    ['failed', 'unreached', 'same', 0],
    ['unreached', 'passed', 'same', 0],
    ['unreached', 'failed', 'worse', 1],
  ];
  it.each(pairs)('%s, then %s: %s', (before, after, kind, exitCode) => {
    const comparison = compareRuns([run('a', [before, 'passed']), run('b', [after, 'passed'])]);
    expect(comparison.differences.map((difference) => [difference.id, difference.kind])).toEqual(
      kind === 'same' ? [] : [[one.id, kind]],
    );
    expect(comparison.same).toBe(kind === 'same' ? 2 : 1);
    expect(comparison.exitCode).toBe(exitCode);
  });

  it('are worse for a convention alone with --strict', () => {
    const strict: Sample = { run: { target: { name: 'b', url: 'https://127.0.0.1' }, strict: true } };
    const runs = [run('a', ['passed', 'passed', 'passed']), run('b', ['passed', 'passed', 'failed'], strict)];
    expect(compareRuns(runs).exitCode).toBe(1);
  });

  it('are not worse for a convention alone', () => {
    const { differences, exitCode } = compareRuns([
      run('a', ['passed', 'passed', 'passed']),
      run('b', ['passed', 'passed', 'failed']),
    ]);
    expect(differences.map(({ kind }) => kind)).toEqual(['worse']);
    expect(exitCode).toBe(0);
  });

  it.each([
    [{ run: { choice: { grep: 'x' } } }, {}, ['-', 'passed'], ['failed', 'passed']],
    [{}, { run: { choice: { grep: 'x' } } }, ['failed', 'passed'], ['-', 'passed']],
    [{}, { run: { choice: { chapters: ['list'] } } }, ['passed', 'passed'], ['-', 'passed']],
  ] as const)('do not differ in cases that one of them did not choose: %j, %j', (first, second, before, after) => {
    const { differences, requirements, exitCode } = compareRuns([
      run('a', before, first as Sample),
      run('b', after, second as Sample),
    ]);
    expect([differences, requirements.map(({ kind }) => kind), exitCode]).toEqual([[], ['same'], 0]);
  });

  const wholes: readonly (readonly [string, Sample, Sample, 0 | 1])[] = [
    ['a leftover', {}, { end: { leftovers: ['namespaces/x'] } }, 1],
    ['a killed run', {}, { end: null }, 1],
    ['an aborted run', {}, { end: { aborted: 'it is gone' } }, 1],
    ['a leftover in both', { end: { leftovers: ['namespaces/y'] } }, { end: { leftovers: ['namespaces/x'] } }, 0],
    ['a leftover that is gone', { end: { leftovers: ['namespaces/y'] } }, {}, 0],
  ];
  it.each(wholes)('count %s', (_, before, after, exitCode) => {
    expect(compareRuns([run('a', ['passed'], before), run('b', ['passed'], after)]).exitCode).toBe(exitCode);
  });
});

describe('three runs', () => {
  const comparison = compareRuns([
    run('first', ['failed', 'passed', 'passed']),
    run('second', ['passed', 'passed', 'passed']),
    run('third', ['passed', 'failed', 'failed']),
  ]);

  it('are compared with the first, the worst first', () => {
    expect(comparison.differences.map(({ id, kind }) => [id, kind])).toEqual([
      [two.id, 'worse'],
      [recommendedCase.id, 'worse'],
      [one.id, 'better'],
    ]);
  });

  const text = renderComparisonText(comparison);
  it.each([
    /^ +first +second +third$/m,
    /^verdict +not conformant +conformant +not conformant$/m,
    /^passed +2 +3 +1$/m,
    /^recommended +1 of 1 +1 of 1 +0 of 1$/m,
    /^A later run is worse than first: 2 requirements worse, 0 better, 0 otherwise different, 0 equal$/m,
    /^ {2}worse: create\.answer \(required\) 1\/2 → 2\/2 → 1\/2$/m,
    /^ {2}worse: errors\.reason \(recommended\) 1\/1 → 1\/1 → 0\/1$/m,
  ])('are rendered as %s', (line) => expect(text).toMatch(line));

  it('have the result of the comparison once, first', () => {
    expect(text.match(/is worse than first: /g)).toHaveLength(1);
    expect(text).toMatch(/^A later run is worse than first: /);
  });

  it('contain no control sequences for a terminal', () => {
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('are rendered as JSON', () => {
    const json = JSON.parse(renderComparisonJson(comparison)) as { runs: unknown[]; differences: unknown[] };
    expect(json).toMatchObject({ comparisonVersion: 2, exitCode: 1, same: 0 });
    expect(json.runs).toHaveLength(3);
    expect(json.runs[1]).toMatchObject({ name: 'second', outcome: 'conformant', target: { name: 'second' } });
    expect(json.differences[0]).toMatchObject({
      id: two.id,
      level: 'required',
      kind: 'worse',
      verdicts: ['passed', 'passed', 'failed'],
    });
  });
});

describe('compare.json', () => {
  const faults = faultsBy('compare');
  const jsonOf = (...runs: readonly ComparedRun[]) => JSON.parse(renderComparisonJson(compareRuns(runs)));

  it.each<[string, readonly ComparedRun[]]>([
    ['runs that agree', [run('a', ['passed']), run('b', ['passed'])]],
    ['every kind', [run('a', ['failed', 'passed', 'passed']), run('b', ['passed', 'failed', 'not-supported'])]],
    ['a case that one run does not have', [run('a', ['failed']), run('b', ['passed', 'known-deviation'])]],
    ['a run that is worse as a whole', [run('a', ['passed']), run('b', ['passed'], { end: null })]],
    ['a run that never started', [run('a', ['passed']), run('b', ['passed'], { run: null, end: null })]],
    ['hostile text', [run(allHostile, ['passed']), run('b', ['failed'])]],
  ])('fits its schema: %s', (_, runs) => {
    expect(faults(jsonOf(...runs))).toEqual([]);
  });

  it('does not fit with a field that is missing or wrong', () => {
    const file = jsonOf(run('a', ['passed']), run('b', ['failed']));
    for (const name of Object.keys(file)) expect(faults({ ...file, [name]: undefined }), name).not.toEqual([]);
    expect(faults({ ...file, differences: [{ ...file.differences[0], kind: 'equal' }] })).not.toEqual([]);
  });
});

it('says what became of failures where the shares that pass are equal', () => {
  const text = renderComparisonText(
    compareRuns([run('a', ['passed', 'failed']), run('b', ['passed', 'known-deviation'])]),
  );
  expect(text).toContain('  better: create.answer (required) 1/2 → 1/2 (1 failed → 1 known deviation)\n');
});

it('groups other differences by their reasons', () => {
  const text = renderComparisonText(
    compareRuns([
      run('a', ['passed', 'passed', 'passed']),
      run('b', ['not-supported', 'known-deviation', 'not-supported']),
    ]),
  );
  expect(text).toContain('Otherwise different (3 cases):\n  2 cases passed, then not supported: b: ');
  expect(text).toContain('\n  1 case passed, then known deviation: it is old\n');
});

it('lists only a part of a thousand differences, with some of every requirement', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => sampleCase(rule, `subject ${index}`));
  const of = (verdict: CaseVerdict): ComparedRun => {
    const evidence = sampleEvidence({ results: [...many, recommendedCase].map((each) => result(each, verdict)) });
    return {
      name: verdict,
      evidence,
      verdict: judge(evidence, { expected: [...many, recommendedCase], requirements: [rule, recommendedRule] }),
    };
  };
  const text = renderComparisonText(compareRuns([of('passed'), of('failed')]));
  expect(text).toContain('failed is worse than passed: 2 requirements worse');
  expect(text).toContain('create.answer (required) 1,000/1,000 → 0/1,000');
  expect(text).toContain('errors.reason');
  expect(text.split('\n').length).toBeLessThan(30);
});
