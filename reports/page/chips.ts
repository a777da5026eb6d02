// The terms of a filter as chips, each with the filter that is left without it; and what is wrong with the terms.
import { type Filter, type FilterKey, hiddenRequirements, verdictsOf } from './filter.js';
import { type KnownValues, parseSearch, type SubjectName, searchTokens } from './search.js';
import { countOf, type StateName, stateWord } from './words.js';

export interface Chip {
  readonly text: string;
  /** The filter without the term. */
  readonly without: Filter;
}

const named = [
  'verdict',
  'level',
  'chapter',
  'kind',
  'verb',
  'media',
  'mechanism',
  'requirement',
] as const satisfies readonly (FilterKey & SubjectName)[];

/** Returns a chip for each term of a filter: nothing filters without being seen. */
export function chipsOf(filter: Filter): Chip[] {
  const tokens = searchTokens(filter.q ?? '');
  const searched = tokens.map((text, index) => ({
    text,
    without: { ...filter, q: tokens.filter((_, other) => other !== index).join(' ') },
  }));
  const chosen = ([...named, 'reason', 'case', 'off'] as const).flatMap((key): Chip[] => {
    const value = filter[key];
    return value ? [{ text: chipText(key, value, filter), without: { ...filter, [key]: '' } }] : [];
  });
  return [...chosen, ...searched];
}

function chipText(key: FilterKey, value: string, filter: Filter): string {
  if (key === 'off') return `${countOf(hiddenRequirements(filter).length, 'requirement')} switched off`;
  if (key !== 'verdict') return `${key}: ${value}`;
  return `verdict: ${verdictsOf(filter)
    .map((one) => stateWord(one as StateName))
    .join(' or ')}`;
}

/** Returns what is wrong with a filter, one sentence each: a search that cannot be read, values that the run lacks. */
export function problemsOf(filter: Filter, known: KnownValues): string[] {
  const { terms, problems } = parseSearch(filter.q ?? '');
  const chosen = named.flatMap((key) => {
    const value = filter[key];
    return value ? [{ name: key, values: key === 'verdict' ? verdictsOf(filter) : [value] }] : [];
  });
  return [...problems, ...[...chosen, ...terms].flatMap(({ name, values }) => known.problemsOf(name, values))];
}
