// Failures have the same cause if one change of the server would fix them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allCases, type Deviation } from '../../suites/requirements/index.js';
import { byCause, causeOf } from '../judge/causes.js';
import type { JudgedCase } from '../judge/counts.js';
import { judge } from '../judge/verdict.js';
import {
  deployments,
  jobs,
  judgeSample,
  otherRule,
  pods,
  readPods,
  recommendedRule,
  result,
  rule,
  sampleCase,
  sampleEvidence,
  services,
} from '../testing/sample.js';
import { declarable, renderDeviations } from './deviationDraft.js';

const failed = (message: string, of = pods): JudgedCase => ({
  id: of.id,
  requirement: of.requirement,
  subject: of.subject.id,
  verdict: 'failed',
  message,
  exchanges: [],
});

it.each([
  ['POST /api/v1/namespaces: expected 200, got 201 {"kind":"Namespace"}', /^a create answers 201/],
  ['PATCH /api/v1/nodes/kac-1: expected a client error (4xx), got 500 "Invalid JSON Patch"', /^bad input is answered/],
  ['GET /api/v1/nodes/x: expected 200, got 400 "export is no longer supported"', /^the server refuses what/],
  [
    'GET /apis/x: expected 200, got 404 "the server could not find the requested resource"',
    /^the server does not serve/,
  ],
  ['metadata.labels is absent, not an object', /^to be explained: metadata\.labels: expected an object, got absent/],
])('%s', (message, reason) => {
  expect(causeOf(failed(message)).reason).toMatch(reason);
});

it('groups failures that differ only in names and numbers, within a requirement', () => {
  const words = (name: string): string => `GET /api/v1/pods/${name}: "${name}" has 3 of 4`;
  const groups = byCause([
    failed(words('kac-1-a')),
    failed(words('kac-2-b'), services),
    failed(words('kac-1-a'), readPods),
    failed('something else'),
  ]);
  expect([...groups.values()].map(([, cases]) => cases.length)).toEqual([2, 1, 1]);
});

it('groups refusals of objects of several kinds', () => {
  const refused = (kind: string): string =>
    `PATCH /api/v1/a: expected 200, got 422 "${kind} \\"a\\" is invalid: spec.ports: Required value"`;
  const groups = byCause([failed(refused('ConfigMap')), failed(refused('HorizontalPodAutoscaler'), services)]);
  expect(groups.size).toBe(1);
});

it('has one row for a requirement that fails in many ways', () => {
  const rowsOf = (words: readonly string[]): string[] => {
    const cases = words.map((_, index) => sampleCase(rule, `subject ${index}`));
    const results = cases.map((one, index) => result(one, 'failed', { message: `it says ${words[index]}` }));
    const sample = { expected: cases, results };
    return renderDeviations(judgeSample(sample), sampleEvidence(sample), cases).match(/reason: .*/g) ?? [];
  };
  expect(rowsOf(['one', 'two', 'three'])).toHaveLength(3);
  expect(rowsOf(['one', 'two', 'three', 'four'])).toEqual([expect.stringMatching(/it says one; and 3 other messages/)]);
});

it('groups failures that show the same wrong thing, in whatever requirement and way', () => {
  const groups = byCause([
    failed('POST /a, then a read: metadata.uid is absent, not "1"'),
    failed('the last write: metadata.uid: expected a string that is not empty, got absent', readPods),
    failed('PATCH /a, then its response: data.a is absent, not "1"'),
    failed('GET /a as YAML: data.b: expected "2", got absent', readPods),
    failed('PATCH /api/v1/pods/a: expected 200, got 404 "pods \\"a\\" not found"'),
    failed('PATCH /apis/batch/v1/jobs/b: expected 200, got 404 "jobs.batch \\"b\\" not found"', jobs),
    failed('GET /api/v1/pods/a: expected 200, got 404 "pods \\"a\\" not found"', readPods),
  ]);
  expect([...groups.values()].map(([, cases]) => cases.length)).toEqual([2, 2, 2, 1]);
});

