// One set of numbers: whatever happened in a run, the terminal, Markdown, JUnit, the badge, JSON and the page name the
// same verdict, and count the same failures.
import { expect, it } from 'vitest';
import { countLine } from '../judge/counts.js';
import { judge } from '../judge/verdict.js';
import { allElements, parseMarkup } from '../testing/parse.js';
import {
  ofRule,
  pods,
  readPods,
  recommendedCase,
  result,
  type Sample,
  sampleEvidence,
  services,
} from '../testing/sample.js';
import { renderBadgeEndpoint } from './badge.js';
import { renderHtml } from './html/report.js';
import { type ReportFile, renderJson } from './json.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderSummary } from './text.js';

interface Scenario {
  readonly sample: Sample;
  /** The head of the page, of its title and of Markdown. */
  readonly head: string;
  readonly line: RegExp;
  readonly badge: string;
  readonly count: string;
  /** The failing cases, and the failing checks of the run. */
  readonly failing: readonly [cases: number, checks: number];
}

const expected = [pods, services, readPods, recommendedCase];
const [good, badRecommended] = [result(recommendedCase, 'passed'), result(recommendedCase, 'failed', { message: 'm' })];
const bad = (of: typeof pods) => result(of, 'failed', { message: 'expected 200, got 500' });
const blocked = (of: typeof pods) => result(of, 'blocked', { message: 'create: 500' });
const ok = (of: typeof pods) => result(of, 'passed');
const known = (...cases: readonly (typeof pods)[]) => ({ baseline: { file: 'b', failed: cases.map(({ id }) => id) } });
const interrupted = { aborted: 'interrupted (SIGINT)' };
const unreached = (of: typeof pods) => result(of, 'skipped', { skip: 'not-reached', message: interrupted.aborted });
const counted = (passed: number, failed: number, blocked: number, known = 0, skipped = 0): string =>
  `cases: ${passed} passed, ${failed} failed, ${blocked} blocked, ${known} known deviations, 0 not supported, ${skipped} skipped`;

const scenarios: Readonly<Record<string, Scenario>> = {
  green: {
    sample: { results: [ok(pods), ok(services), ok(readPods), good] },
    head: 'Conformant',
    line: /^conformant to Kubernetes 1\.5/,
    badge: 'conformant',
    count: counted(4, 0, 0),
    failing: [0, 0],
  },
  'a known deviation': {
    sample: { results: [bad(pods), ok(services), ok(readPods), good], deviations: [{ ...ofRule, subject: 'pods' }] },
    head: 'Conformant',
    line: /, with 1 known deviation;/,
    badge: 'conformant, 1 known deviation',
    count: counted(3, 0, 0, 1),
    failing: [0, 0],
  },
  'a new required failure': {
    sample: { results: [bad(pods), ok(services), ok(readPods), good] },
    head: 'Not conformant',
    line: /^not conformant;/,
    badge: 'not conformant, 1 failed',
    count: counted(3, 1, 0),
    failing: [1, 0],
  },
  'a recommended failure': {
    sample: { results: [ok(pods), ok(services), ok(readPods), badRecommended] },
    head: 'Conformant',
    line: /^conformant .*; recommended: 0 of 1$/,
    badge: 'conformant',
    count: counted(3, 1, 0),
    failing: [0, 0],
  },
  'a recommended failure in a strict run': {
    sample: { results: [ok(pods), ok(services), ok(readPods), badRecommended], run: { strict: true } },
    head: 'Not conformant',
    line: /^not conformant;/,
    badge: 'not conformant, 1 failed',
    count: counted(3, 1, 0),
    failing: [1, 0],
  },
  'a baseline and nothing new': {
    sample: { results: [bad(pods), blocked(services), ok(readPods), badRecommended], run: known(pods, services) },
    head: 'Nothing new (2 known)',
    line: /^nothing new \(2 known\); not conformant/,
    badge: 'nothing new, 2 known',
    count: `${counted(1, 2, 1)}; 2 known failures among them`,
    failing: [0, 0],
  },
  'blocked cases and a baseline': {
    sample: { results: [blocked(pods), blocked(services), blocked(readPods), good], run: known(pods) },
    head: 'Not conformant',
    line: /^not conformant; 1 known failure;/,
    badge: 'not conformant, 2 blocked',
    count: `${counted(1, 0, 3)}; 1 known failure among them`,
    failing: [2, 0],
  },
  'a retry': {
    sample: { results: [result(pods, 'passed', { retried: 'lost' }), ok(services), ok(readPods), good] },
    head: 'Conformant',
    line: /1 case passed by a retry/,
    badge: 'conformant',
    count: counted(4, 0, 0),
    failing: [0, 0],
  },
  'left-overs': {
    sample: { results: [ok(pods), ok(services), ok(readPods), good], end: { leftovers: ['namespaces/a'] } },
    head: 'Not conformant',
    line: /^not conformant;/,
    badge: 'not conformant',
    count: counted(4, 0, 0),
    failing: [0, 1],
  },
  'interrupted before the first case': {
    sample: { results: expected.map(unreached), end: interrupted },
    head: 'Interrupted',
    line: /^interrupted after 0 of 4 cases, none failed until then$/,
    badge: 'interrupted',
    count: counted(0, 0, 0, 0, 4),
    failing: [0, 1],
  },
  'interrupted late': {
    sample: { results: [bad(pods), ok(services), unreached(readPods), unreached(recommendedCase)], end: interrupted },
    head: 'Interrupted',
    line: /^interrupted after 2 of 4 cases, 1 failed until then$/,
    badge: 'interrupted',
    count: counted(1, 1, 0, 0, 2),
    failing: [1, 1],
  },
  'a missing shard': {
    sample: {
      results: [bad(pods), badRecommended],
      run: { choice: { shard: { index: 1, of: 2 } } },
      shards: { of: 2, present: [1], killed: [] },
    },
    head: 'Not conformant',
    line: /^not conformant;/,
    badge: 'not conformant, 1 failed, 2 without a verdict',
    count: `${counted(0, 2, 0)}, 2 without a verdict`,
    failing: [3, 1],
  },
  'nothing chosen': {
    sample: { expected: [], results: [], run: { choice: { grep: 'none' } } },
    head: 'Could not run',
    line: /^could not run: no case was chosen: ids with "none"$/,
    badge: 'could not run',
    count: counted(0, 0, 0),
    failing: [0, 1],
  },
};

