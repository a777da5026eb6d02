// The specification of the interface covers the document, and every requirement has exactly one rule.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addresses } from '../addresses.js';
import { requirements } from '../cases.js';
import { candidatesOf, interfaceUrl, requirementsOfRule, ruleOf, rules, sections } from './index.js';

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);
const sentences = (text: string): string[] => text.split(/(?<=[.;:]) /);

describe('the rules', () => {
  it('cover every address of the document once', () => {
    const covered = rules.flatMap(({ sources }) => sources);
    expect(twice(covered)).toEqual([]);
    expect(addresses.filter((address) => !covered.includes(address))).toEqual([]);
  });

  it('are numbered consecutively', () => {
    expect(sections.map(({ number }) => number)).toEqual(sections.map((_, index) => index + 1));
    for (const { number, rules: own } of sections)
      expect(own.map((rule) => rule.number)).toEqual(own.map((_, index) => `${number}.${index + 1}`));
  });

  it('have a paragraph for the rule and a sentence for the reason', () => {
    const wordy = rules.filter(({ text, why }) => sentences(text).length > 9 || sentences(why).length > 2);
    expect(wordy.map(({ number }) => number)).toEqual([]);
    const ragged = rules.filter(({ text, why }) => !/^[A-Z`].*\.$/.test(text) || !/^[A-Z`].*\.$/.test(why));
    expect(ragged.map(({ number }) => number)).toEqual([]);
    expect(twice(rules.flatMap(({ title, text, why }) => [title, text, why]))).toEqual([]);
  });

  it('name requirements that exist, by patterns that each match some', () => {
    const idle = rules.flatMap(({ number, requirements: named = [] }) => {
      const own = requirementsOfRule(number).map(({ id }) => id);
      return named.filter(
        (name) => !own.some((id) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name)),
      );
    });
    expect(idle).toEqual([]);
  });
});

describe('every requirement', () => {
  it('has one rule', () => {
    const numbers = requirements.map((one) => [one.id, candidatesOf(one).map(({ number }) => number)] as const);
    expect(numbers.filter(([, found]) => found.length !== 1)).toEqual([]);
  });

  it('that is stated has a rule with "must" in it, or one that only describes', () => {
    const soft = requirements.filter(
      ({ id, row }) => row.level === 'stated' && 'subjects' in row && !/\bmust\b/.test(ruleOf(id).text),
    );
    expect(soft.map(({ id }) => `${id} ${ruleOf(id).number}`)).toEqual([]);
  });

  it('that is a convention has a rule with "should" or "can" in it', () => {
    const hard = requirements.filter(
      ({ id, row }) =>
        row.level === 'convention' && 'subjects' in row && !/\b(should|can|cannot|may)\b/.test(ruleOf(id).text),
    );
    expect(hard.map(({ id }) => `${id} ${ruleOf(id).number}`)).toEqual([]);
  });

  it('has its rule quoted with an address', () => {
    expect(ruleOf('responses.status')).toMatchObject({ number: '4.1', title: 'Success is 200' });
    expect(ruleOf('responses.status').url).toBe(interfaceUrl('4.1'));
    expect(interfaceUrl('4.1')).toMatch(/^https:\/\/\S+\/blob\/v\d+\.\d+\.\d+\S*\/docs\/interface\.md#r-4-1$/);
    expect(() => ruleOf('responses.nothing')).toThrow('there is no requirement responses.nothing');
  });
});

it('the links to the interface use the repository of package.json', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { homepage, version } = JSON.parse(manifest) as { readonly homepage: string; readonly version: string };
  expect(interfaceUrl()).toBe(`${homepage.replace('#readme', '')}/blob/v${version}/docs/interface.md`);
});
