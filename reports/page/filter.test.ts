// The filter in the address, and the cases that match it.
import { describe, expect, it } from 'vitest';
import { fragmentOf, Matcher, matchesEmpty, type PageState, parseFragment } from './filter.js';
import type { Island } from './island.js';
import { caseId, modelOf } from './model.js';

const island: Island = {
  command: 'run',
  kinds: ['core/pods', 'server'],
  verbs: ['create'],
  media: ['json', 'yaml'],
  mechanisms: ['staticToken'],
  stated: [[0, 0]],
  operations: ['POST /pods'],
  subjects: [
    ['', 0, -1, -1, 0, 0],
    [', Accept YAML', 0, 1, -1, 0, 0],
    ['server', -1, -1, 0, 1, -1],
  ],
  rules: [],
  others: [],
  requirements: [
    { id: 'create.answer', rule: -1, text: 'A create answers.', cases: 2 },
    { id: 'errors.reason', recommended: 1, rule: -1, text: 'It has a reason.', cases: 1 },
    { id: 'later.rule', rule: -1, text: 'Something else.', empty: 'unobservable', cases: 0 },
  ],
  verdicts: 'pfd',
  subjectOf: [0, 1, 2],
  messages: ['expected 200'],
  messageOf: [0, -1],
  reasons: ['it is old'],
  reasonOf: [0],
  templates: [[1, 0]],
  beside: [[2, 'exchanges/001.html#s1']],
};
const model = modelOf(island);
const ids = (fragment: string): string[] =>
  new Matcher().casesOf(model.cases, parseFragment(fragment).filter).map(caseId);

describe('the model', () => {
  it('unfolds cases, messages and reasons', () => {
    expect(model.cases.map((one) => [caseId(one), one.verdict, one.message, one.reason])).toEqual([
      ['create.answer › POST /pods', 'passed', '', ''],
      ['create.answer › POST /pods, Accept YAML', 'failed', 'expected 200', ''],
      ['errors.reason › server', 'known-deviation', '', 'it is old'],
    ]);
    expect(model.templates.get(1)).toBe(0);
    expect(model.beside.get(2)).toBe('exchanges/001.html#s1');
  });
});

describe('the fragment', () => {
  const places: readonly PageState[] = [
    { view: 'matrix', filter: {} },
    { view: 'matrix', filter: { split: 'media' } },
    { view: 'cases', filter: { verdict: 'failed,blocked', level: 'required', kind: 'core/pods', verb: 'create' } },
    { view: 'cases', filter: { case: 'create.answer › POST /pods, "a" & b=c#d?e+f' } },
    { view: 'requirements', filter: { q: '100% <b> ünï', mechanism: 'staticToken', media: 'json', chapter: 'create' } },
  ];

  it.each(places.map((place) => [fragmentOf(place), place] as const))('%s comes back as it was', (fragment, place) => {
    expect(parseFragment(fragment)).toEqual(place);
  });

  it('names an unknown view', () => {
    expect(parseFragment('#nothing?q=x')).toEqual({ view: 'matrix', filter: { q: 'x' }, unknown: 'nothing' });
  });

  it.each(['', '#', '#nothing', '#__proto__?x=y', '#cases?%E0%A4%A'])('%s is still a valid address', (fragment) => {
    expect(['matrix', 'cases']).toContain(parseFragment(fragment).view);
  });
});

describe('the filter', () => {
  it.each([
    ['#cases', 3],
    ['#cases?verdict=failed', 1],
    ['#cases?verdict=failed,known-deviation', 2],
    ['#cases?level=recommended', 1],
    ['#cases?chapter=create', 2],
    ['#cases?kind=core/pods&verb=create', 2],
    ['#cases?media=yaml', 1],
    ['#cases?mechanism=staticToken', 1],
    ['#cases?requirement=errors.reason', 1],
    ['#cases?reason=it is old', 1],
    ['#cases?q=yaml POST', 1],
    ['#cases?q=A+create answers', 2],
    ['#cases?q=200', 1],
    ['#cases?q=nowhere', 0],
    ['#cases?case=create.answer › POST /pods', 1],
  ])('%s leaves %i', (fragment, number) => {
    expect(ids(fragment)).toHaveLength(number);
  });

  it('keeps a requirement without cases if no filter needs a case', () => {
    const row = model.requirements[2];
    if (!row) throw new Error('no row');
    const lets = (fragment: string): boolean => matchesEmpty(row, parseFragment(fragment).filter);
    expect(['#requirements', '#requirements?verdict=unobservable', '#requirements?q=else'].map(lets)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['#requirements?kind=core/pods', '#requirements?verdict=passed', '#requirements?q=x'].map(lets)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