it.each(Object.entries(scenarios))('every format tells of %s', (_, { sample, ...wanted }) => {
  const all = sample.expected ?? expected;
  const evidence = sampleEvidence(sample);
  const verdict = judge(evidence, {
    expected: all,
    requirements: [...new Set(expected.map((one) => one.requirement))],
  });
  const { head, line, badge, count, failing } = wanted;
  const [cases, checks] = failing;

  expect(renderSummary(verdict).trimEnd().split('\n').at(-1)).toMatch(line);
  expect(countLine(verdict)).toBe(count);

  const markdown = renderMarkdown(verdict, evidence);
  expect(/^## \S+ (.*)$/m.exec(markdown)?.[1]).toBe(head);
  expect(tableIn(markdown)).toEqual(numbersIn(count));

  const root = parseMarkup(renderJunit(verdict, evidence), 'xml');
  const failures = allElements(root).filter(({ name }) => name === 'failure');
  expect(root.attributes.failures).toBe(String(cases + checks));
  expect(failures.filter(({ attributes }) => attributes.type === 'run')).toHaveLength(checks);

  expect((JSON.parse(renderBadgeEndpoint(verdict, evidence)) as { message: string }).message).toBe(
    badge +
      (sample.run && 'choice' in sample.run && /^(conformant|partial|nothing)/.test(badge) ? ', of a selection' : ''),
  );

  const json = JSON.parse(renderJson(verdict, evidence)) as ReportFile;
  expect(json.verdict.failing).toEqual(verdict.failing);
  const { failed, blocked, missing } = json.verdict.failing;
  expect(failed + blocked + missing).toBe(cases);

  const { page } = renderHtml(verdict, evidence);
  expect(/<title>(.*?): /.exec(page)?.[1]).toBe(head);
  expect(/<h1 class="verdict.*?<span>([^<]*)<\/span><\/h1>/.exec(page)?.[1]).toBe(head);
});

const words: Readonly<Record<string, string>> = {
  'no verdict': 'without a verdict',
  'known deviation': 'known deviations',
};

/** Returns the sums of the columns of the first table, without zeros. */
function tableIn(markdown: string): Readonly<Record<string, number>> {
  const [names = [], ...rows] = [...markdown.matchAll(/^\| (level|required|recommended) \| (.*) \|$/gm)].map(
    ([, , cells = '']) => cells.split(' | '),
  );
  return Object.fromEntries(
    names.map((name, index) => [words[name] ?? name, rows.reduce((sum, row) => sum + Number(row[index]), 0)]),
  );
}

/** Returns the numbers of a line for scripts, without zeros. */
const numbersIn = (line: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...line.replace(/;.*/, '').matchAll(/(\d+) ([a-z ]+)/g)].flatMap(([, number, name = '']) =>
      number === '0' ? [] : [[name, Number(number)]],
    ),
  );
