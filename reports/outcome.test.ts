import { describe, expect, it } from 'vitest';
import {
  daemonsets,
  deployments,
  habit,
  habitual,
  ingresses,
  jobs,
  lost,
  ofRule,
  other,
  pods,
  podsByPassword,
  readPods,
  replicasets,
  services,
  userByPassword,
} from './testing/cases.js';
import { judgeSample, result, type Sample } from './testing/sample.js';

interface Rule {
  /** The wrong verdict that this row would catch. */
  readonly catches: string;
  readonly sample: Sample;
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
  readonly reason?: string | readonly string[];
}

const rules: Readonly<Record<string, Rule>> = {
  'all passed': {
    catches: 'a verdict that is never good',
    sample: { expected: [pods, habitual], results: [result(pods, 'passed'), result(habitual, 'passed')] },
    line: 'conformant; conventions: 1 of 1',
    exitCode: 0,
  },
  'a stated case failed': {
    catches: 'a failure that nobody counts',
    sample: { expected: [pods, services], results: [result(pods, 'passed'), result(services, 'failed')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case failed',
  },
  'a stated case could not be tested': {
    catches: 'a prerequisite that failed, taken for a skip',
    sample: { expected: [pods], results: [result(pods, 'not-testable')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case could not be tested',
  },
  'a convention failed': {
    catches: 'a convention that decides conformance',
    sample: { expected: [pods, habitual], results: [result(pods, 'passed'), result(habitual, 'failed')] },
    line: 'conformant; conventions: 0 of 1',
    exitCode: 0,
  },
  'a failure is declared': {
    catches: 'a deviation that counts as a failure, or as a plain pass',
    sample: { expected: [pods], results: [result(pods, 'failed')], deviations: [ofRule] },
    line: 'conformant with 1 deviation',
    exitCode: 0,
  },
  'deviations are counted by requirement': {
    catches: 'N that counts cases or declarations',
    sample: {
      expected: [pods, services, readPods],
      results: [result(pods, 'failed'), result(services, 'failed'), result(readPods, 'failed')],
      deviations: [
        { ...ofRule, subject: 'pods' },
        { ...ofRule, subject: 'services' },
        { ...ofRule, requirement: other.id },
      ],
    },
    line: 'conformant with 2 deviations',
    exitCode: 0,
  },
  'a deviation of a convention': {
    catches: 'a convention that shows in the verdict because somebody declared it',
    sample: {
      expected: [pods, habitual],
      results: [result(pods, 'passed'), result(habitual, 'failed')],
      deviations: [{ ...ofRule, requirement: habit.id }],
    },
    line: 'conformant; conventions: 0 of 1 (1 deviation)',
    exitCode: 0,
  },
  'a deviation names another subject': {
    catches: 'a declaration that hides more than it says',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'failed'), result(services, 'failed')],
      deviations: [{ ...ofRule, subject: 'pods' }],
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case failed',
  },
  'a deviation names another requirement': {
    catches: 'a declaration taken by prefix',
    sample: {
      expected: [pods, readPods],
      results: [result(pods, 'failed'), result(readPods, 'failed')],
      deviations: [{ ...ofRule, requirement: other.id }],
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case failed',
  },
  'a deviation does not cover what could not be tested': {
    catches: 'a broken prerequisite behind a declaration',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'failed'), result(services, 'not-testable')],
      deviations: [ofRule],
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case could not be tested',
  },
  'a case without evidence': {
    catches: 'a worker that died with its failures',
    sample: { expected: [pods, services], results: [result(pods, 'passed')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case without a verdict',
  },
  'a case without evidence behind a deviation': {
    catches: 'a crash that passes for the declared failure',
    sample: { expected: [pods, services], results: [result(pods, 'failed')], deviations: [ofRule] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case without a verdict',
  },
  'a deviation that is gone': {
    catches: 'a declaration that outlives its bug and hides the next one',
    sample: { expected: [pods], results: [result(pods, 'passed')], deviations: [ofRule] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 declared deviation not seen any more',
  },
  'something was left behind': {
    catches: 'a suite that litters',
    sample: { expected: [pods], results: [result(pods, 'passed')], end: { leftovers: ['namespaces/a', 'nodes/b'] } },
    line: 'not conformant',
    exitCode: 1,
    reason: '2 objects left on the target',
  },
  'no end': {
    catches: 'a killed run that nobody cleaned, called conformant',
    sample: { expected: [pods], results: [result(pods, 'passed')], end: null },
    line: 'not conformant',
    exitCode: 1,
    reason: 'the run was killed before its end: nobody looked for what it left',
  },
  aborted: {
    catches: 'a server that went away, called not conformant',
    sample: { expected: [pods, services], results: [result(pods, 'failed')], end: { aborted: 'ECONNREFUSED' } },
    line: 'could not run: ECONNREFUSED',
    exitCode: 2,
  },
  'no header': {
    catches: 'an empty file that is green',
    sample: { expected: [pods], results: [], run: null, end: null },
    line: 'could not run: the evidence has no header',
    exitCode: 2,
  },
  'no case': {
    catches: 'a run of nothing that is green, or a server blamed for it',
    sample: { expected: [pods], results: [] },
    line: 'could not run: no case was run',
    exitCode: 2,
  },
  'a selection of nothing': {
    catches: 'a typing error in --grep that is green',
    sample: { expected: [pods], results: [], run: { grep: 'pdos' } },
    line: 'could not run: no case was chosen: ids with "pdos"',
    exitCode: 2,
  },
  'results of requirements that are not in the matrix': {
    catches: 'failures of another version that nobody counts',
    sample: { expected: [pods], results: [result(pods, 'passed'), result(readPods, 'failed')] },
    line: 'could not run: 1 case of unknown requirements (read.answer): judge with version 0.1.0',
    exitCode: 2,
  },
  'a result that was not expected': {
    catches: 'a failure that is dropped because its subject is new',
    sample: { expected: [pods], results: [result(pods, 'passed'), result(services, 'failed')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case failed',
  },
  'a selection': {
    catches: 'cases that were not selected, called missing; and a part called the whole',
    sample: { expected: [pods, services], results: [result(pods, 'passed')], run: { grep: 'pods' } },
    line: 'conformant; 1 of 2 cases selected: ids with "pods"',
    exitCode: 0,
  },
  'cases that were not run': {
    catches: 'a verdict that is silent about them (design, 5)',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'passed'), result(services, 'not-run', { message: 'target not disposable' })],
    },
    line: 'conformant; 1 case not run: target not disposable',
    exitCode: 0,
  },
  'none of the cases was run': {
    catches: 'a run that tried nothing, called conformant',
    sample: {
      expected: [pods, services],
      results: [pods, services].map((one) => result(one, 'not-run', { message: 'target not disposable' })),
    },
    line: 'could not run: nothing was tried; 2 cases not run: target not disposable',
    exitCode: 2,
  },
  'a group is not offered': {
    catches: 'a hole that is silently green',
    sample: {
      expected: [pods, deployments, ingresses],
      results: [
        result(pods, 'passed'),
        result(deployments, 'not-offered', lost),
        result(ingresses, 'not-offered', lost),
      ],
    },
    line: 'partial: extensions',
    exitCode: 0,
  },
  'a resource is not offered': {
    catches: 'a group blamed for one resource',
    sample: {
      expected: [pods, ingresses, deployments],
      results: [result(pods, 'passed'), result(ingresses, 'passed'), result(deployments, 'not-offered', lost)],
    },
    line: 'partial: extensions/deployments',
    exitCode: 0,
  },
  'most of a group is not offered': {
    catches: 'a line too long to read',
    sample: {
      expected: [ingresses, deployments, daemonsets, replicasets, jobs],
      results: [
        result(ingresses, 'passed'),
        result(jobs, 'passed'),
        ...[deployments, daemonsets, replicasets].map((one) => result(one, 'not-offered', lost)),
      ],
    },
    line: 'partial: extensions except ingresses',
    exitCode: 0,
  },
  'a verb of a resource is not offered': {
    catches: 'a resource blamed for one verb',
    sample: { expected: [pods, readPods], results: [result(pods, 'not-offered', lost), result(readPods, 'passed')] },
    line: 'partial: core/pods create',
    exitCode: 0,
  },
  'a mechanism is not offered': {
    catches: 'every resource blamed for one mechanism',
    sample: {
      expected: [pods, podsByPassword, userByPassword],
      results: [
        result(pods, 'passed'),
        result(podsByPassword, 'not-offered', lost),
        result(userByPassword, 'not-offered', lost),
      ],
    },
    line: 'partial: staticPassword',
    exitCode: 0,
  },
  'a convention is not offered': {
    catches: 'a convention that makes a server partial',
    sample: { expected: [pods, habitual], results: [result(pods, 'passed'), result(habitual, 'not-offered', lost)] },
    line: 'conformant',
    exitCode: 0,
  },
  'partial, with a deviation': {
    catches: 'one that hides the other',
    sample: {
      expected: [pods, deployments],
      results: [result(pods, 'failed'), result(deployments, 'not-offered', lost)],
      deviations: [ofRule],
    },
    line: 'partial: extensions; 1 deviation',
    exitCode: 0,
  },
  'a failure in a part': {
    catches: 'a part called the whole where it fails',
    sample: {
      expected: [pods, services, habitual],
      results: [result(pods, 'failed'), result(habitual, 'passed')],
      run: { choice: { chapters: ['create', 'errors'], grep: 's' } },
      end: { aborted: 'gone' },
    },
    line: 'could not run: gone',
    exitCode: 2,
  },
  'chapters and a profile': {
    catches: 'a choice that the line leaves out',
    sample: {
      expected: [pods, readPods],
      results: [result(readPods, 'failed')],
      run: { choice: { chapters: ['read'], profile: 'standard' } },
    },
    line: 'not conformant; 1 of 2 cases selected: chapter read, profile standard',
    exitCode: 1,
    reason: '1 stated case failed',
  },
  'a convention failed in a strict run': {
    catches: 'a strict run that is not strict',
    sample: {
      expected: [pods, habitual],
      results: [result(pods, 'passed'), result(habitual, 'failed')],
      run: { strict: true },
    },
    line: 'not conformant; conventions: 0 of 1',
    exitCode: 1,
    reason: '1 case failed',
  },
  'a convention is declared in a strict run': {
    catches: 'a declared convention that fails a strict run, or is not counted there',
    sample: {
      expected: [pods, habitual],
      results: [result(pods, 'passed'), result(habitual, 'failed')],
      deviations: [{ ...ofRule, requirement: habit.id }],
      run: { strict: true },
    },
    line: 'conformant with 1 deviation; conventions: 0 of 1 (1 deviation)',
    exitCode: 0,
  },
  'a deviation that nobody has explained': {
    catches: 'a file that was written by a program, taken for one that somebody stands for',
    sample: {
      expected: [pods, readPods],
      results: [result(pods, 'failed'), result(readPods, 'failed')],
      deviations: [ofRule, { requirement: other.id, reason: 'to be explained: expected 200' }],
    },
    line: 'conformant with 2 deviations, 1 to be explained',
    exitCode: 0,
  },
  'an absence that is none': {
    catches: 'a skip that outlives its reason',
    sample: {
      expected: [pods],
      results: [result(pods, 'passed')],
      run: { notOffered: [{ capability: 'group:batch', reason: 'no jobs', offered: 'it answers', at: 'a.yaml:3' }] },
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 declared absence not true any more',
  },
  'what failed before': {
    catches: 'a comparison that fails on what is known, or that calls it conformant',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'failed'), result(services, 'passed')],
      run: { baseline: { file: 'b', failed: [pods.id, services.id] } },
    },
    line: 'not conformant, and nothing new; 1 known failure; 1 case mended',
    exitCode: 0,
  },
  'a new failure beside a known one': {
    catches: 'a new failure behind a known one',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'failed'), result(services, 'failed')],
      run: { baseline: { file: 'b', failed: [pods.id] } },
    },
    line: 'not conformant; 1 known failure',
    exitCode: 1,
    reason: '1 stated case failed and did not in the baseline',
  },
  'a case without evidence that failed before': {
    catches: 'a crash that passes for the known failure',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'passed')],
      run: { baseline: { file: 'b', failed: [services.id] } },
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 stated case without a verdict',
  },
  'one of two shards': {
    catches: 'shards that nobody gave, silently green',
    sample: {
      expected: [habitual, pods],
      results: [result(habitual, 'passed')],
      run: { choice: { shard: { index: 1, of: 2 } } },
      shards: { of: 2, present: [1], killed: [] },
    },
    line: 'not conformant; conventions: 1 of 1; 2 of 2 cases selected: shard 1 of 2',
    exitCode: 1,
    reason: ['1 stated case without a verdict', 'shard 2 of 2 is missing: give its evidence too'],
  },
  'a shard that was killed': {
    catches: 'a killed shard behind one that came to its end',
    sample: {
      expected: [habitual, pods],
      results: [result(habitual, 'passed'), result(pods, 'passed')],
      shards: { of: 2, present: [1, 2], killed: [2] },
    },
    line: 'not conformant; conventions: 1 of 1',
    exitCode: 1,
    reason: 'shard 2 of 2 was killed: nobody looked for what it left',
  },
};

describe('the verdict', () => {
  it.each(Object.entries(rules))('%s', (_, { sample, line, exitCode, reason }) => {
    const verdict = judgeSample({ requirements: requirementsOf(sample), ...sample });
    expect(verdict.line).toBe(line);
    expect(verdict.exitCode).toBe(exitCode);
    expect(verdict.reasons).toEqual(reason === undefined ? [] : [reason].flat());
  });
});

function requirementsOf({ expected = [] }: Sample) {
  return [...new Set(expected.map((one) => one.requirement))];
}
