// Failures by requirement: the worst first, with the share that fails, the kinds and the verbs.
import { expect, it } from 'vitest';
import {
  daemonsets,
  deployments,
  ingresses,
  jobs,
  judgeSample,
  pods,
  readPods,
  recommendedCase,
  result,
  sampleCase,
  services,
} from '../testing/sample.js';
import { byCommonCause, failureGroups, groupsOfRun } from './failureGroups.js';

const groupsOf = (...results: ReturnType<typeof result>[]) =>
  failureGroups(
    judgeSample({
      expected: [pods, services, jobs, ingresses, deployments, daemonsets, readPods, recommendedCase].filter(({ id }) =>
        results.some((one) => one.id === id),
      ),
      results,
    }).cases,
  );

it('is empty without failures', () => expect(groupsOf(result(pods, 'passed'))).toEqual([]));

it('puts required before recommended, larger shares first, and blocked cases after failed ones', () => {
  const groups = groupsOf(
    result(recommendedCase, 'failed'),
    result(readPods, 'blocked'),
    result(pods, 'failed'),
    result(services, 'passed'),
  );
  expect(groups.map(({ requirement, blocked }) => [requirement.id, blocked])).toEqual([
    ['create.answer', false],
    ['read.answer', true],
    ['errors.reason', false],
  ]);
});

it('shows the share of judged cases that fail, and their operations', () => {
  const [group] = groupsOf(
    result(pods, 'failed'),
    result(services, 'failed'),
    result(jobs, 'failed'),
    result(ingresses, 'failed'),
    result(deployments, 'passed'),
    result(daemonsets, 'not-supported', { message: 'no' }),
  );
  expect(group).toMatchObject({ fraction: '4 of 5 operations', kinds: 'pods, services and 2 more', verbs: 'create' });
  const [all] = groupsOf(...[pods, services, jobs, ingresses].map((one) => result(one, 'failed')));
  expect(all).toMatchObject({ fraction: '4 of 4 operations', kinds: 'all 4 kinds' });
});

it('counts blocked cases beside those that failed', () => {
  const [group] = groupsOf(
    result(pods, 'failed'),
    result(services, 'blocked'),
    result(jobs, 'blocked'),
    result(ingresses, 'passed'),
  );
  expect(group).toMatchObject({ fraction: '1 of 4 operations, 2 blocked', kinds: 'pods', blocked: false });
  expect(groupsOf(result(pods, 'blocked'), result(services, 'passed'))[0]?.fraction).toBe('1 of 2 operations');
});

it('counts cases if one operation has several', () => {
  const both = ['json', 'yaml'].map((mediaType) =>
    sampleCase(pods.requirement, `${pods.subject.id}, ${mediaType}`, { mediaType: mediaType as 'json' }),
  );
  const { cases } = judgeSample({ expected: both, results: both.map((one) => result(one, 'failed')) });
  expect(failureGroups(cases)[0]?.fraction).toBe('2 of 2 cases');
});

it('leaves out cases without evidence if a run could not start', () => {
  const verdict = judgeSample({ expected: [pods, services] });
  expect([verdict.outcome, failureGroups(verdict.cases).length, groupsOfRun(verdict)]).toEqual([
    'could-not-run',
    1,
    [],
  ]);
});

it('has the most frequent message as its example', () => {
  const [group] = groupsOf(
    result(pods, 'failed', { message: 'odd' }),
    result(services, 'failed', { message: 'POST /a: expected 200, got 201' }),
    result(jobs, 'failed', { message: 'POST /b: expected 200, got 201' }),
  );
  expect(group?.example.what).toBe('POST /a');
});

it('shows a required rule of a cause before a recommended one that fails about as widely', () => {
  const broken = { message: 'POST /a: expected 200, got 500 "broken"' };
  const seen = { message: 'GET /a: expected success (2xx), got 500 "broken"' };
  const groups = groupsOf(
    result(recommendedCase, 'failed', broken),
    result(pods, 'failed', seen),
    result(services, 'passed'),
  );
  const causes = byCommonCause(groups);
  expect(causes.map(({ shown, symptoms }) => [shown.requirement.id, symptoms.length])).toEqual([['create.answer', 1]]);
});
