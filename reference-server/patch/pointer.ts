// JSON Pointer: RFC 6901.
import { excerpt } from '../excerpt.js';

/** The index after the last item of a list, for additions. */
const afterLast = '-';

/** Returns the names and indices of a pointer, from the root. Throws if the text is not a pointer. */
export function stepsOf(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new Error(`${excerpt(pointer)} is not a JSON pointer: it begins with /`);
  if (/~(?![01])/.test(pointer)) throw new Error(`${excerpt(pointer)} is not a JSON pointer: ~ is followed by 0 or 1`);
  let steps: readonly string[] = pointer.slice(1).split('/');
  if (pointer.includes('~')) steps = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  // As for the names of a body.
  if (steps.includes('__proto__')) throw new Error('the key "__proto__" is not allowed');
  return steps;
}

/**
 * Returns the index of a step in a list of this length. Throws if the step is not an index, or is beyond the last item.
 */
export function indexOf(step: string, length: number): number {
  if (!/^(?:0|[1-9]\d*)$/.test(step)) throw new Error(`${excerpt(step)} is not an index`);
  const index = Number(step);
  if (index >= length) throw new Error(`the index ${excerpt(step)} is beyond the end of the list`);
  return index;
}

/** Returns the index of a step at which to add an item: an existing index, or the one after the last item. */
export function indexToAdd(step: string, length: number): number {
  return step === afterLast ? length : indexOf(step, length + 1);
}
