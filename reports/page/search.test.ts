// The search: words, quoted texts and terms.
import { expect, it } from 'vitest';
import type { CaseView, RequirementView } from './model.js';
import { KnownValues, matchesTerms, parseSearch, rowMatchesTerms } from './search.js';

const requirement = {
  id: 'patch.merge-patch',
  chapter: 'patch',
  level: 'required',
  text: 'A merge patch merges.',
  rule: -1,
  cases: 1,
} satisfies RequirementView;
const one: CaseView = {
  index: 0,
  requirement,
  subject: 'PATCH /pods',
  kind: 'core/pods',
  verb: 'patch',
  media: 'json',
  mechanism: '',
  verdict: 'failed',
  message: 'not found',
  reason: '',
};

it.each<[search: string, texts: string[], terms: string[]]>([
  ['', [], []],
  ['two  Words', ['two', 'words'], []],
  ['"not found" pods', ['not found', 'pods'], []],
  ['"it does not end', ['it does not end'], []],
  ['verb:patch,read kind:"core/pods"', [], ['verb=patch|read', 'kind=core/pods']],
  ['https://h:1 status:failed', ['https://h:1'], ['verdict=failed']],
  ['constructor:x', ['constructor:x'], []],
  ['""', [], []],
])('%s', (search, texts, terms) => {
  const parsed = parseSearch(search);
  expect(parsed.texts).toEqual(texts);
  expect(parsed.terms.map(({ name, values }) => `${name}=${values.join('|')}`)).toEqual(terms);
});

it.each([
  ['verb:patch kind:pods status:failed', true],
  ['kind:core/pods level:required chapter:patch requirement:merge-patch media:json', true],
  ['requirement:patch.merge-patch', true],
  ['verb:read,PATCH', true],
  ['verb:pat', false],
  ['status:passed', false],
  ['mechanism:statictoken', false],
])('a case matches %s: %s', (search, matches) => {
  expect(matchesTerms(one, parseSearch(search))).toBe(matches);
});

it('a requirement without cases matches only terms about itself', () => {
  const row: RequirementView = { ...requirement, cases: 0, empty: 'untested' };
  expect(rowMatchesTerms(row, parseSearch('chapter:patch status:untested'))).toBe(true);
  expect(rowMatchesTerms(row, parseSearch('chapter:patch verb:patch'))).toBe(false);
});

it.each([
  ['verb:patch status:failed "a b" https://h:1', []],
  ['"a b', ['the quotation mark in "a b is not closed']],
  ['verb: patch', ['verb: needs a value without a space, as in verb:patch']],
  ['constructor:x', [expect.stringContaining('unknown term constructor: (searched as text')]],
])('what is wrong with %s', (search, problems) => {
  expect(parseSearch(search).problems).toEqual(problems);
});

it.each([
  ['kind', 'core/pods', []],
  ['kind', 'PODS', []],
  ['kind', 'podz', ['no kind podz in this run; did you mean pods?']],
  ['chapter', 'zzz', ['no chapter zzz in this run, which has patch']],
] as const)('%s:%s names something of the run, or else: %j', (name, value, problems) => {
  const known = new KnownValues({ cases: [one], requirements: [requirement] });
  expect(known.problemsOf(name, [value])).toEqual(problems);
});
