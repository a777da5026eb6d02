// The search: words, quoted texts and terms.
import { expect, it } from 'vitest';
import type { CaseView, RequirementView } from './model.js';
import { matchesTerms, parseSearch, rowMatchesTerms } from './search.js';

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
  ['https://h:1 status:failed', ['https://h:1'], ['status=failed']],
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
