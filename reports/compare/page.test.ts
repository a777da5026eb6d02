// The page of a comparison: its sections, its size, and no markup from a server.
import { describe, expect, it } from 'vitest';
import { allCases, type Case, type CaseVerdict } from '../../suites/requirements/index.js';
import { allElements, type ParsedElement, parseMarkup, textOf } from '../testing/parse.js';
import {
  allHostile,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { type ComparedRun, compareRuns } from './compareRuns.js';
import { renderComparisonMarkdown } from './markdown.js';
import { renderComparison } from './page.js';
import { renderComparisonText } from './text.js';

const rule = requirement('create.answer');
const recommendedRule = requirement('errors.reason', 'recommended');
const expected = [sampleCase(recommendedRule, 'server'), sampleCase(rule, 'a'), sampleCase(rule, 'b')] as const;

function run(name: string, verdicts: readonly CaseVerdict[], message = 'expected 1, got 2'): ComparedRun {
  const of: readonly Case[] = expected.slice(0, verdicts.length);
  const results = verdicts.map((verdict, index) => result(of[index] as Case, verdict, { message }));
  const sample: Sample = { expected: of, requirements: [recommendedRule, rule], results };
  return { name, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
}

const page = (...runs: readonly ComparedRun[]): ParsedElement =>
  parseMarkup(renderComparison(compareRuns(runs)), 'html');
const section = (root: ParsedElement, id: string): ParsedElement => {
  const found = allElements(root).find(({ attributes }) => attributes.id === id);
  if (!found) throw new Error(`no #${id}`);
  return found;
};
const headOf = (root: ParsedElement): string =>
  textOf(allElements(root).find(({ name }) => name === 'h1') as ParsedElement);
const idsIn = (root: ParsedElement): string[] =>
  allElements(root).flatMap(({ name, text }) => (name === 'code' && /^\w+\.[\w-]+$/.test(text) ? [text] : []));

describe('a comparison', () => {
  it('has a column for each run', () => {
    const root = page(run('one', ['passed']), run('two', ['passed']), run('three', ['passed']));
    const heads = allElements(section(root, 'runs')).filter(({ attributes }) => attributes.scope === 'col');
    expect(heads.map(textOf)).toEqual(['one', 'two', 'three']);
  });

  it('says that runs agree, and folds equal requirements', () => {
    const root = page(run('one', ['passed', 'failed']), run('two', ['passed', 'failed']));
    expect(headOf(root)).toBe('The runs agree');
    expect(idsIn(section(root, 'same')).sort()).toEqual(['create.answer', 'errors.reason']);
    expect(idsIn(section(root, 'worse'))).toEqual([]);
  });

  it('has the same counts in its first lines, its tabs and its sections', () => {
    const root = page(run('one', ['passed', 'passed']), run('two', ['passed']));
    expect(textOf(root)).toContain('1 equal, 1 in some of the runs only');
    const tabs = allElements(root).filter(({ attributes }) => attributes.class === 'ways')[0] as ParsedElement;
    const counts = [...textOf(tabs).matchAll(/(Equal|In some of the runs only) +(\d+)/g)].map(([, ...tab]) => tab);
    expect(counts).toEqual([
      ['Equal', '1'],
      ['In some of the runs only', '1'],
    ]);
    expect(idsIn(section(root, 'same'))).toEqual(['errors.reason']);
    expect(idsIn(section(root, 'partial'))).toEqual(['create.answer']);
  });

  it('has worse requirements first, required before recommended, with fractions and the cases that differ', () => {
    const root = page(run('one', ['passed', 'passed', 'passed']), run('two', ['failed', 'failed', 'passed']));
    const worse = section(root, 'worse');
    expect(headOf(root)).toBe('two is worse than one');
    expect(idsIn(worse)).toEqual(['create.answer', 'errors.reason']);
    expect(textOf(worse)).toMatch(/create\.answer.*required.*1 case worse.*2\/2.*1\/2.*expected 1, got 2/s);
    const listed = allElements(worse).filter(({ name }) => name === 'li');
    expect(listed.map((item) => textOf(item).trim().split(/\s/)[0])).toEqual(['a', 'server']);
  });

  it('tells names apart that differ only at their end', () => {
    const long = (end: string): string => `${'reports/a-long-name/'.repeat(5)}${end}`;
    const head = headOf(page(run(long('before'), ['passed']), run(long('after'), ['failed'])));
    expect(head).toMatch(/…\S*after is worse than \S*…\S*before/);
  });

  it('has better requirements in their own section', () => {
    const root = page(run('one', ['passed', 'failed']), run('two', ['passed', 'passed']));
    expect(headOf(root)).toBe('two is better than one');
    expect(idsIn(section(root, 'better'))).toEqual(['create.answer']);
  });

  it('groups other differences by their reason', () => {
    const root = page(run('one', ['passed', 'passed']), run('two', ['passed', 'not-supported'], 'no such group'));
    expect(headOf(root)).toBe('two is no worse than one');
    expect(textOf(section(root, 'other'))).toContain('passed, then not supported: no such group');
  });

  it('says the same as the terminal and Markdown', () => {
    for (const after of ['passed', 'failed', 'blocked', 'not-supported', 'skipped'] as const) {
      const comparison = compareRuns([run('one', ['passed', 'failed']), run('two', ['passed', after])]);
      const head = headOf(parseMarkup(renderComparison(comparison), 'html'));
      expect(renderComparisonText(comparison).startsWith(`${head}: `), after).toBe(true);
      expect(renderComparisonMarkdown(comparison), after).toContain(head);
    }
  });

  it('has the kinds and verbs with a mark where a cell changed', () => {
    const cases = allCases().filter(
      ({ subject, requirement: { chapter } }) => chapter === 'list' && subject.resource === 'core/pods',
    );
    expect(cases.length).toBeGreaterThan(0);
    const of = (name: string, verdict: CaseVerdict): ComparedRun => {
      const sample: Sample = { expected: cases, results: cases.map((one) => result(one, verdict)) };
      return { name, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
    };
    const map = section(page(of('one', 'passed'), of('two', 'failed')), 'map');
    expect(textOf(map)).toMatch(/pods.*0\/\d+.*▼.*worse/s);
    const cells = allElements(map).filter(({ attributes }) => attributes.class?.includes('square'));
    expect(new Set(cells.map(({ attributes }) => attributes.class))).toEqual(
      new Set(['cell square failed good0 odd0']),
    );
    const legend = allElements(map).filter(({ attributes, name }) => name === 'ul' && attributes.class === 'legend');
    expect(legend.map(textOf).join()).toMatch(/failed✗ worse than one▼/);
    expect(legend.map(textOf).join()).not.toMatch(/[▲◆]|passed/);
  });

  it('has no number in the map that only one of the runs has', () => {
    const cases = allCases().filter(
      ({ requirement, subject: { resource } }) => requirement.id === 'list.kind' && resource.startsWith('core/'),
    );
    const of = (name: string, chosen: readonly Case[]): ComparedRun => {
      const sample: Sample = { expected: chosen, results: chosen.map((one) => result(one, 'passed')) };
      return { name, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
    };
    const map = section(page(of('one', cases), of('two', cases.slice(0, 1))), 'map');
    const cells = allElements(map).filter(({ attributes }) => attributes.class?.includes('square'));
    expect(cells.length).toBeGreaterThan(1);
    expect(cells.filter(({ attributes }) => !attributes.class?.includes('none'))).toHaveLength(1);
  });

  it('keeps hostile text as text', () => {
    const runs = [run(allHostile, ['passed']), run(allHostile, ['failed'], allHostile)];
    const names = new Set(allElements(page(...runs)).map(({ name }) => name));
    expect([...names].filter((name) => ['img', 'x', 'iframe', 'script'].includes(name))).toEqual([]);
    expect(renderComparisonText(compareRuns(runs))).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(renderComparisonMarkdown(compareRuns(runs))).not.toMatch(/^<img/m);
  });

  it('stays within 500 KB if every case of the matrix differs', () => {
    const all = allCases();
    const runs = (['passed', 'failed'] as const).map((verdict) => {
      const sample: Sample = {
        expected: all,
        results: all.map((one) => result(one, verdict, { message: 'x'.repeat(500) })),
      };
      return { name: verdict, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
    });
    const comparison = compareRuns(runs);
    const source = renderComparison(comparison);
    expect(source.length).toBeLessThan(500_000);
    expect(source).toMatch(/\d+ more requirements/);
    expect(Buffer.byteLength(renderComparisonMarkdown(comparison))).toBeLessThan(20_000);
  });
});
