// JUnit: a testsuite per chapter, a testcase per case, and one suite for what fails the run as a whole.
import { groupBy, type JudgedCase, type State, whyUnjudged, wordOf } from '../counts.js';
import type { Evidence } from '../evidence.js';
import { levelWord } from '../page/words.js';
import { runChecks } from '../runChecks.js';
import type { Verdict } from '../verdict.js';
import { exchangeText } from './exchangeText.js';
import { failuresOf, fairShare } from './failures.js';
import { firstLine } from './visible.js';
import { escapeXml } from './xml.js';

/** How many failures carry their exchanges, and how long the bodies are: CI systems choke on more. */
const fullFailures = 1_000;
const junitBodyLimit = 4 * 1024;

/** The whole run as JUnit XML. */
export function renderJunit(verdict: Verdict, { run, end }: Evidence): string {
  const full = new Set(fairShare(failuresOf(verdict.cases), fullFailures));
  const suites = [
    suite('run', runTests(verdict), run?.startedAt, properties(verdict, run)),
    ...[...groupBy(verdict.cases, ({ requirement }) => requirement.chapter)].map(([chapter, cases]) =>
      suite(
        chapter,
        cases.map((judged) => caseTest(judged, full.has(judged))),
        startOf(cases) ?? run?.startedAt,
      ),
    ),
  ];
  const sum = (kind: Test['kind']): number => suites.reduce((all, { counts }) => all + counts[kind], 0);
  const tests = sum('passed') + sum('failed') + sum('skipped');
  const milliseconds = run && end ? Date.parse(end.endedAt) - Date.parse(run.startedAt) : 0;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kube-api-conformance" tests="${tests}" failures="${sum('failed')}" errors="0" time="${seconds(milliseconds)}">`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>\n',
  ].join('\n');
}

interface Test {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  readonly xml: string;
}

interface Suite {
  readonly xml: string;
  readonly counts: Readonly<Record<Test['kind'], number>>;
}

function suite(
  name: string,
  tests: readonly Test[],
  startedAt: string | undefined,
  head: readonly string[] = [],
): Suite {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { kind } of tests) counts[kind] += 1;
  const time = seconds(tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  // Readers of JUnit know this form of a time only: to the second, without a zone.
  const timestamp = startedAt === undefined ? '' : ` timestamp="${escapeXml(startedAt.slice(0, 19))}"`;
  const open = `<testsuite name="${escapeXml(name)}" tests="${tests.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}" time="${time}"${timestamp}>`;
  return { xml: [open, ...head, ...tests.map(({ xml }) => xml), '</testsuite>'].join('\n'), counts };
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
  const first = Math.min(...cases.map(({ timing }) => timing?.start ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(first) ? new Date(first).toISOString() : undefined;
}

/** Times come from a file: one that is no number, or runs backwards, is none. */
const seconds = (milliseconds: number): string => (Math.max(0, milliseconds || 0) / 1000).toFixed(3);

/** What the tag of a testcase says. */
interface Tag {
  readonly classname: string;
  readonly name: string;
  readonly kind: Test['kind'];
  readonly milliseconds?: number | undefined;
}

function test({ classname, name, kind, milliseconds = 0 }: Tag, inner = ''): Test {
  const open = `<testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}" time="${seconds(milliseconds)}"`;
  return { kind, milliseconds, xml: inner === '' ? `${open}/>` : `${open}>${inner}</testcase>` };
}

function failure(type: string, message: string, text: string): string {
  return `<failure type="${escapeXml(type)}" message="${escapeXml(firstLine(message))}">${escapeXml(text)}</failure>`;
}

function caseTest(judged: JudgedCase, full: boolean): Test {
  const { requirement, subject, verdict, message, deviation, timing, known } = judged;
  const tag = { classname: requirement.id, name: subject, milliseconds: timing?.milliseconds };
  const skipped = (why: string): Test =>
    test({ ...tag, kind: 'skipped' }, `<skipped message="${escapeXml(firstLine(why))}"/>`);
  // It fails no run that is compared with an earlier one.
  if (known) return skipped(`known ${reasonOf(verdict, message)}`);
  switch (verdict) {
    case 'passed':
      return test({ ...tag, kind: 'passed' });
    case 'known-deviation':
      return skipped(`known deviation: ${deviation?.reason ?? ''}`);
    case 'not-supported':
    case 'skipped':
      return skipped(`${wordOf(verdict)}: ${whyUnjudged(judged)}`);
    default: {
      const { level, text } = requirement.row;
      const inner = failure(levelWord(level), reasonOf(verdict, message), failureText(text, judged, full));
      return test({ ...tag, kind: 'failed' }, inner);
    }
  }
}

function reasonOf(verdict: State, message: string | undefined): string {
  return message ? `${wordOf(verdict)}: ${message}` : wordOf(verdict);
}

function failureText(rule: string, { message, exchanges }: JudgedCase, full: boolean): string {
  const shown = full ? exchanges.map((exchange) => exchangeText(exchange, junitBodyLimit)) : [];
  const hidden = full || exchanges.length === 0 ? [] : [`exchanges: ${exchanges.map(({ id }) => id).join(', ')}`];
  return [`Required: ${rule}`, ...(message ? [message] : []), ...shown, ...hidden].join('\n\n');
}

function runTests(verdict: Verdict): Test[] {
  return runChecks(verdict).map(({ name, problems }) => {
    const inner = problems.length === 0 ? '' : failure('run', problems[0] ?? '', problems.join('\n'));
    return test({ classname: 'run', name, kind: inner === '' ? 'passed' : 'failed' }, inner);
  });
}
