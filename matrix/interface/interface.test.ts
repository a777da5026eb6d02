// The specification of the interface covers the document, and every requirement has a rule.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isChecked, requirements } from '../../suites/requirements/index.js';
import { requirementsOfRule, ruleOf } from '../../suites/requirements/rules.js';
import { interfaceUrl, rules, sections } from './index.js';

/** The number of addresses under each heading, counted by hand in the document: rules, bullets and table rows. */
const counted = {
  Introduction: 1,
  'What the service does': 7,
  'Kinds by path prefix': 9,
  'Fields that are stated': 13,
  'Other rules': 3,
  'States and transitions': 1,
  Conventions: 10,
  Parameters: 15,
  'Generic operation set': 15,
  'Kind coverage': 11,
  'Additional extensions operations': 6,
  ThirdPartyResource: 7,
  'Core group': 29,
  'Connect and proxy operations': 11,
  'Pod log': 10,
  'Watch paths': 5,
  'General rules': 4,
  Mechanisms: 7,
  'Webhook token review': 14,
  'Certificate preparation': 3,
  Authentication: 2,
  Events: 5,
  Errors: 2,
  Limits: 4,
  Versioning: 5,
};

const twice = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);
const sentences = (text: string): string[] => text.split(/(?<=[.;:]) /);

describe('the rules', () => {
  it('cover every address of the document once', () => {
    const covered = rules.flatMap(({ sources }) => sources);
    expect(twice(covered)).toEqual([]);
    const found: Record<string, number> = {};
    for (const address of covered) {
      const heading = address.slice(0, address.indexOf('/'));
      found[heading] = (found[heading] ?? 0) + 1;
    }
    expect(found).toEqual(counted);
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

  it('have requirements of their own, or name checked requirements that notice a violation', () => {
    const checked = new Set(requirements.filter(({ row }) => isChecked(row)).map(({ id }) => id));
    const wrong = rules.filter(({ number, checkedBy }) => {
      if (requirementsOfRule(number).length > 0) return checkedBy !== undefined;
      return checkedBy === undefined || checkedBy.length === 0 || !checkedBy.every((id) => checked.has(id));
    });
    expect(wrong.map(({ number }) => number)).toEqual([]);
  });
});

describe('every requirement', () => {
  it('that is required has a rule with "must" in it, or one that only describes', () => {
    const soft = requirements.filter(
      ({ id, row }) => row.level === 'required' && 'subjects' in row && !/\bmust\b/.test(ruleOf(id).text),
    );
    expect(soft.map(({ id }) => `${id} ${ruleOf(id).number}`)).toEqual([]);
  });

  it('that is recommended has a rule with "should" or "can" in it', () => {
    const hard = requirements.filter(
      ({ id, row }) =>
        row.level === 'recommended' && 'subjects' in row && !/\b(should|can|cannot|may)\b/.test(ruleOf(id).text),
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
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { homepage, version } = JSON.parse(manifest) as { readonly homepage: string; readonly version: string };
  expect(interfaceUrl()).toBe(`${homepage.replace('#readme', '')}/blob/v${version}/docs/interface.md`);
});
