// The testcases, their lengths, and the size of the file.
import { describe, expect, it } from 'vitest';
import { allCases, type Case, type CaseResult } from '../../suites/requirements/index.js';
import { judge } from '../judge/verdict.js';
import { fragmentOf } from '../page/filter.js';
import { allElements, type ParsedElement, parseMarkup } from '../testing/parse.js';
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
import { renderJunit } from './junit.js';

const rule = requirement('create.answer');
const recommendedRule = sampleCase(requirement('errors.reason', 'recommended'), 'server');
const onRule = (subject: string): Case => sampleCase(rule, subject);

function junit(sample: Sample): ParsedElement {
  return parseMarkup(renderJunit(judgeSample(sample), sampleEvidence(sample)), 'xml');
}

function testcase(root: ParsedElement, name: string): ParsedElement | undefined {
  return allElements(root).find((element) => element.name === 'testcase' && element.attributes.name === name);
}

describe('junit', () => {
  const subjects: readonly (readonly [string, Partial<CaseResult> & Pick<CaseResult, 'verdict'>, string, string])[] = [
    ['passing', { verdict: 'passed' }, '', ''],
    ['failing', { verdict: 'failed', message: '200 wanted\nmore' }, 'failure', 'failed: 200 wanted'],
    ['blocked', { verdict: 'blocked', message: 'no pod' }, 'failure', 'blocked: no pod'],
    ['unsupported', { verdict: 'not-supported', message: 'no group' }, 'skipped', 'not supported: no group'],
    ['forbidden', { verdict: 'skipped' }, 'skipped', 'skipped: no reason given'],
    ['declared', { verdict: 'failed', message: '201' }, 'skipped', 'known deviation: it is old'],
  ];
  const expected = [...subjects.map(([subject]) => onRule(subject)), onRule('lost'), recommendedRule];
  const root = junit({
    expected,
    results: [
      ...subjects.map(([subject, more]) => result(onRule(subject), more.verdict, more)),
      result(recommendedRule, 'failed'),
    ],
    deviations: [{ requirement: rule.id, subject: 'declared', reason: 'it is old' }],
  });

  it.each(subjects)('%s', (subject, _, tag, message) => {
    const test = testcase(root, subject);
    expect(test?.attributes.classname).toBe('create.answer');
    expect(test?.children.map(({ name }) => name)).toEqual(tag ? [tag] : []);
    expect(test?.children[0]?.attributes.message ?? '').toBe(message);
  });

  it('shows a case without evidence as failed', () => {
    expect(testcase(root, 'lost')?.children[0]?.name).toBe('failure');
  });

  it('shows a failed recommended case as skipped, because it does not decide', () => {
    const [shown] = testcase(root, 'server')?.children ?? [];
    expect([shown?.name, shown?.attributes.message]).toEqual(['skipped', 'recommended, does not decide: failed']);
    expect(testcase(root, 'failing')?.children[0]?.attributes.type).toBe('required');
  });

  it('has a suite for each chapter with the numbers of its cases', () => {
    const suites = root.children;
    expect(suites.map(({ attributes }) => attributes.name)).toEqual(['run', 'create', 'errors']);
    for (const suite of suites) {
      const tests = allElements(suite).filter(({ name }) => name === 'testcase');
      const having = (tag: string) => tests.filter(({ children }) => children[0]?.name === tag).length;
      const { tests: all, failures, skipped } = suite.attributes;
      expect([all, failures, skipped].map(Number)).toEqual([tests.length, having('failure'), having('skipped')]);
    }
    // Strict readers of the schema reject `skipped` here.
    expect(root.attributes).toEqual({
      name: 'kube-api-conformance',
      tests: '12',
      failures: '4',
      errors: '0',
      time: '42.500',
    });
  });

  it('carries the rule, the message and the exchange of a failure', () => {
    const failing = onRule('failing');
    const with2 = junit({
      expected: [failing],
      results: [result(failing, 'failed', { message: 'one\ntwo', exchanges: ['x1'] })],
      exchanges: [exchange('x1')],
    });
    const text = testcase(with2, 'failing')?.children[0]?.text;
    for (const part of [
      `index.html${fragmentOf({ view: 'cases', filter: { case: failing.id } })}`,
      rule.row.text,
      'one\ntwo',
      'POST https://127.0.0.1:6443/api',
      '{"kind":"Pod"}',
      '201, after 3 ms',
    ]) {
      expect(text).toContain(part);
    }
  });

  const red: readonly (readonly [string, string, Sample])[] = [
    [
      'a stale deviation',
      'declares no deviation that is gone',
      { deviations: [{ requirement: rule.id, reason: 'x' }] },
    ],
    ['a leftover', 'leaves nothing behind', { end: { leftovers: ['namespaces/a'] } }],
    [
      'a crash',
      'finds the target there all the time',
      { end: { outages: [{ milliseconds: 4_000, requests: ['PUT /a: no answer'] }] } },
    ],
    ['a killed run', 'runs to its end', { end: null }],
    ['an aborted run', 'runs to its end', { end: { aborted: 'gone' } }],
  ];
  it.each(red)('is red for %s, though every case passed', (_, name, sample) => {
    const passing = onRule('passing');
    const whole: Sample = { expected: [passing], results: [result(passing, 'passed')] };
    expect(testcase(junit(whole), name)?.children).toEqual([]);
    expect(testcase(junit({ ...whole, ...sample }), name)?.children[0]?.name).toBe('failure');
  });

  it('has the settings of the run as properties, and its duration', () => {
    const passing = onRule('passing');
    const sample: Sample = { expected: [passing], results: [result(passing, 'passed')] };
    const timings = new Map([[passing.id, { start: Date.parse('2026-11-21T10:00:01.500Z'), milliseconds: 1234.5 }]]);
    const evidence = { ...sampleEvidence(sample), timings };
    const verdict = judge(evidence, { expected: [passing], requirements: [rule] });
    const root = parseMarkup(renderJunit(verdict, evidence), 'xml');
    const [run, create] = root.children;
    const properties = run?.children[0]?.children.map(({ attributes }) => [attributes.name, attributes.value]);
    expect(properties).toContainEqual(['target', 'sample']);
    expect(properties).toContainEqual(['serverVersion', 'v1.20.2']);
    expect(properties).toContainEqual(['verdict', 'conformant to Kubernetes 1.5, as served by 1.20']);
    expect(root.attributes.time).toBe('42.500');
    expect(run?.attributes).toMatchObject({ time: '0.000', timestamp: '2026-11-21T10:00:00' });
    expect(create?.attributes).toMatchObject({ time: '1.234', timestamp: '2026-11-21T10:00:01' });
    expect(testcase(root, 'passing')?.attributes.time).toBe('1.234');
  });

  it('has zero for an invalid time', () => {
    const passing = onRule('passing');
    const results = [result(passing, 'passed')];
    const root = junit({ expected: [passing], results, run: { startedAt: 'soon' }, end: { endedAt: '<never>' } });
    expect(root.attributes.time).toBe('0.000');
  });

  it.each([...hostile, ['all of it', allHostile] as const])('stays well-formed with %s', (_, text) => {
    const failing = onRule(`subject ${text}`);
    const body = { text, bytes: text.length };
    const root = junit({
      expected: [failing],
      results: [result(failing, 'failed', { message: text, exchanges: ['x1'] })],
      exchanges: [exchange('x1', { response: { status: 200, headers: [['x', text]], body } })],
    });
    expect(allElements(root).filter(({ name }) => name === 'testcase')).toHaveLength(5);
    expect(allElements(root).filter(({ name }) => name === 'failure')).toHaveLength(1);
  });

  it.each(['failed', 'blocked', 'not-supported', 'skipped'] as const)(
    'stays under 5 MB if every case of the matrix is %s, and names each',
    (verdict) => {
      const expected = allCases();
      const message = `expected 200, got 418 ${'<&>'.repeat(200)}`;
      const body = { text: '"<&é>"'.repeat(4_000), bytes: 24_000 };
      const sample: Sample = {
        expected,
        results: expected.map((one) => result(one, verdict, { message, exchanges: ['x1'] })),
        exchanges: [exchange('x1', { response: { status: 200, headers: [], body } })],
      };
      const xml = renderJunit(judgeSample(sample), sampleEvidence(sample));
      expect(Buffer.byteLength(xml)).toBeLessThan(5_000_000);
      expect(xml.match(/<testcase /g)).toHaveLength(expected.length + 4);
      expect(parseMarkup(xml, 'xml').attributes.tests).toBe(String(expected.length + 4));
    },
  );

  it('gives every requirement its share, and counts the failures without their exchange', () => {
    const many = Array.from({ length: 100 }, (_, index) => onRule(`subject ${index}`));
    const lonely = sampleCase(requirement('create.lonely'), 'one');
    const expected = [...many, lonely];
    const root = junit({
      expected,
      results: expected.map((one) => result(one, 'failed', { message: 'no', exchanges: ['x1'] })),
      exchanges: [exchange('x1')],
    });
    const shown = allElements(root).filter(({ name, text }) => name === 'failure' && text.includes('201, after'));
    expect(shown).toHaveLength(20);
    expect(testcase(root, 'one')?.children[0]?.text).toContain('201, after');
    expect(allElements(root).find(({ name }) => name === 'system-out')?.text).toMatch(/^81 of 101 failures/);
    expect(testcase(root, 'subject 99')?.children[0]?.attributes.message).toBe('failed: no');
  });
});
