// JUnit: a testsuite per chapter, a testcase per case, and one suite for what fails the run as a whole.
import { groupBy, type JudgedCase, type State, wordOf } from '../counts.js';
import type { Verdict } from '../verdict.js';
import { exchangeText } from './exchangeText.js';
import { failuresOf, fairShare } from './failures.js';
import { firstLine, visible } from './visible.js';

/** How many failures carry their exchanges, and how long the bodies are: CI systems choke on more. */
const fullFailures = 1_000;
const junitBodyLimit = 4 * 1024;

/** The whole run as JUnit XML. */
export function renderJunit(verdict: Verdict): string {
  const full = new Set(fairShare(failuresOf(verdict.cases), fullFailures));
  const suites = [
    suite('run', runTests(verdict)),
    ...[...groupBy(verdict.cases, ({ requirement }) => requirement.chapter)].map(([chapter, cases]) =>
      suite(
        chapter,
        cases.map((judged) => caseTest(judged, full.has(judged))),
      ),
    ),
  ];
  const sum = (kind: Test['kind']): number => suites.reduce((all, { counts }) => all + counts[kind], 0);
  const tests = sum('passed') + sum('failed') + sum('skipped');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="kube-api-conformance" tests="${tests}" failures="${sum('failed')}" errors="0" skipped="${sum('skipped')}">`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>\n',
  ].join('\n');
}

/** The text with everything escaped that XML 1.0 gives a meaning to, and nothing in it that XML 1.0 forbids. */
function escapeXml(text: string): string {
  return visible(text).replace(/[<>&"'\n\t]/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
};

interface Test {
  readonly kind: 'passed' | 'failed' | 'skipped';
  readonly xml: string;
}

function suite(name: string, tests: readonly Test[]): { xml: string; counts: Record<Test['kind'], number> } {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { kind } of tests) counts[kind] += 1;
  const open = `<testsuite name="${escapeXml(name)}" tests="${tests.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}">`;
  return { xml: [open, ...tests.map(({ xml }) => xml), '</testsuite>'].join('\n'), counts };
}

function test(classname: string, name: string, kind: Test['kind'], inner = ''): Test {
  const open = `<testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"`;
  return { kind, xml: inner === '' ? `${open}/>` : `${open}>${inner}</testcase>` };
}

function failure(type: string, message: string, text: string): string {
  return `<failure type="${escapeXml(type)}" message="${escapeXml(firstLine(message))}">${escapeXml(text)}</failure>`;
}

function caseTest(judged: JudgedCase, full: boolean): Test {
  const { requirement, subject, verdict, message, deviation, known } = judged;
  const skipped = (why: string): Test =>
    test(requirement.id, subject, 'skipped', `<skipped message="${escapeXml(firstLine(why))}"/>`);
  // It fails no run that is compared with an earlier one.
  if (known) return skipped(`known ${reasonOf(verdict, message)}`);
  switch (verdict) {
    case 'passed':
      return test(requirement.id, subject, 'passed');
    case 'deviation':
      return skipped(`deviation: ${deviation?.reason ?? ''}`);
    case 'not-offered':
    case 'not-run':
      return skipped(reasonOf(verdict, message));
    default: {
      const { level, text } = requirement.row;
      const inner = failure(level, reasonOf(verdict, message), failureText(text, judged, full));
      return test(requirement.id, subject, 'failed', inner);
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

// A run that is red must be red here too, even where every case of it is green.
function runTests({ outcome, line, staleDeviations, staleAbsences, leftovers, reasons }: Verdict): Test[] {
  const check = (name: string, problems: readonly string[]): Test =>
    problems.length === 0
      ? test('run', name, 'passed')
      : test('run', name, 'failed', failure('run', problems[0] ?? '', problems.join('\n')));
  return [
    check(
      'runs to its end',
      outcome === 'could-not-run' ? [line] : reasons.filter((reason) => /killed|is missing/.test(reason)),
    ),
    check(
      'declares no deviation that is gone',
      [...staleDeviations, ...staleAbsences].map(({ message }) => message),
    ),
    check('leaves nothing behind', leftovers),
  ];
}
