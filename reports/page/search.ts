// The search of the filter: words, quoted texts, and terms that name what they are about: `verb:patch "not found"`.
import type { CaseView, RequirementView } from './model.js';

/** What a term may be about, with the texts of a case that its value is held against. */
const subjects = {
  verb: ({ verb }: CaseView) => [verb],
  kind: ({ kind }: CaseView) => [kind, kind.slice(kind.indexOf('/') + 1)],
  verdict: ({ verdict }: CaseView) => [verdict],
  level: ({ requirement }: CaseView) => [requirement.level],
  chapter: ({ requirement }: CaseView) => [requirement.chapter],
  requirement: ({ requirement }: CaseView) => [requirement.id, requirement.id.slice(requirement.id.indexOf('.') + 1)],
  media: ({ media }: CaseView) => [media],
  mechanism: ({ mechanism }: CaseView) => [mechanism],
} as const;

export type SubjectName = keyof typeof subjects;

/** The names of the terms, for the help of the page. */
export const termNames = Object.keys(subjects) as readonly SubjectName[];

interface Term {
  readonly name: SubjectName;
  /** Any of them matches. */
  readonly values: readonly string[];
}

export interface Search {
  /** In lower case; all must occur. */
  readonly texts: readonly string[];
  /** All must match. */
  readonly terms: readonly Term[];
  /** What is wrong with the way the search is written, one sentence each. */
  readonly problems: readonly string[];
}

const token = /(?:([a-z]+):)?(?:"([^"]*)("?)|(\S+))/gi;

/** Returns the words, quoted texts and terms of a search, as they are written. */
export function searchTokens(search: string): string[] {
  return [...search.matchAll(token)].map(([whole]) => whole);
}

/** Returns what a term is about; `status` is another name for `verdict`. */
function subjectOf(name: string): SubjectName | undefined {
  const own = name === 'status' ? 'verdict' : name;
  return Object.hasOwn(subjects, own) ? (own as SubjectName) : undefined;
}

/** Parses a search. What is no term is text; a quote that does not end goes to the end. */
export function parseSearch(search: string): Search {
  const texts: string[] = [];
  const terms: Term[] = [];
  const problems: string[] = [];
  for (const [whole, name = '', quoted, end, plain = ''] of search.toLowerCase().matchAll(token)) {
    if (quoted !== undefined && end === '') problems.push(`the quotation mark in ${whole} is not closed`);
    const value = quoted ?? plain;
    const about = subjectOf(name);
    const [, bare = ''] = /^([a-z]+):$/.exec(whole) ?? [];
    if (about !== undefined) terms.push({ name: about, values: value.split(',').filter(Boolean) });
    else if (subjectOf(bare) !== undefined) problems.push(`${whole} needs a value without a space, as in verb:patch`);
    else {
      if (name !== '' && !plain.startsWith('//'))
        problems.push(`unknown term ${name}: (searched as text; the terms are ${termNames.join(', ')})`);
      texts.push(name === '' ? value : whole.replaceAll('"', ''));
    }
  }
  return { texts: texts.filter(Boolean), terms, problems };
}

/** Reports whether a case matches all terms. */
export function matchesTerms(one: CaseView, { terms }: Search): boolean {
  return terms.every(({ name, values }) => subjects[name](one).some((text) => values.includes(text.toLowerCase())));
}

/** Reports whether a requirement without cases matches all terms: those about a case match none. */
export function rowMatchesTerms(row: RequirementView, { terms }: Search): boolean {
  return terms.every(({ name, values }) => textsOfRow(row, name).some((text) => values.includes(text)));
}

function textsOfRow({ id, level, chapter, empty }: RequirementView, name: SubjectName): readonly string[] {
  const texts: Partial<Record<SubjectName, readonly string[]>> = {
    level: [level],
    chapter: [chapter],
    requirement: [id, id.slice(id.indexOf('.') + 1)],
    verdict: empty === undefined ? [] : [empty],
  };
  return texts[name] ?? [];
}

/** What terms may name in a run: the values that its cases and requirements have. */
export class KnownValues {
  readonly #cases: readonly CaseView[];
  readonly #rows: readonly RequirementView[];
  readonly #values = new Map<SubjectName, ReadonlySet<string>>();

  constructor({ cases, requirements }: { cases: readonly CaseView[]; requirements: readonly RequirementView[] }) {
    this.#cases = cases;
    this.#rows = requirements;
  }

  /** Returns the values of a subject, in the order in which they occur. */
  of(name: SubjectName): ReadonlySet<string> {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const texts = [
      ...this.#cases.flatMap((one) => subjects[name](one)),
      ...this.#rows.flatMap((row) => textsOfRow(row, name)),
    ];
    const values = new Set(texts.filter(Boolean));
    this.#values.set(name, values);
    return values;
  }

  /** Returns a sentence for each value that the run does not have: `no kind podz in this run; did you mean pods?`. */
  problemsOf(name: SubjectName, values: readonly string[]): string[] {
    const known = [...this.of(name)];
    const lower = new Set(known.map((value) => value.toLowerCase()));
    return values
      .filter((value) => !lower.has(value.toLowerCase()))
      .map((value) => `no ${name} ${value} in this run${hint(value, known)}`);
  }
}

function hint(value: string, known: readonly string[]): string {
  const distances = known.map((one) => [distance(value.toLowerCase(), one.toLowerCase()), one] as const);
  const [nearest] = distances.sort(([a], [b]) => a - b);
  if (nearest !== undefined && nearest[0] <= Math.max(1, value.length / 3)) return `; did you mean ${nearest[1]}?`;
  return known.length > 0 && known.length <= 8 ? `, which has ${known.join(', ')}` : '';
}

/** Returns the number of letters to insert, delete or replace that make one word of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [index, other] of [...to].entries())
      next.push(
        Math.min((row[index] ?? 0) + (letter === other ? 0 : 1), (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
