// One story for CI: for every outcome, the exit code, JUnit, the badge, Markdown, the page and JSON say the same.
import { expect, it } from 'vitest';
import { judge } from '../judge/verdict.js';
import { partialRuns } from '../testing/outcomes/parts.js';
import { wholeRuns } from '../testing/outcomes/whole.js';
import { allElements, parseMarkup } from '../testing/parse.js';
import { pods, recommendedCase, result, sampleEvidence } from '../testing/sample.js';
import { renderBadge, renderBadgeEndpoint } from './badge.js';
import { renderHtml } from './html/report.js';
import { type ReportFile, renderJson } from './json.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import { renderSummary } from './text.js';

const good = /^(## (✅|☑️) )/;

it.each(Object.entries({ ...wholeRuns, ...partialRuns }))('every format agrees: %s', (_, { sample, exitCode }) => {
  const { expected = [], requirements = [...new Set(expected.map((one) => one.requirement))] } = sample;
  const evidence = sampleEvidence(sample);
  const verdict = judge(evidence, { expected, requirements });
  const suites = parseMarkup(renderJunit(verdict, evidence), 'xml');
  const { page } = renderHtml(verdict, evidence);
  const { color } = JSON.parse(renderBadgeEndpoint(verdict, evidence)) as { color: string };
  const json = JSON.parse(renderJson(verdict, evidence)) as ReportFile;
  expect({
    exitCode: verdict.exitCode,
    junit: suites.attributes.failures !== '0',
    markdown: !good.test(renderMarkdown(verdict, evidence)),
    badge: ['c21f2b', '5f6a74'].includes(color),
    page: /<h1 class="verdict (failed|blocked)">/.test(page),
    json: json.verdict.exitCode,
  }).toEqual({
    exitCode,
    junit: exitCode > 0,
    markdown: exitCode > 0,
    badge: exitCode > 0,
    page: exitCode > 0,
    json: exitCode,
  });
});

it('a run with nothing new says so, and how much is known', () => {
  const evidence = sampleEvidence({
    run: { baseline: { file: 'b', failed: [pods.id] } },
    results: [result(pods, 'failed', { message: 'expected 200, got 500' })],
  });
  const verdict = judge(evidence, { expected: [pods], requirements: [pods.requirement] });
  expect(renderSummary(verdict)).toMatch(/\nnothing new \(1 known\); not conformant\n$/);
  expect(renderMarkdown(verdict, evidence)).toMatch(/^## ✅ Nothing new \(1 known\)\n/);
  expect(renderBadge(verdict, evidence)).toContain('nothing new, 1 known');
  expect(renderHtml(verdict, evidence).page).toContain('<title>Nothing new (1 known): sample');
});

it('a case that passed by a retry is marked in every format', () => {
  const retried = 'expected an event, got none in 10 s';
  const evidence = sampleEvidence({ results: [result(pods, 'passed', { retried })] });
  const verdict = judge(evidence, { expected: [pods], requirements: [pods.requirement] });
  expect(verdict.line).toBe('conformant to Kubernetes 1.5, as served by 1.20; 1 case passed by a retry');
  const junit = renderJunit(verdict, evidence);
  for (const text of [renderSummary(verdict), junit, renderMarkdown(verdict, evidence), renderJson(verdict, evidence)])
    expect(text).toContain(retried);
  const { page } = renderHtml(verdict, evidence);
  for (const part of [pods.id, retried]) expect(page).toContain(part);
});

it('a recommended failure fails JUnit only in a strict run, and left-overs are a sentence', () => {
  const failures = (strict: boolean): (string | undefined)[] => {
    const evidence = sampleEvidence({
      end: { leftovers: ['pods/a (its finalizer stays)'] },
      results: [result(recommendedCase, 'failed', { message: 'no reason' })],
    });
    const options = { strict, expected: [recommendedCase], requirements: [recommendedCase.requirement] };
    return allElements(parseMarkup(renderJunit(judge(evidence, options), evidence), 'xml'))
      .filter(({ name }) => name === 'failure')
      .map(({ attributes }) => attributes.message);
  };
  const left = 'left on the target: pods/a (its finalizer stays)';
  expect(failures(false)).toEqual([left]);
  expect(failures(true)).toEqual([left, 'failed: no reason']);
});
