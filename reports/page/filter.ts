// The filter of the cases in a view. It is stored in the URL fragment, so that a link shows the same view.
import { type CaseView, caseId, type RequirementView } from './model.js';
import { matchesTerms, parseSearch, rowMatchesTerms } from './search.js';

/** The views of the page, by the ids of their sections. */
export const viewNames = [
  'matrix',
  'chapters',
  'requirements',
  'failures',
  'cases',
  'deviations',
  'not-supported',
  'skipped',
  'untested',
  'run',
] as const;

export type ViewName = (typeof viewNames)[number];

/** The criteria of a filter, by their names in the fragment; an empty value matches everything. */
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

export type FilterKey = (typeof filterKeys)[number];

/**
 * The filter. `verdict` may contain several, separated by commas; `split` is the way in which the matrix divides its
 * cells; `off` contains requirements that are hidden.
 */
export type Filter = Readonly<{ [Key in FilterKey]?: string | undefined }>;

export interface PageState {
  readonly view: ViewName;
  readonly filter: Filter;
  /** The name of the view in the address, if the page has no such view. */
  readonly unknown?: string;
}

/** Parses a fragment. An unknown fragment is the first view. */
export function parseFragment(fragment: string): PageState {
  const [name = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s);
  const view = viewNames.find((known) => known === name);
  const params = new URLSearchParams(query);
  const filter: Partial<Record<FilterKey, string>> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value) filter[key] = value;
  }
  return { view: view ?? 'matrix', filter, ...(view === undefined && name !== '' && { unknown: name }) };
}

export function fragmentOf({ view, filter }: PageState): string {
  const params = new URLSearchParams();
  for (const key of filterKeys) {
    const value = filter[key];
    if (value) params.set(key, value);
  }
  // Slashes and commas stay readable, because readers may edit them.
  const query = params.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  return query === '' ? `#${view}` : `#${view}?${query}`;
}

/** Returns the verdicts of a filter; empty if every verdict matches. */
export function verdictsOf({ verdict }: Filter): readonly string[] {
  return verdict ? verdict.split(',') : [];
}

export function hiddenRequirements({ off }: Filter): readonly string[] {
  return off ? off.split(',') : [];
}

export function withoutKeys(filter: Filter, ...keys: readonly FilterKey[]): Filter {
  return Object.fromEntries(filterKeys.flatMap((key) => (keys.includes(key) ? [] : [[key, filter[key]]])));
}

/** Reports whether a filter leaves anything out; how the map divides its cells is no filter. */
export function isFiltering(filter: Filter): boolean {
  return Object.values(withoutKeys(filter, 'split')).some(Boolean);
}

/** Decides for each case whether it matches a filter. */
export class Matcher {
  readonly #texts: string[] = [];

  /** Returns the cases that match the filter, in their order. */
  casesOf(cases: readonly CaseView[], filter: Filter): CaseView[] {
    const verdicts = verdictsOf(filter);
    const search = parseSearch(filter.q ?? '');
    const off = new Set(hiddenRequirements(filter));
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
        (!filter.case || filter.case === caseId(one)) &&
        matchesTerms(one, search) &&
        search.texts.every((text) => this.#textOf(one).includes(text)),
    );
  }

  #textOf(one: CaseView): string {
    const known = this.#texts[one.index];
    if (known !== undefined) return known;
    const text = `${caseId(one)}\n${one.requirement.text}\n${one.message}`.toLowerCase();
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

/** Reports whether a requirement without cases matches a filter. */
export function matchesEmpty(row: RequirementView, filter: Filter): boolean {
  if (row.cases > 0 || row.empty === undefined) return false;
  if (filter.kind || filter.verb || filter.media || filter.mechanism || filter.reason || filter.case) return false;
  const verdicts = verdictsOf(filter);
  const text = `${row.id} ${row.text}`.toLowerCase();
  const search = parseSearch(filter.q ?? '');
  return (
    (verdicts.length === 0 || verdicts.includes(row.empty)) &&
    matchesRow(row, filter) &&
    rowMatchesTerms(row, search) &&
    search.texts.every((word) => text.includes(word))
  );
}
