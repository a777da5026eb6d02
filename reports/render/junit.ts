// JUnit: a testsuite for each chapter, a testcase for each case, and one suite for failures of the run as a whole.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { JudgedCase } from '../judge/counts.js';
import type { Evidence } from '../judge/evidence.js';
import { failuresOf, fairShare } from '../judge/failureGroups.js';
import { failsRun } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { escapeXml } from '../safeText.js';
import { caseTest, failureElement, inSeconds, type Testcase, type TestcaseLength, testcase } from './junitCase.js';

/** The intended maximum size of the file, in bytes: GitLab reads at most 10 MB, other systems less. */
const sizeLimit = 4_800_000;
/** The number of failures of one suite with their exchange. */
const wholeOfSuite = 20;

/** Returns the whole run as JUnit XML. Every case is included; details that do not fit are counted. */
export function renderJunit(verdict: Verdict, { run, end }: Evidence): string {
  const written = testsOf(verdict);
  const suites = [
    suite('run', runTests(verdict), { startedAt: run?.startedAt, head: properties(verdict, run) }),
    ...[...groupBy(verdict.cases, ({ requirement }) => requirement.chapter)].map(([chapter, cases]) => {
      const tests = cases.flatMap((judged) => written.get(judged)?.test ?? []);
      const tail = shortOf(cases, written, verdict.strict);
      return suite(chapter, tests, { startedAt: startOf(cases) ?? run?.startedAt, tail });
    }),
  ];
  const sum = (kind: Testcase['kind']): number => suites.reduce((all, { counts }) => all + counts[kind], 0);
  const tests = sum('passed') + sum('failed') + sum('skipped');
  const milliseconds = run && end ? Date.parse(end.endedAt) - Date.parse(run.startedAt) : 0;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kube-api-conformance" tests="${tests}" failures="${sum('failed')}" errors="0" time="${inSeconds(milliseconds)}">`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>\n',
  ].join('\n');
}

interface Written {
  readonly length: TestcaseLength;
  readonly test: Testcase;
}

/** Returns the testcases within the size of the file: exchanges first, then messages, failures first. */
function testsOf({ cases, strict }: Verdict): ReadonlyMap<JudgedCase, Written> {
  const written = new Map<JudgedCase, Written>();
  let left = sizeLimit;
  const sizeOf = (judged: JudgedCase): number => Buffer.byteLength(written.get(judged)?.test.xml ?? '') + 1;
  for (const judged of cases) {
    written.set(judged, { length: 'bare', test: caseTest(judged, 'bare', strict) });
    left -= sizeOf(judged);
  }
  const unpassed = cases.filter(({ verdict }) => verdict !== 'passed');
  const lengthen = (some: readonly JudgedCase[], length: TestcaseLength, share: number): void => {
    const floor = left * (1 - share);
    for (const judged of some) {
      const test = caseTest(judged, length, strict);
      const more = Buffer.byteLength(test.xml) + 1 - sizeOf(judged);
      if (left - more < floor) return;
      left -= more;
      written.set(judged, { length, test });
    }
  };
  const failures = failuresOf(cases).filter((one) => failsRun(one, strict));
  const suites = groupBy(failures, ({ requirement }) => requirement.chapter);
  const whole = [...suites.values()].flatMap((members) => fairShare(members, wholeOfSuite));
  const short = (judged: JudgedCase): boolean => written.get(judged)?.length === 'bare';
  lengthen(inRounds(whole), 'whole', 0.7);
  lengthen(inRounds(failures.filter(short)), 'message', 0.8);
  lengthen(inRounds(unpassed.filter((judged) => !failsRun(judged, strict))), 'message', 1);
  return written;
}

/** Returns the first case of every requirement, then the second of each, and so on. */
function inRounds(cases: readonly JudgedCase[]): JudgedCase[] {
  const rounds: JudgedCase[][] = [];
  for (const members of groupBy(cases, ({ requirement }) => requirement.id).values())
    for (const [round, judged] of members.entries()) {
      rounds[round] ??= [];
      rounds[round].push(judged);
    }
  return rounds.flat();
}

/** Returns the number of failures of a suite without their exchange, as a line of its output. */
function shortOf(cases: readonly JudgedCase[], written: ReadonlyMap<JudgedCase, Written>, strict: boolean): string[] {
  const failures = cases.filter((judged) => failsRun(judged, strict));
  const short = failures.filter((judged) => written.get(judged)?.length !== 'whole').length;
  if (short === 0) return [];
  const said = `${short} of ${failures.length} failures stand here without their exchange: index.html has them`;
  return [`<system-out>${said}</system-out>`];
}

interface Suite {
  readonly xml: string;
  readonly counts: Readonly<Record<Testcase['kind'], number>>;
}

interface Around {
  readonly startedAt: string | undefined;
  readonly head?: readonly string[];
  readonly tail?: readonly string[];
}

function suite(name: string, tests: readonly Testcase[], { startedAt, head = [], tail = [] }: Around): Suite {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { kind } of tests) counts[kind] += 1;
  const time = inSeconds(tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  // Readers of JUnit know only this form of a time: in seconds, without a time zone.
  const timestamp = startedAt === undefined ? '' : ` timestamp="${escapeXml(startedAt.slice(0, 19))}"`;
  const open = `<testsuite name="${escapeXml(name)}" tests="${tests.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}" time="${time}"${timestamp}>`;
  return { xml: [open, ...head, ...tests.map(({ xml }) => xml), ...tail, '</testsuite>'].join('\n'), counts };
}

function properties(verdict: Verdict, run: Evidence['run']): string[] {
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['verdict', verdict.line],
    ['recommended', verdict.recommended.line],
    ['target', run?.target.name],
    ['url', run?.target.url],
    ['serverVersion', run?.target.serverVersion],
    ['nodes', run?.nodes],
    ['version', run?.version],
    ['run', run?.runId],
  ];
  const known = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const rows = known.map(([name, value]) => `<property name="${name}" value="${escapeXml(value)}"/>`);
  return ['<properties>', ...rows, '</properties>'];
}

function startOf(cases: readonly JudgedCase[]): string | undefined {
  const first = cases.reduce((least, { timing }) => Math.min(least, timing?.start ?? least), Number.POSITIVE_INFINITY);
  return Number.isFinite(first) ? new Date(first).toISOString() : undefined;
}

function runTests({ checks }: Verdict): Testcase[] {
  return checks.map(({ name, problems }) => {
    const inner =
      problems.length === 0 ? '' : failureElement('run', problems[0] ?? '', problems.join('\n').slice(0, 20_000));
    return testcase({ classname: 'run', name, kind: inner === '' ? 'passed' : 'failed' }, inner);
  });
}
