// A target that fails at random: server errors here and there, where most cases of the same rules and kinds pass.
import { countOf } from '../page/words.js';
import { serverErrorOf } from './causes.js';
import { isFailure, type JudgedCase } from './counts.js';

/** The number of cases and of kinds from which on server errors are spread, and their largest part of like cases. */
const [fewestCases, fewestKinds, largestPart] = [5, 4, 0.5];

/**
 * Returns a note if server errors are spread over kinds, and most cases of the same kinds pass, and most of those that
 * differ only in the kind: no fault of an operation, but of a target that sometimes fails. Otherwise nothing.
 */
export function unsteadyNote(cases: readonly JudgedCase[]): string[] {
  const judged = cases.filter((one) => one.verdict === 'passed' || isFailure(one));
  const errors = judged.filter(
    (one) => isFailure(one) && kindOf(one) !== undefined && serverErrorOf(one.message ?? '') !== undefined,
  );
  const kinds = new Set(errors.map(kindOf));
  if (errors.length < fewestCases || kinds.size < fewestKinds) return [];
  const areFewOf = (keyOf: (one: JudgedCase) => unknown): boolean => {
    const keys = new Set(errors.map(keyOf));
    return errors.length < judged.filter((one) => keys.has(keyOf(one))).length * largestPart;
  };
  if (!areFewOf(kindOf) || !areFewOf(allButKind)) return [];
  return [
    `server errors in ${countOf(errors.length, 'case')} of ${countOf(kinds.size, 'kind')}, where most other cases pass: the target may fail at random; --failed shows whether the same cases fail again`,
  ];
}

const kindOf = ({ about }: JudgedCase): string | undefined => about?.operation && about.resource;

const allButKind = ({ requirement, about }: JudgedCase): string =>
  [requirement.id, about?.operation?.verb, about?.variant, about?.mediaType, about?.mechanism].join(' ');
