// A run with kinds that the interface lacks, for the tests of the reports: one walked, one only read, one blocked.
import type { FoundKind } from '../../matrix/api/index.js';
import { allCases, type Case } from '../../suites/requirements/index.js';
import type { Evidence } from '../evidence.js';
import { judge, type Verdict } from '../verdict.js';
import { result, sampleEvidence } from './sample.js';

const base = {
  version: 'v1',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['list', 'create', 'read', 'delete'],
  objectTypes: ['json'],
  patchTypes: [],
  watchable: false,
} as const satisfies Partial<FoundKind>;

/** The words of the server about the kind that is blocked; they are markup where markup is not escaped. */
export const serverWords = '422 spec.<b>size</b>: must be | prime';

/** The kinds: a group with two of them, and another group. */
const sampleKinds: readonly FoundKind[] = [
  { ...base, group: 'example.com', plural: 'widgets', singular: 'widget', kind: 'Widget', sample: { spec: {} } },
  { ...base, group: 'scaling.example.com', plural: 'fleets', singular: 'fleet', kind: 'Fleet', blocked: serverWords },
  { ...base, group: 'example.com', plural: 'rules', singular: 'rule', kind: 'Rule', readOnly: 'its objects bind all' },
];

const chosen = (one: Case): boolean =>
  one.requirement.ofFound === true && ['create.answer', 'list.kind', 'openapi.status'].includes(one.requirement.id);

/** Returns the run: the list of widgets fails, fleets are blocked, everything else passes. */
export function runWithKinds(): { readonly verdict: Verdict; readonly evidence: Evidence } {
  const expected = allCases(sampleKinds).filter(chosen);
  const results = expected.map((one) => {
    if (one.subject.resource === 'scaling.example.com/fleets')
      return result(one, 'blocked', { message: `no valid object: ${serverWords}` });
    const fails = one.requirement.id === 'list.kind' && one.subject.resource === 'example.com/widgets';
    return fails
      ? result(one, 'failed', { message: 'kind of the list: expected "WidgetList"' })
      : result(one, 'passed');
  });
  const evidence = sampleEvidence({ run: { kinds: sampleKinds }, results });
  return { evidence, verdict: judge(evidence, { expected }) };
}
