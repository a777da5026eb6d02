// Outcomes of partial runs: chosen parts, features that are not supported, strict runs, baselines, shards.

import {
  daemonsets,
  deployments,
  ingresses,
  jobs,
  noSuchKind,
  type OutcomeRules,
  ofRule,
  otherRule,
  pods,
  podsByPassword,
  readPods,
  recommendedCase,
  recommendedRule,
  replicasets,
  result,
  services,
  userByPassword,
  withoutExport,
} from '../sample.js';

export const partialRuns: OutcomeRules = {
  'a selection': {
    catches: 'cases that were not selected, called missing; and a part called the whole',
    sample: { expected: [pods, services], results: [result(pods, 'passed')], run: { choice: { grep: 'pods' } } },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; 1 of 2 cases selected: ids with "pods"',
    exitCode: 0,
  },
  'cases that were skipped': {
    catches: 'a verdict that is silent about them (design, 5)',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'passed'), result(services, 'skipped', { message: 'target not disposable' })],
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; 1 case skipped: target not disposable',
    exitCode: 0,
  },
  'none of the cases was run': {
    catches: 'a run that tried nothing, called conformant',
    sample: {
      expected: [pods, services],
      results: [pods, services].map((one) => result(one, 'skipped', { message: 'target not disposable' })),
    },
    line: 'could not run: no case was judged; 2 cases skipped: target not disposable',
    exitCode: 2,
  },
  'none of the cases is supported': {
    catches: 'a target file that excuses everything, called partly conformant',
    sample: {
      expected: [deployments, ingresses, services],
      results: [
        ...[deployments, ingresses].map((one) => result(one, 'not-supported', noSuchKind)),
        result(services, 'skipped', { message: 'target not disposable' }),
      ],
    },
    line: 'could not run: no case was judged; not supported: extensions; 1 case skipped: target not disposable',
    exitCode: 2,
  },
  'only recommended cases were judged': {
    catches: 'a server that fails all that was tried, called conformant',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(recommendedCase, 'failed')],
      run: { choice: { grep: 'errors.' } },
    },
    line: 'partial: no required case was judged; recommended: 0 of 1; 1 of 2 cases selected: ids with "errors."',
    exitCode: 0,
  },
  'a group is not supported': {
    catches: 'a hole that is silently green',
    sample: {
      expected: [pods, deployments, ingresses],
      results: [
        result(pods, 'passed'),
        result(deployments, 'not-supported', noSuchKind),
        result(ingresses, 'not-supported', noSuchKind),
      ],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: extensions',
    exitCode: 0,
  },
  'a resource is not supported': {
    catches: 'a group blamed for one resource',
    sample: {
      expected: [pods, ingresses, deployments],
      results: [result(pods, 'passed'), result(ingresses, 'passed'), result(deployments, 'not-supported', noSuchKind)],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: extensions/deployments',
    exitCode: 0,
  },
  'most of a group is not supported': {
    catches: 'a line too long to read',
    sample: {
      expected: [ingresses, deployments, daemonsets, replicasets, jobs],
      results: [
        result(ingresses, 'passed'),
        result(jobs, 'passed'),
        ...[deployments, daemonsets, replicasets].map((one) => result(one, 'not-supported', noSuchKind)),
      ],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: extensions except ingresses',
    exitCode: 0,
  },
  'a verb of a resource is not supported': {
    catches: 'a resource blamed for one verb',
    sample: {
      expected: [pods, readPods],
      results: [result(pods, 'not-supported', noSuchKind), result(readPods, 'passed')],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: core/pods create',
    exitCode: 0,
  },
  'a mechanism is not supported': {
    catches: 'every resource blamed for one mechanism',
    sample: {
      expected: [pods, podsByPassword, userByPassword],
      results: [
        result(pods, 'passed'),
        result(podsByPassword, 'not-supported', noSuchKind),
        result(userByPassword, 'not-supported', noSuchKind),
      ],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: staticPassword',
    exitCode: 0,
  },
  'a mechanism and its feature are not supported': {
    catches: 'one absence under two names',
    sample: {
      expected: [pods, podsByPassword, userByPassword],
      run: { notSupported: [{ capability: 'feature:static-password', reason: 'it is off' }] },
      results: [
        result(pods, 'passed'),
        result(podsByPassword, 'not-supported', noSuchKind),
        result(userByPassword, 'not-supported', { message: 'it is off' }),
      ],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: staticPassword',
    exitCode: 0,
  },
  'a recommended case is not supported': {
    catches: 'a recommended case that makes a server partial',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'not-supported', noSuchKind)],
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20',
    exitCode: 0,
  },
  'a feature that decides is not supported': {
    catches: 'a hole that bears the name of a resource',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'passed'), result(services, 'not-supported', withoutExport)],
      run: { notSupported: [{ capability: 'feature:export', reason: withoutExport.message }] },
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports; not supported: export',
    exitCode: 0,
  },
  'a feature of recommended cases is not supported': {
    catches: 'a server that is partial for want of a recommended case; a feature that nobody is told of',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'not-supported', withoutExport)],
      run: { notSupported: [{ capability: 'feature:limit', reason: withoutExport.message }] },
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; not supported: limit',
    exitCode: 0,
  },
  'partial, with a deviation': {
    catches: 'one that hides the other',
    sample: {
      expected: [pods, deployments],
      results: [result(pods, 'failed'), result(deployments, 'not-supported', noSuchKind)],
      deviations: [ofRule],
    },
    line: 'partial: conformant to Kubernetes 1.5, as served by 1.20, in what it supports with 1 known deviation; not supported: extensions',
    exitCode: 0,
  },
  'a failure in a part': {
    catches: 'a part called the whole where it fails',
    sample: {
      expected: [pods, services, recommendedCase],
      results: [result(pods, 'failed'), result(recommendedCase, 'passed')],
      run: { choice: { chapters: ['create', 'errors'], grep: 's' } },
      end: { aborted: 'gone' },
    },
    line: 'could not run: gone; it ended after 2 of 3 cases, 1 failed until then',
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
    reason: '1 required case failed',
  },
  'a recommended case failed in a strict run': {
    catches: 'a strict run that is not strict',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'failed')],
      run: { strict: true },
    },
    line: 'not conformant; recommended: 0 of 1',
    exitCode: 1,
    reason: '1 case failed',
  },
  'a recommended case is declared in a strict run': {
    catches: 'a declared convention that fails a strict run, or is not counted there',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'failed')],
      deviations: [{ ...ofRule, requirement: recommendedRule.id }],
      run: { strict: true },
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20, with 1 known deviation; recommended: 0 of 1 (1 known deviation)',
    exitCode: 0,
  },
  'a deviation that nobody has explained': {
    catches: 'a file that was written by a program, taken for one that somebody stands for',
    sample: {
      expected: [pods, readPods],
      results: [result(pods, 'failed'), result(readPods, 'failed')],
      deviations: [ofRule, { requirement: otherRule.id, reason: 'to be explained: expected 200' }],
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20, with 2 known deviations, 1 to be explained',
    exitCode: 0,
  },
  'an absence that is none': {
    catches: 'a skip that outlives its reason',
    sample: {
      expected: [pods],
      results: [result(pods, 'passed')],
      run: { notSupported: [{ capability: 'group:batch', reason: 'no jobs', offered: 'it answers', at: 'a.yaml:3' }] },
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
    line: 'nothing new (1 known); not conformant; 1 case fixed',
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
    reason: '1 required case failed and did not in the baseline',
  },
  'a case without evidence that failed before': {
    catches: 'a crash that passes for the known failure',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'passed')],
      run: { baseline: { file: 'b', failed: [services.id] } },
    },
    line: 'could not run: 1 case without a verdict, whose process died; it ended after 1 of 2 cases, none failed until then',
    exitCode: 2,
  },
  'one of two shards': {
    catches: 'shards that nobody gave, silently green',
    sample: {
      expected: [recommendedCase, pods],
      results: [result(recommendedCase, 'passed')],
      run: { choice: { shard: { index: 1, of: 2 } } },
      shards: { of: 2, present: [1], killed: [] },
    },
    line: 'not conformant; recommended: 1 of 1; 2 of 2 cases selected: shard 1 of 2',
    exitCode: 1,
    reason: ['1 required case without a verdict', 'shard 2 of 2 is missing: give its evidence too'],
  },
  'a shard that was killed': {
    catches: 'a killed shard behind one that came to its end',
    sample: {
      expected: [recommendedCase, pods],
      results: [result(recommendedCase, 'passed'), result(pods, 'passed')],
      shards: { of: 2, present: [1, 2], killed: [2] },
    },
    line: 'not conformant; recommended: 1 of 1',
    exitCode: 1,
    reason: 'shard 2 of 2 was killed: nobody looked for what it left',
  },
};
