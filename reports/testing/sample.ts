// Small requirements, cases, evidence and hostile texts for the tests of the reports.
import { operations } from '../../matrix/api/index.js';
import type {
  Case,
  CaseResult,
  CaseVerdict,
  Deviation,
  Exchange,
  Level,
  Requirement,
  RequirementRow,
  RunFooter,
  RunHeader,
  Subject,
} from '../../suites/requirements/index.js';
import type { Evidence } from '../judge/evidence.js';
import type { Shards } from '../judge/shards.js';
import { type JudgeOptions, judge, type Verdict } from '../judge/verdict.js';

export function runHeader(more: Partial<RunHeader> = {}): RunHeader {
  return {
    type: 'run',
    version: '0.1.0',
    runId: 'r1',
    startedAt: '2026-11-21T10:00:00.000Z',
    target: { name: 'sample', url: 'https://127.0.0.1:6443', serverVersion: 'v1.20.2' },
    notSupported: [],
    deviations: [],
    disposable: false,
    nodes: 'ours',
    choice: {},
    workers: 1,
    ...more,
  };
}

export function runFooter(more: Partial<RunFooter> = {}): RunFooter {
  return { type: 'end', endedAt: '2026-11-21T10:00:42.500Z', leftovers: [], ...more };
}

/** Returns a requirement `<chapter>.<name>`, which is checked unless the row says otherwise. */
export function requirement(id: string, level: Level = 'required', row?: Partial<RequirementRow>): Requirement {
  const [chapter = '', name = ''] = id.split('.');
  const base = { level, rule: '22.1', text: `The server does ${id}.` } as const;
  return { id, chapter, name, row: { ...base, ...(row ?? { subjects: 'server' }) } as RequirementRow };
}

const operationsById = new Map(operations.map((operation) => [operation.id, operation]));

/** Returns a case of a requirement on an operation of the table, given its id, or on a subject without an operation. */
export function sampleCase(of: Requirement, subject: string, more: Partial<Subject> = {}): Case {
  const operation = operationsById.get(subject.split(',')[0] ?? '');
  const resource = operation?.resource
    ? `${operation.groupVersion.group || 'core'}/${operation.resource.plural}`
    : 'server';
  const about: Subject = { id: subject, resource, ...(operation && { operation }), ...more };
  return { id: `${of.id} › ${subject}`, requirement: of, subject: about };
}

export function result(of: Case, verdict: CaseVerdict, more: Partial<CaseResult> = {}): CaseResult {
  return {
    type: 'case',
    id: of.id,
    requirement: of.requirement.id,
    subject: of.subject.id,
    verdict,
    exchanges: [],
    ...(verdict === 'skipped' && { skip: 'could-not-run' }),
    ...more,
  };
}

/** Returns an exchange: a create with the response 201. */
export function exchange(id: string, more: Partial<Exchange> = {}): Exchange {
  return {
    type: 'exchange',
    id,
    at: '2026-11-21T10:00:01.000Z',
    milliseconds: 3.2,
    request: {
      method: 'POST',
      url: 'https://127.0.0.1:6443/api/v1/namespaces/ns/pods',
      headers: [
        ['accept', 'application/json'],
        ['content-type', 'application/json'],
        ['authorization', 'Bearer [redacted]'],
      ],
      body: { text: '{"kind":"Pod"}', bytes: 14 },
    },
    response: { status: 201, headers: [['content-type', 'application/json']], body: { text: '{}', bytes: 2 } },
    ...more,
  };
}

/** The content of a sample run; everything has a default. */
export interface Sample {
  readonly run?: Partial<RunHeader> | null;
  readonly end?: Partial<RunFooter> | null;
  readonly expected?: readonly Case[];
  readonly requirements?: readonly Requirement[];
  readonly results?: readonly CaseResult[];
  readonly exchanges?: readonly Exchange[];
  readonly deviations?: readonly Deviation[];
  readonly shards?: Shards;
}

/** Returns evidence as the reader would return it. `null` omits the header or the footer. */
export function sampleEvidence({ run, end, results = [], exchanges = [], deviations = [], shards }: Sample): Evidence {
  return {
    ...(run !== null && { run: runHeader({ deviations, ...run }) }),
    ...(end !== null && { end: runFooter(end) }),
    ...(shards && { shards }),
    cases: new Map(results.map((line) => [line.id, line])),
    exchanges: new Map(exchanges.map((line) => [line.id, line])),
    timings: new Map(),
    notes: [],
  };
}

/** Judges a sample against its own expected cases only. */
export function judgeSample(sample: Sample, options: JudgeOptions = {}): Verdict {
  const expected = sample.expected ?? [];
  const requirements = sample.requirements ?? [...new Set(expected.map((one) => one.requirement))];
  return judge(sampleEvidence(sample), { expected, requirements, ...options });
}

/** The expected outcome of a run, and the wrong verdict that the row detects. */
interface OutcomeRule {
  /** The wrong verdict that this row detects. */
  readonly catches: string;
  readonly sample: Sample;
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
  readonly reason?: string | readonly string[];
}

export type OutcomeRules = Readonly<Record<string, OutcomeRule>>;

export const rule = requirement('create.answer');
export const otherRule = requirement('read.answer');
export const recommendedRule = requirement('errors.reason', 'recommended');
export const pods = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods');
export const services = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/services');
export const jobs = sampleCase(rule, 'POST /apis/batch/v1/namespaces/{namespace}/jobs');
export const ingresses = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/ingresses');
export const deployments = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/deployments');
export const daemonsets = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/daemonsets');
export const replicasets = sampleCase(rule, 'POST /apis/extensions/v1beta1/namespaces/{namespace}/replicasets');
export const readPods = sampleCase(otherRule, 'GET /api/v1/namespaces/{namespace}/pods/{name}');
export const podsByPassword = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods, staticPassword', {
  mechanism: 'staticPassword',
});
export const userByPassword = sampleCase(rule, 'staticPassword, plain', { mechanism: 'staticPassword' });
export const recommendedCase = sampleCase(recommendedRule, 'server');
export const ofRule = { requirement: rule.id, reason: 'it is old' };
export const withoutExport = { message: 'export (until 1.20; it says so)' };
export const noSuchKind = { message: 'no such kind' };

export const hostile: readonly (readonly [attack: string, text: string])[] = [
  ['a script element', '</script><script>alert(1)</script>'],
  ['an image', '<img src=x onerror=alert(1)>'],
  ['a quoted attribute', `"' onmouseover="alert(1)" x='`],
  ['the end of a pre and of a page', '</pre></details></body></html>'],
  ['an entity', '&lt;b&gt; &unknown; &#0; & <!-- '],
  ['a CDATA section', ']]><x/><![CDATA['],
  ['characters that XML forbids', 'nul \0 bell \u0007 escape \u001b[2J\u001b[31m delete \u007f non-character \uffff'],
  ['half a surrogate pair', 'high \ud800 low \udc00 whole 😀'],
  ['the direction of text', 'safe \u202egnp.exe\u202c'],
  ['a carriage return', 'failed\rpassed'],
  ['a template', '{{x}} $& $1 <%= y %>'],
];

export const allHostile = hostile.map(([, text]) => text).join(' ');