describe('the rows of deviations', () => {
  const recommendedPods = sampleCase(recommendedRule, 'POST /api/v1/namespaces/{namespace}/pods');
  const all = [pods, services, jobs, deployments, readPods, recommendedPods];
  const message = 'PUT /x: expected 400, got 500 "oops"';
  const rows = (...cases: readonly (typeof pods)[]): string => {
    const sample = {
      requirements: [rule, otherRule, recommendedRule],
      expected: all,
      results: all.map((of) => result(of, cases.includes(of) ? 'failed' : 'passed', { message })),
    };
    return renderDeviations(judgeSample(sample), sampleEvidence(sample), all).replace(/^#.*\n/gm, '');
  };

  it('are one for a cause of several requirements in all cases', () => {
    expect(rows(readPods, recommendedPods)).toBe(`deviations:
  # 2 cases
  - requirement:
      - read.answer
      - errors.reason
    reason: bad input is answered with a server error, where a client error is due
`);
  });

  it('are one for requirements that fail on different subjects, and none covers a passed case', () => {
    const shared = sampleCase(otherRule, pods.subject.id);
    const sample = (wanted: readonly (typeof pods)[]) => ({
      requirements: [rule, otherRule],
      expected: [pods, jobs, readPods, shared],
      results: [pods, jobs, readPods, shared].map((of) =>
        result(of, wanted.includes(of) ? 'failed' : 'passed', { message }),
      ),
    });
    const count = (...wanted: readonly (typeof pods)[]): number =>
      renderDeviations(judgeSample(sample(wanted)), sampleEvidence(sample(wanted)), [
        pods,
        jobs,
        readPods,
        shared,
      ]).split('- requirement:').length - 1;
    expect(count(jobs, readPods)).toBe(1);
    expect(count(pods, readPods)).toBe(2);
  });

  it('list the subjects if some passed', () => {
    expect(rows(pods, jobs)).toBe(`deviations:
  # 2 cases
  - requirement: create.answer
    subject:
      - pods
      - jobs
    reason: bad input is answered with a server error, where a client error is due
`);
  });
});

it.each([
  ['GET /api/v1/pods: no answer: ECONNRESET', 0],
  ['the target stopped responding after this request, twice: GET /a', 0],
  ['GET /api/v1/pods: expected 200, got 502 text/html "Bad Gateway"', 0],
  ['GET /api/v1/pods: expected 200, got 503 "no backend"', 0],
  ['GET /api/v1/pods: expected 200, got 504 "timeout"', 0],
  ['GET /api/v1/pods: expected 200, got 500 "oops"', 1],
  ['metadata.uid: expected "502", got "503"', 1],
])('leaves out what the server did not answer: %s', (message, rows) => {
  const sample = { expected: [pods], results: [result(pods, 'failed', { message })] };
  const verdict = judgeSample(sample);
  expect(declarable(verdict).cases).toHaveLength(rows);
  const text = renderDeviations(verdict, sampleEvidence(sample), [pods, services]);
  expect(parse(text).deviations).toHaveLength(rows);
  expect(text.includes('# Left out: 1 case that the server did not answer. Run them again.')).toBe(rows === 0);
});

it('makes exactly the failures of the run known, and no case of a good run', () => {
  const all = allCases();
  const requirements = [...new Set(all.map((one) => one.requirement))];
  const messages = ['PUT /x: expected 400, got 500 "oops"', 'metadata.uid is absent, not "1"', 'it says something'];
  const some = fc.subarray(
    all.filter((_, index) => index % 97 === 0),
    { minLength: 1, maxLength: 40 },
  );
  fc.assert(
    fc.property(some, fc.nat(), (failing, seed) => {
      const messageOf = (index: number) => messages[(index + seed) % messages.length] as string;
      const failed = failing.map((one, index) => result(one, 'failed', { message: messageOf(index) }));
      const ids = new Set(failing.map(({ id }) => id));
      const results = [...failed, ...all.filter(({ id }) => !ids.has(id)).map((one) => result(one, 'passed'))];
      const first = sampleEvidence({ results });
      const judged = (deviations: readonly Deviation[], of = results) =>
        judge(sampleEvidence({ results: of, deviations }), { expected: all, requirements }).cases;
      const drafted = parse(renderDeviations(judge(first, { expected: all, requirements }), first, all));
      const known = (cases: ReturnType<typeof judged>) =>
        cases.filter(({ deviation }) => deviation).map(({ id }) => id);
      expect(known(judged(drafted.deviations)).sort()).toEqual([...ids].sort());
      const green = all.map((one) => result(one, 'passed'));
      expect(known(judged(drafted.deviations, green))).toEqual([]);
    }),
    { numRuns: 5 },
  );
});
