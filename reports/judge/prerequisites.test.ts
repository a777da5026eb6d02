// Blocked cases that one prerequisite explains, or a create that only sometimes fails.
import { describe, expect, it } from 'vitest';
import type { CaseVerdict } from '../../suites/requirements/index.js';
import {
  daemonsets,
  deployments,
  ingresses,
  jobs,
  judgeSample,
  pods,
  readPods,
  recommendedCase,
  replicasets,
  requirement,
  result,
  runHeader,
  sampleCase,
  services,
} from '../testing/sample.js';

const all = [pods, services, jobs, ingresses, deployments, daemonsets, replicasets];
const ofNamespace = (index: number) =>
  `create namespace kac-abcdef-w${index}b-main: POST /api/v1/namespaces answered 500 "no"`;

describe('one prerequisite', () => {
  it('is the first thing that is said, with the number of cases that it blocks', () => {
    const { line, reasons } = judgeSample({
      expected: all,
      results: all.map((one, index) =>
        index === 0 ? result(one, 'failed') : result(one, 'blocked', { message: ofNamespace(index) }),
      ),
    });
    const what = 'create namespace kac-main: POST /api/v1/namespaces answered 500 "no"';
    expect(line).toBe(`not conformant; 6 cases blocked by one prerequisite: ${what}`);
    expect(reasons).toEqual([`6 required cases blocked, by one prerequisite: ${what}`, '1 required case failed']);
  });

  it.each<readonly [string, readonly string[]]>([
    ['that blocks few cases is not common', all.slice(0, 4).map((_, index) => ofNamespace(index))],
    ['of several is not common', all.map((_, index) => `create x: POST /api/v1/x answered 50${index} "no"`)],
  ])('%s', (_, messages) => {
    const expected = all.slice(0, messages.length);
    const { line, reasons } = judgeSample({
      expected,
      results: expected.map((one, index) => result(one, 'blocked', { message: messages[index] ?? '' })),
    });
    expect([line, reasons]).toEqual(['not conformant', [`${expected.length} required cases blocked`]]);
  });
});

it('a run whose recommended cases are blocked is conformant only in what is required', () => {
  const verdict = judgeSample({
    expected: [pods, recommendedCase],
    results: [result(pods, 'passed'), result(recommendedCase, 'blocked')],
  });
  expect([verdict.outcome, verdict.exitCode, verdict.line]).toEqual([
    'conformant',
    0,
    'conformant to Kubernetes 1.5, as served by 1.20, in what is required; 1 blocked of what is recommended; recommended: 0 of 1',
  ]);
});

describe('creates that succeed in some cases and fail in others', () => {
  const readAgain = sampleCase(requirement('list.again'), readPods.subject.id);
  const secrets = ['read.one', 'list.one', 'delete.one', 'delete.two', 'replace.one'].map((id) =>
    sampleCase(requirement(id), 'GET /api/v1/namespaces/{namespace}/secrets/{name}'),
  );
  const expected = [readPods, readAgain, ...secrets];
  const judgeWith = (run: object, first: CaseVerdict) =>
    judgeSample({
      run: runHeader({ workers: 2, ...run }),
      expected,
      results: expected.map((one, index) => {
        if (one === readPods || one === secrets[0]) return result(one, first);
        const plural = one === readAgain ? 'pods' : 'secrets';
        return result(one, 'blocked', {
          message: `create ${plural}: POST /a/${plural} answered ${500 + (index % 4)} "no"`,
        });
      }),
    }).notes;

  it('suggest a run without parallel requests', () => {
    expect(judgeWith({}, 'passed')).toEqual([
      expect.stringMatching(
        /^creates of 2 kinds succeeded .* failed in others \(5 cases blocked\).*--workers 1 --concurrency 1/,
      ),
    ]);
  });

  it.each<readonly [string, object, CaseVerdict]>([
    ['in a run without parallel requests', { workers: 1, command: 'x run --workers 1 --concurrency 1' }, 'passed'],
    ['where all creates fail', {}, 'blocked'],
  ])('suggest nothing %s', (_, run, first) => {
    expect(judgeWith(run, first)).toEqual([]);
  });
});
