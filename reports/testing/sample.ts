// Makes small requirements, cases and evidence for the tests of the reports.
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
import type { Evidence } from '../evidence.js';
import type { Shards } from '../shards.js';
import { judge, type Verdict } from '../verdict.js';

/** Returns the header of a run. */
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
    ...more,
  };
}

/** Returns the footer of a run. */
export function runFooter(more: Partial<RunFooter> = {}): RunFooter {
  return { type: 'end', endedAt: '2026-11-21T10:00:42.500Z', leftovers: [], ...more };
}

/** Returns a requirement `<chapter>.<name>`, which is checked unless the row says otherwise. */
export function requirement(id: string, level: Level = 'required', row?: Partial<RequirementRow>): Requirement {
  const [chapter = '', name = ''] = id.split('.');
  const base = { level, rule: '22.1', text: `The server does ${id}.` } as const;
  return { id, chapter, name, row: { ...base, ...(row ?? { subjects: 'server' }) } as RequirementRow };
}

/** Returns a case of a requirement on an operation of the table, given its id, or on a subject without an operation. */
export function sampleCase(of: Requirement, subject: string, more: Partial<Subject> = {}): Case {
  const operation = operations.find(({ id }) => id === subject.split(',')[0]);
  const resource = operation?.resource
    ? `${operation.groupVersion.group || 'core'}/${operation.resource.plural}`
    : 'server';
  const about: Subject = { id: subject, resource, ...(operation && { operation }), ...more };
  return { id: `${of.id} › ${subject}`, requirement: of, subject: about };
}

/** Returns a result of a case. */
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
export function judgeSample(sample: Sample): Verdict {
  const expected = sample.expected ?? [];
  const requirements = sample.requirements ?? [...new Set(expected.map((one) => one.requirement))];
  return judge(sampleEvidence(sample), { expected, requirements });
}
