// Writes a run as Allure results: a test for each requirement and resource, a step for each of its cases.
import type { ReporterRuntime } from 'allure-js-commons/sdk/reporter';
import type { Exchange } from '../../matrix/requirements/index.js';
import { count, groupBy, isFailure, type JudgedCase, type JudgedVerdict, plural, stateOf, wordOf } from '../counts.js';
import type { Evidence } from '../evidence.js';
import { levelWord } from '../page/words.js';
import { curlLine } from '../render/curl.js';
import { exchangeText } from '../render/exchangeText.js';
import { failuresOf, fairShare } from '../render/failures.js';
import { firstLine, visible } from '../render/visible.js';
import { runChecks } from '../runChecks.js';
import type { Verdict } from '../verdict.js';

/** How many failures carry their exchanges, how many of them, and how long the bodies are. */
const fullFailures = 500;
const shownExchanges = 10;
const bodyLimit = 4 * 1024;
/** How many failures a test's message names. */
const named = 10;

/** Allure's words: what was blocked is broken; what was not judged, or is declared, is skipped. */
const statuses = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'broken',
  'known-deviation': 'skipped',
  'not-supported': 'skipped',
  skipped: 'skipped',
} as const satisfies Record<JudgedVerdict, string>;

type Runtime = Pick<
  ReporterRuntime,
  'startTest' | 'updateTest' | 'stopTest' | 'writeTest' | 'startStep' | 'updateStep' | 'stopStep' | 'writeAttachment'
>;
type TestResult = Parameters<Parameters<Runtime['updateTest']>[1]>[0];
type Status = NonNullable<TestResult['status']>;

/** What Allure shows of the run beside its tests. */
export function environmentOf(verdict: Verdict, { run }: Evidence): Record<string, string> {
  return {
    verdict: firstLine(verdict.line, 500),
    recommended: verdict.recommended.line,
    ...(run && {
      target: visible(run.target.name),
      url: visible(run.target.url),
      ...(run.target.serverVersion !== undefined && { server: visible(run.target.serverVersion) }),
      ...(run.nodes !== undefined && { nodes: run.nodes }),
      suite: visible(run.version),
    }),
  };
}

/** How Allure groups what is not passed. */
export const categories = [
  { name: 'Failed, required', matchedStatuses: ['failed'], messageRegex: '(?s)required.*' },
  { name: 'Failed, recommended', matchedStatuses: ['failed'], messageRegex: '(?s)recommended.*' },
  { name: 'Blocked', matchedStatuses: ['broken'] },
  { name: 'Known deviations', matchedStatuses: ['skipped'], messageRegex: '(?s)known deviation.*' },
  { name: 'Not supported', matchedStatuses: ['skipped'], messageRegex: '(?s)not supported.*' },
  { name: 'Skipped', matchedStatuses: ['skipped'], messageRegex: '(?s)skipped.*' },
] as const;

/** Writes the results of a run. Returns how many tests there are. */
export function writeResults(runtime: Runtime, verdict: Verdict, evidence: Evidence): number {
  const full = new Set(fairShare(failuresOf(verdict.cases), fullFailures));
  const url = evidence.run?.target.url ?? '';
  const start = Date.parse(evidence.run?.startedAt ?? '') || 0;
  const groups = groupBy(
    verdict.cases,
    ({ requirement, about }) => `${requirement.id} › ${about?.resource ?? 'unknown to this version'}`,
  );
  for (const [name, cases] of groups) writeGroup(runtime, { name, cases, full, url, start });
  const checks = runChecks(verdict);
  for (const { name, problems } of checks) writeCheck(runtime, name, problems, start);
  return groups.size + checks.length;
}

interface Group {
  /** `<requirement id> › <resource>`: what the test is known by from run to run. */
  readonly name: string;
  readonly cases: readonly JudgedCase[];
  readonly full: ReadonlySet<JudgedCase>;
  readonly url: string;
  /** Of the run: the time of a case that nothing was sent for. */
  readonly start: number;
}

