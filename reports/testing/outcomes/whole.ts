// Outcomes of whole runs: failures, deviations, missing cases, exit codes.

import {
  type OutcomeRules,
  ofRule,
  otherRule,
  pods,
  readPods,
  recommendedCase,
  recommendedRule,
  result,
  services,
} from '../sample.js';

export const wholeRuns: OutcomeRules = {
  'all passed': {
    catches: 'a verdict that is never good',
    sample: { expected: [pods, recommendedCase], results: [result(pods, 'passed'), result(recommendedCase, 'passed')] },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; recommended: 1 of 1',
    exitCode: 0,
  },
  'a required case failed': {
    catches: 'a failure that nobody counts',
    sample: { expected: [pods, services], results: [result(pods, 'passed'), result(services, 'failed')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 required case failed',
  },
  'a required case blocked': {
    catches: 'a prerequisite that failed, taken for a skip',
    sample: { expected: [pods], results: [result(pods, 'blocked')] },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 required case blocked',
  },
  'a recommended case failed': {
    catches: 'a recommended case that decides conformance',
    sample: { expected: [pods, recommendedCase], results: [result(pods, 'passed'), result(recommendedCase, 'failed')] },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; recommended: 0 of 1',
    exitCode: 0,
  },
  'a failure is declared': {
    catches: 'a deviation that counts as a failure, or as a plain pass',
    sample: { expected: [pods], results: [result(pods, 'failed')], deviations: [ofRule] },
    line: 'conformant to Kubernetes 1.5, as served by 1.20, with 1 known deviation',
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
        { ...ofRule, requirement: otherRule.id },
      ],
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20, with 2 known deviations',
    exitCode: 0,
  },
  'a deviation of a recommended case': {
    catches: 'a recommended case that shows in the verdict because somebody declared it',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'failed')],
      deviations: [{ ...ofRule, requirement: recommendedRule.id }],
    },
    line: 'conformant to Kubernetes 1.5, as served by 1.20; recommended: 0 of 1 (1 known deviation)',
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
    reason: '1 required case failed',
  },
  'a deviation names another requirement': {
    catches: 'a declaration taken by prefix',
    sample: {
      expected: [pods, readPods],
      results: [result(pods, 'failed'), result(readPods, 'failed')],
      deviations: [{ ...ofRule, requirement: otherRule.id }],
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 required case failed',
  },
  'a deviation does not cover what could not be tested': {
    catches: 'a broken prerequisite behind a declaration',
    sample: {
      expected: [pods, services],
      results: [result(pods, 'failed'), result(services, 'blocked')],
      deviations: [ofRule],
    },
    line: 'not conformant',
    exitCode: 1,
    reason: '1 required case blocked',
  },
  'a case without evidence': {
    catches: 'a worker that died with its failures',
    sample: { expected: [pods, services], results: [result(pods, 'passed')] },
    line: 'could not run: 1 case without a verdict, whose process died; it ended after 1 of 2 cases, none failed until then',
    exitCode: 2,
  },
  'a case without evidence behind a deviation': {
    catches: 'a crash that passes for the declared failure',
    sample: { expected: [pods, services], results: [result(pods, 'failed')], deviations: [ofRule] },
    line: 'could not run: 1 case without a verdict, whose process died; it ended after 1 of 2 cases, none failed until then',
    exitCode: 2,
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
  'the target was gone, and no case failed': {
    catches:
      'a crash that nobody brings about again, called conformant; and a restart by its owner, called not conformant',
    sample: {
      expected: [pods],
      results: [result(pods, 'passed')],
      end: { outages: [{ milliseconds: 4_200, requests: ['PUT /a: no answer: other side closed'] }] },
    },
    line: 'inconclusive: the target was gone during the run, 1 time, and no case that counts shows why: run again',
    exitCode: 2,
  },
  'the target was gone, and a recommended case failed': {
    catches: 'a reader who is told that no case failed',
    sample: {
      expected: [pods, recommendedCase],
      results: [result(pods, 'passed'), result(recommendedCase, 'failed')],
      end: { outages: [{ milliseconds: 4_200, requests: [] }] },
    },
    line: 'inconclusive: the target was gone during the run, 1 time, and no case that counts shows why: run again; recommended: 0 of 1',
    exitCode: 2,
  },
  'the target was gone, and a case failed': {
    catches: 'an outage that excuses a failure, or that the failure hides',
    sample: {
      expected: [pods],
      results: [result(pods, 'failed')],
      end: { outages: [{ milliseconds: 4_200, requests: [] }] },
    },
    line: 'not conformant',
    exitCode: 1,
    reason: ['1 required case failed', 'the target was gone during the run, 1 time'],
  },
  'no end': {
    catches: 'a killed run that nobody cleaned, called conformant',
    sample: { expected: [pods], results: [result(pods, 'passed')], end: null },
    line: 'could not run: the run was killed; it ended after 1 of 1 case, none failed until then; nobody looked for what it left',
    exitCode: 2,
  },
  'no end, and cases without evidence': {
    catches: 'cases that a killed run did not reach, called failed',
    sample: { expected: [pods, services, readPods], results: [result(pods, 'failed')], end: null },
    line: 'could not run: the run was killed; it ended after 1 of 3 cases, 1 failed until then; nobody looked for what it left',
    exitCode: 2,
  },
  interrupted: {
    catches: 'cases that an interrupted run did not reach, called failed',
    sample: {
      expected: [pods, services, readPods],
      results: [result(pods, 'passed'), result(services, 'skipped', { skip: 'not-reached' })],
      end: { aborted: 'interrupted (SIGINT)' },
    },
    line: 'interrupted after 1 of 3 cases, none failed until then',
    exitCode: 2,
  },
  aborted: {
    catches: 'a server that went away, called not conformant',
    sample: { expected: [pods, services], results: [result(pods, 'failed')], end: { aborted: 'ECONNREFUSED' } },
    line: 'could not run: ECONNREFUSED; it ended after 1 of 2 cases, 1 failed until then',
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
    sample: { expected: [pods], results: [], run: { choice: { grep: 'pdos' } } },
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
    reason: '1 required case failed',
  },
};
