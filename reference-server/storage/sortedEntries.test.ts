import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedEntries } from './sortedEntries.js';
import { Entry } from './storage.js';

/** Few keys, so that they repeat, but enough to split a block. */
const keyOf = (number: number): string => `/pods/${String(number).padStart(4, '0')}`;
const entryOf = (number: number, revision: number): Entry =>
  new Entry(keyOf(number), revision, { apiVersion: 'v1', kind: 'Pod', metadata: {} });

const change = fc.record({ isRemoval: fc.boolean(), number: fc.nat(1_500) });

it('equals a sorted array after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { size: '+4' }), fc.nat(2_000), fc.nat(2_000), (changes, one, other) => {
      const first = Array.from({ length: 1_200 }, (_, number) => entryOf(number, 0));
      const entries = new SortedEntries(first);
      const expected = new Map(first.map((entry) => [entry.key, entry]));
      for (const [index, { isRemoval, number }] of changes.entries()) {
        const entry = entryOf(number, index + 1);
        if (isRemoval) {
          entries.remove(entry.key);
          expected.delete(entry.key);
        } else {
          entries.put(entry);
          expected.set(entry.key, entry);
        }
      }
      const sorted = [...expected.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      const [start, end] = [Math.min(one, other), Math.max(one, other)];
      expect(entries.slice(0, Number.POSITIVE_INFINITY)).toEqual(sorted);
      expect(entries.slice(start, end)).toEqual(sorted.slice(start, end));
      expect(entries.rank(keyOf(one))).toBe(sorted.filter(({ key }) => key < keyOf(one)).length);
    }),
    { numRuns: 50 },
  );
});

it('is empty after the last removal, and can be filled again', () => {
  const entries = new SortedEntries();
  entries.put(entryOf(1, 1));
  entries.remove(keyOf(1));
  entries.remove(keyOf(1));
  expect([entries.slice(0, 1), entries.rank('')]).toEqual([[], 0]);
  const again = entryOf(2, 2);
  entries.put(again);
  expect(entries.slice(0, 9)).toEqual([again]);
});
