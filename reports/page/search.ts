// The search of the filter: words, quoted texts, and terms that name what they are about: `verb:patch "not found"`.
import type { CaseView, RequirementView } from './model.js';

/** What a term may be about, with the texts of a case that its value is held against. */
const subjects = {
  verb: ({ verb }: CaseView) => [verb],
  kind: ({ kind }: CaseView) => [kind, kind.slice(kind.indexOf('/') + 1)],
  status: ({ verdict }: CaseView) => [verdict],
  level: ({ requirement }: CaseView) => [requirement.level],
  chapter: ({ requirement }: CaseView) => [requirement.chapter],
  requirement: ({ requirement }: CaseView) => [requirement.id, requirement.id.slice(requirement.id.indexOf('.') + 1)],
  media: ({ media }: CaseView) => [media],
  mechanism: ({ mechanism }: CaseView) => [mechanism],
} as const;

type SubjectName = keyof typeof subjects;

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
}

/** Parses a search. What is no term is text; a quote that does not end goes to the end. */
export function parseSearch(search: string): Search {
  const texts: string[] = [];
  const terms: Term[] = [];
  for (const [whole, name = '', quoted, plain = ''] of search
    .toLowerCase()
    .matchAll(/(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const value = quoted ?? plain;
    if (Object.hasOwn(subjects, name)) terms.push({ name: name as SubjectName, values: value.split(',') });
    else texts.push(name === '' ? value : whole.replaceAll('"', ''));
  }
  return { texts: texts.filter(Boolean), terms };
}

/** Reports whether a case matches all terms. */
export function matchesTerms(one: CaseView, { terms }: Search): boolean {
  return terms.every(({ name, values }) => subjects[name](one).some((text) => values.includes(text.toLowerCase())));
}

/** Reports whether a requirement without cases matches all terms: those about a case match none. */
export function rowMatchesTerms({ id, level, chapter, empty }: RequirementView, { terms }: Search): boolean {
  const texts: Partial<Record<SubjectName, readonly string[]>> = {
    level: [level],
    chapter: [chapter],
    requirement: [id, id.slice(id.indexOf('.') + 1)],
    status: [empty ?? ''],
  };
  return terms.every(({ name, values }) => texts[name]?.some((text) => values.includes(text)) ?? false);
}
