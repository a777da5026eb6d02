import { describe, expect, it } from 'vitest';
import type { Case, CaseVerdict } from '../../matrix/requirements/index.js';
import type { Tree } from '../page/tree.js';
import { allHostile } from '../testing/hostile.js';
import { type Element, elements, parse, textOf } from '../testing/parse.js';
import { judgeSample, requirement, result, type Sample, sampleCase, sampleEvidence } from '../testing/sample.js';
import { type ComparedRun, renderComparison } from './comparison.js';

const rule = requirement('create.answer');
const habit = requirement('errors.reason', 'convention');
const expected = [sampleCase(habit, 'server'), sampleCase(rule, 'a'), sampleCase(rule, 'b')] as const;

/** A run in which the cases have these verdicts, in their order. */
function run(name: string, verdicts: readonly CaseVerdict[], message = 'expected 1, got 2'): ComparedRun {
  const of: readonly Case[] = expected.slice(0, verdicts.length);
  const results = verdicts.map((verdict, index) => result(of[index] as Case, verdict, { message }));
  const sample: Sample = { expected: of, requirements: [habit, rule], results };
  return { name, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
}

const page = (...runs: readonly ComparedRun[]): Element => parse(renderComparison(runs), 'html');
const section = (root: Element, id: string): Element => {
  const found = elements(root).find(({ attributes }) => attributes.id === id);
  if (!found) throw new Error(`no #${id}`);
  return found;
};
const text = (tree: Tree): string => (typeof tree === 'string' ? tree : tree[2].map(text).join(' '));
const listed = (root: Element): string[] =>
  elements(root)
    .filter(({ attributes }) => attributes.type === 'application/json')
    .map((script) => (JSON.parse(script.text) as readonly Tree[]).map(text).join(' '));

describe('a comparison', () => {
  it('has a column for each run', () => {
    const root = page(run('one', ['passed']), run('two', ['passed']), run('three', ['passed']));
    const heads = elements(section(root, 'runs')).filter(({ attributes }) => attributes.scope === 'col');
    expect(heads.map(textOf)).toEqual(['one', 'two', 'three']);
  });

  it('says that runs agree', () => {
    const root = page(run('one', ['passed', 'failed']), run('two', ['passed', 'failed']));
    expect(elements(root).find(({ name }) => name === 'h1')?.text).toBe('The runs agree');
    expect(textOf(section(root, 'same'))).toMatch(/create\.answer.*errors\.reason|errors\.reason.*create\.answer/s);
  });

  it('puts the failures of stated rules first, and lists the cases that differ and no others', () => {
    const root = page(run('one', ['passed', 'passed', 'passed']), run('two', ['failed', 'failed', 'passed']));
    const rows = elements(section(root, 'differences')).filter(({ attributes }) => attributes.class === 'row');
    expect(rows.map(textOf).map((row) => /create\.answer|errors\.reason/.exec(row)?.[0])).toEqual([
      'create.answer',
      'errors.reason',
    ]);
    expect(listed(root)).toEqual([
      expect.stringMatching(/^\s*a\s.*passed.*failed.*expected 1, got 2/s),
      expect.stringMatching(/^\s*server\s/),
    ]);
    expect(elements(root).find(({ name }) => name === 'h1')?.text).toBe('2 requirements and 2 cases differ');
  });

  it('shows a case that one run does not have', () => {
    const root = page(run('one', ['passed', 'passed']), run('two', ['passed']));
    expect(listed(root)[0]).toContain('–');
  });

  it('tells what differs where both requirements have the same state', () => {
    const root = page(run('one', ['passed', 'failed', 'passed']), run('two', ['passed', 'passed', 'failed']));
    expect(textOf(section(root, 'differences'))).toContain('2 cases differ');
  });

  it('keeps hostile text as text', () => {
    const root = page(run(allHostile, ['passed']), run(allHostile, ['failed'], allHostile));
    const names = new Set(elements(root).map(({ name }) => name));
    expect([...names].filter((name) => ['img', 'x', 'iframe'].includes(name))).toEqual([]);
    expect(listed(root)[0]).toContain('<img src=x onerror=alert(1)>');
  });

  it('stays within bounds where every case differs', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => sampleCase(rule, `subject ${index}`));
    const runs = (['passed', 'failed'] as const).map((verdict) => {
      const sample: Sample = {
        expected: many,
        results: many.map((one) => result(one, verdict, { message: 'x'.repeat(500) })),
      };
      return { name: verdict, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
    });
    const source = renderComparison(runs);
    expect(source.length).toBeLessThan(2_000_000);
    expect(source).toContain('19,500 cases more');
  }, 600_000);
});
