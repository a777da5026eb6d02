// The words of the code are those of the glossary, and the other way round.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { verdicts } from '../judge/counts.js';
import { caseVerdicts, levels, skipReasons, stateWord } from './words.js';

const glossary = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');

/** Returns the first column of the table under a heading. */
function wordsUnder(heading: string): string[] {
  const section = glossary.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, word = '']) =>
    /^(Word|-+)$/.test(word) ? [] : [word],
  );
}

it.each([
  ['Levels', [...levels]],
  ['Verdicts on a case', caseVerdicts.map(({ name }) => stateWord(name))],
  ['Reasons of a skipped case', skipReasons.map(({ said }) => said)],
] as const)('has the words of the code under "%s", in their order', (heading, words) => {
  expect(wordsUnder(heading)).toEqual(words);
});

it('spells the verdicts of the reports as those of the page', () => {
  expect(verdicts.map(stateWord)).toEqual(caseVerdicts.map(({ name }) => stateWord(name)));
});

it('lists the other words in the order of the alphabet, each once', () => {
  const words = wordsUnder('Other words');
  expect(words.length).toBeGreaterThan(10);
  expect(words).toEqual([...new Set(words)].sort());
});
