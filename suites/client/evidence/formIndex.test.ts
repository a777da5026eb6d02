import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FormIndex } from './formIndex.js';

const shortest = 3;

/** Returns the text that is found by a look at each form, the longest first. */
function findSlowly(forms: readonly string[], text: string, from: number): string | undefined {
  const rest = text.slice(from);
  for (const form of [...forms].sort((one, other) => other.length - one.length)) {
    if (rest.startsWith(form)) return form;
    if (rest.length >= shortest && rest.length < form.length && form.startsWith(rest)) return 'cut';
  }
  return undefined;
}

it('finds the longest form at each place, and what the end of the text cuts', () => {
  const word = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
  fc.assert(
    fc.property(fc.array(word(1, 9)), fc.array(word(1, 9)), word(0, 30), (early, late, text) => {
      const index = new FormIndex();
      const forms: string[] = [];
      // What is added later is found too.
      for (const more of [early, late]) {
        for (const form of more) index.add({ text: form });
        forms.push(...more);
        for (let from = 0; from < text.length; from += 1) {
          const found = index.find(text, from, shortest);
          expect([from, typeof found === 'object' ? found.text : found]).toEqual([from, findSlowly(forms, text, from)]);
        }
      }
    }),
  );
});

it('keeps the edges of both secrets that have one form', () => {
  const index = new FormIndex();
  for (const edges of [[1, 0], undefined, [0, 1]] as const) index.add({ text: 'abcd', ...(edges && { edges }) });
  expect(index.find('abcd', 0, 8)).toEqual({ text: 'abcd', edges: [1, 1] });
});
