// The filter: which cases a view shows. It lives in the fragment of the address, so that a link shows what its sender saw.
import { type CaseView, idOf, type RequirementView } from './model.js';

/** The views of the page, by the ids of their sections. */
export const viewNames = [
  'matrix',
  'chapters',
  'requirements',
  'cases',
  'deviations',
  'not-supported',
  'skipped',
  'not-checked',
  'run',
] as const;

/** The name of a view. */
export type ViewName = (typeof viewNames)[number];

/** What can be asked of a case, by its name in the fragment; empty where everything will do. */
const filterKeys = [
  'verdict',
  'level',
  'chapter',
  'kind',
  'verb',
  'media',
  'mechanism',
  'requirement',
  'reason',
  'q',
  'case',
  'split',
  'off',
] as const;

/** A part of the filter. */
export type FilterKey = (typeof filterKeys)[number];

/** The filter: `verdict` may hold several, with commas between; `split` is how the matrix divides its cells; `off` are requirements left out. */
export type Filter = Readonly<{ [Key in FilterKey]?: string | undefined }>;

/** What the fragment says. */
export interface Place {
  readonly view: ViewName;
  readonly filter: Filter;
}

/** Reads a fragment. What is no place of this page is its first view, unfiltered. */
export function parseFragment(fragment: string): Place {
  const [name = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const view = viewNames.find((known) => known === name) ?? 'matrix';
  const params = new URLSearchParams(query);
  const filter: Partial<Record<FilterKey, string>> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value) filter[key] = value;
  }
  return { view, filter };
}

/** Writes a fragment. */
export function fragmentOf({ view, filter }: Place): string {
  const params = new URLSearchParams();
  for (const key of filterKeys) {
    const value = filter[key];
    if (value) params.set(key, value);
  }
  // What a reader may want to change by hand stays readable.
  const query = params.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  return query === '' ? `#${view}` : `#${view}?${query}`;
}

/** The verdicts that a filter asks for; none where all will do. */
export function verdictsOf({ verdict }: Filter): readonly string[] {
  return verdict ? verdict.split(',') : [];
}

/** The requirements that a filter leaves out. */
export function offOf({ off }: Filter): readonly string[] {
  return off ? off.split(',') : [];
}

/** The filter without some of its parts. */
export function without(filter: Filter, ...keys: readonly FilterKey[]): Filter {
  return Object.fromEntries(filterKeys.flatMap((key) => (keys.includes(key) ? [] : [[key, filter[key]]])));
}

/** The words that a search looks for. */
function wordsOf({ q }: Filter): string[] {
  return (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
}

/** Decides for each case whether a filter lets it through. */
export class Matcher {
  readonly #texts: string[] = [];

  /** The cases that the filter lets through, in their order. */
  casesOf(cases: readonly CaseView[], filter: Filter): CaseView[] {
    const verdicts = verdictsOf(filter);
    const words = wordsOf(filter);
    const off = new Set(offOf(filter));
    const wanted = (key: 'kind' | 'verb' | 'media' | 'mechanism' | 'reason', value: string): boolean =>
      !filter[key] || filter[key] === value;
    return cases.filter(
      (one) =>
        (verdicts.length === 0 || verdicts.includes(one.verdict)) &&
        !off.has(one.requirement.id) &&
        matchesRow(one.requirement, filter) &&
        wanted('kind', one.kind) &&
        wanted('verb', one.verb) &&
        wanted('media', one.media) &&
        wanted('mechanism', one.mechanism) &&
        wanted('reason', one.reason || one.message) &&
        (!filter.case || filter.case === idOf(one)) &&
        (words.length === 0 || words.every((word) => this.#textOf(one).includes(word))),
    );
  }

  #textOf(one: CaseView): string {
    const known = this.#texts[one.index];
    if (known !== undefined) return known;
    const text = `${idOf(one)}\n${one.requirement.text}\n${one.message}`.toLowerCase();
    this.#texts[one.index] = text;
    return text;
  }
}

function matchesRow({ level, chapter, id }: RequirementView, filter: Filter): boolean {
  return (
    (!filter.level || filter.level === level) &&
    (!filter.chapter || filter.chapter === chapter) &&
    (!filter.requirement || filter.requirement === id)
  );
}

/** Whether a requirement without cases belongs to what a filter shows. */
export function matchesEmpty(row: RequirementView, filter: Filter): boolean {
  if (row.cases > 0 || row.empty === undefined) return false;
  if (filter.kind || filter.verb || filter.media || filter.mechanism || filter.reason || filter.case) return false;
  const verdicts = verdictsOf(filter);
  const text = `${row.id} ${row.text}`.toLowerCase();
  return (
    (verdicts.length === 0 || verdicts.includes(row.empty)) &&
    matchesRow(row, filter) &&
    wordsOf(filter).every((word) => text.includes(word))
  );
}
