// The columns of the kinds × verbs grid. They derive from the verb rows: a new verb needs no line here.
import { subresourceOf, type Verb, type VerbRow, verbs } from '../matrix/api/index.js';

/** The column of a verb: forms of one verb share it, subresources go by their name, connects are one. */
export function columnOf(verb: Verb): string {
  const row: VerbRow = verbs[verb];
  if (row.answer !== 'resource') return row.answer;
  return subresourceOf(verb) ?? verb.replace(/(All|Plain)$/, '').toLowerCase();
}

/** Every column, in the order of the verbs. */
export const columns: readonly string[] = [...new Set((Object.keys(verbs) as Verb[]).map(columnOf))];