function writeGroup(runtime: Runtime, group: Group): void {
  const { name, cases } = group;
  const [first] = cases;
  if (!first) return;
  const { requirement } = first;
  const { level, text, source } = requirement.row;
  const starts = cases.map((one) => startOf(one, group));
  const begin = Math.min(...starts);
  const end = Math.max(...cases.map((one, index) => (starts[index] ?? begin) + (one.timing?.milliseconds ?? 0)));
  const state = stateOf(count(cases));
  const uuid = runtime.startTest({
    name: name.slice(name.indexOf(' › ') + 3),
    fullName: name,
    historyId: name,
    testCaseId: name,
    titlePath: [requirement.chapter, requirement.id],
    description: `${text}\n\n${levelWord(level)}; the document: ${source.join(', ')}`,
    labels: [
      { name: 'parentSuite', value: requirement.chapter },
      { name: 'suite', value: requirement.id },
      { name: 'epic', value: level },
      { name: 'feature', value: requirement.chapter },
      { name: 'story', value: requirement.id },
      { name: 'severity', value: level === 'stated' ? 'critical' : 'minor' },
      { name: 'framework', value: 'kube-api-conformance' },
    ],
    start: begin,
  });
  for (const judged of cases) writeStep(runtime, uuid, judged, group);
  runtime.updateTest(uuid, (test) => {
    test.status = statusOf(state === 'untested' ? 'skipped' : state);
    test.statusDetails = { message: messageOf(state, cases) };
  });
  runtime.stopTest(uuid, { stop: end });
  runtime.writeTest(uuid);
}

function writeStep(runtime: Runtime, test: string, judged: JudgedCase, group: Group): void {
  const { subject, verdict, exchanges } = judged;
  const start = startOf(judged, group);
  const words = verdict === 'passed' ? '' : ` (${wordOf(verdict)})`;
  const step = runtime.startStep(test, undefined, { name: `${visible(subject)}${words}`, start });
  if (step === undefined) return;
  runtime.updateStep(step, (result) => {
    result.status = statusOf(verdict);
    if (verdict !== 'passed') result.statusDetails = { message: reasonOf(judged) };
  });
  const last = exchanges.at(-1);
  if (group.full.has(judged) && last) {
    const attach = (name: string, content: string): void =>
      runtime.writeAttachment(test, step, name, Buffer.from(content), { contentType: 'text/plain' });
    attach('exchanges', exchangesText(exchanges));
    attach('curl', curlLine(last, group.url));
  }
  runtime.stopStep(step, { stop: start + (judged.timing?.milliseconds ?? 0) });
}

/** The last ones, which tell most, in their order. */
function exchangesText(exchanges: readonly Exchange[]): string {
  const shown = exchanges.slice(-shownExchanges);
  const earlier = exchanges.length - shown.length;
  const head = earlier > 0 ? [`(${earlier} earlier ones: in evidence.jsonl)`] : [];
  return [...head, ...shown.map((exchange) => exchangeText(exchange, bodyLimit))].join(`\n\n${'-'.repeat(72)}\n\n`);
}

function writeCheck(runtime: Runtime, name: string, problems: readonly string[], start: number): void {
  const uuid = runtime.startTest({
    name,
    fullName: `run › ${name}`,
    historyId: `run › ${name}`,
    testCaseId: `run › ${name}`,
    titlePath: ['run'],
    labels: [
      { name: 'parentSuite', value: 'run' },
      { name: 'epic', value: 'required' },
      { name: 'severity', value: 'blocker' },
    ],
    start,
  });
  runtime.updateTest(uuid, (test) => {
    test.status = statusOf(problems.length === 0 ? 'passed' : 'failed');
    if (problems.length > 0) test.statusDetails = { message: visible(`required: ${problems.join('\n')}`) };
  });
  runtime.stopTest(uuid, { stop: start });
  runtime.writeTest(uuid);
}

const statusOf = (verdict: JudgedVerdict): Status => statuses[verdict] as Status;

function startOf({ timing }: JudgedCase, { start }: Group): number {
  return timing && Number.isFinite(timing.start) ? timing.start : start;
}

function reasonOf({ verdict, message, deviation }: JudgedCase): string {
  const reason = deviation ? `${deviation.reason}${message === undefined ? '' : `\n${message}`}` : message;
  return visible(`${wordOf(verdict)}${reason === undefined ? '' : `: ${reason}`}`);
}

/** Begins with the word that the categories look for. */
function messageOf(state: ReturnType<typeof stateOf>, cases: readonly JudgedCase[]): string {
  const those = cases.filter(({ verdict }) => verdict === state);
  const [first] = those;
  if (!first || state === 'passed') return '';
  if (!isFailure(first)) return reasonOf(first);
  const lines = those.slice(0, named).map((one) => `${one.subject}\n  ${reasonOf(one)}`);
  const rest = those.length - lines.length;
  const head = `${levelWord(first.requirement.row.level)}: ${plural(those.length, 'case')} of ${cases.length} ${wordOf(state as JudgedVerdict)}`;
  return visible([head, ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'));
}
