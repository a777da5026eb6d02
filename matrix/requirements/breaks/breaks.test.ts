// Every checked requirement has a sentence about the consequences for clients, and every sentence has a requirement.
import { describe, expect, it } from 'vitest';
import { type Chapter, chapters, isChecked, requirements } from '../index.js';
import { breaks, breaksOf, fits } from './index.js';

const rows = Object.entries(breaks).flatMap(([chapter, own]) =>
  own.map(([names, sentence]) => ({ chapter, names, sentence })),
);

describe('the effects on clients', () => {
  it('exist for exactly the requirements with a check', () => {
    const mismatched = requirements.filter(({ id, row }) => isChecked(row) !== (breaksOf(id) !== undefined));
    expect(mismatched.map(({ id }) => id)).toEqual([]);
  });

  it('name requirements of their chapter, each once', () => {
    for (const [chapter, own] of Object.entries(breaks)) {
      const known = Object.entries(chapters[chapter as keyof typeof chapters] as Chapter)
        .filter(([, row]) => isChecked(row))
        .map(([name]) => name);
      const named = own.flatMap(([names]) => names);
      expect(named.filter((name) => !known.some((one) => fits(name, one)))).toEqual([]);
      expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('are one sentence each', () => {
    const sentences = rows.map(({ sentence }) => sentence);
    expect(sentences.filter((text) => !/^[A-Z`].*[^.]\.$/.test(text) || /[.!?] [A-Z]/.test(text))).toEqual([]);
    expect(sentences.filter((text) => text.length > 180)).toEqual([]);
  });
});
