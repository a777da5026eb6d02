// The shortest patterns for some subjects.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, subjectSets } from '../../suites/requirements/index.js';
import { patternsFor } from './narrowing.js';

const covered = (patterns: readonly (string | undefined)[], all: readonly string[]): string[] =>
  all.filter((subject) => patterns.some((pattern) => pattern === undefined || matches(pattern, subject)));

describe('the patterns for some subjects', () => {
  const creates = subjectSets.creates.map(({ id }) => id);
  const cells = subjectSets.authenticatedOperations.map(({ id }) => id);

  it('are none if all are wanted', () => {
    expect(patternsFor(creates, creates)).toEqual([undefined]);
  });

  it('are short if a part of the subject is enough', () => {
    expect(
      patternsFor(
        creates.filter((id) => id.endsWith('/limitranges')),
        creates,
      ),
    ).toEqual(['limitranges']);
  });

  it('are one for a mechanism, and one for a method with it', () => {
    expect(
      patternsFor(
        cells.filter((id) => id.endsWith(', staticPassword')),
        cells,
      ),
    ).toEqual(['staticPassword']);
    const some = cells.filter((id) => id.startsWith('POST ') && id.endsWith(', staticPassword'));
    expect(patternsFor(some, cells)).toEqual(['^POST*staticPassword$']);
  });

  it.each([
    [['this is odd'], ['that one was odd', 'nothing'], 'this is odd'],
    [['any of them'], ['some of them'], 'any of them'],
    [['GET /apis/a/v1beta1/x'], ['GET /apis/a/v1/x'], 'a/v1beta1'],
    [['a list, pods'], ['a list, nodes'], 'pods'],
    [['a list with an empty selector'], ['a list'], 'selector'],
  ])('hold a name or several words: %j', (wanted, others, pattern) => {
    expect(patternsFor(wanted, [...wanted, ...others])).toEqual([pattern]);
  });

  it('cover exactly the wanted subjects', () => {
    const sets = Object.values(subjectSets).map((set) => set.map(({ id }: { readonly id: string }) => id));
    const small = fc.constantFrom(...sets.filter(({ length }) => length > 1 && length < 120));
    const some = small.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all, { minLength: 1 })));
    fc.assert(
      fc.property(some, ([all, wanted]) => {
        expect(covered(patternsFor(wanted, all), all)).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
