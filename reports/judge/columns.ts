// The columns of the grid of kinds and verbs, derived from the verb rows: a new verb needs no change here.
import { subresourceOf, type Verb, type VerbRow, verbs } from '../../matrix/api/index.js';

/** Returns the column of a verb: forms of one verb share a column, a subresource has its own, connects have one. */
export function columnOf(verb: Verb): string {
  const row: VerbRow = verbs[verb];
  if (row.answer !== 'resource') return row.answer;
  return subresourceOf(verb) ?? verb.replace(/(All|Plain)$/, '').toLowerCase();
}

/** Every column, in the order of the verbs. */
export const columns: readonly string[] = [...new Set((Object.keys(verbs) as Verb[]).map(columnOf))];
