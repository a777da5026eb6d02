// A chapter: its groups, with a check for each requirement. The types require all of them.
import {
  type Chapter,
  type ChapterName,
  type CheckedNames,
  chapters,
  foundSubjects,
  isAskedOfFound,
  isChecked,
  type Subject,
  subjectSets,
} from '../requirements/index.js';
import { type ChapterGroup, type Check, type Group, groups } from './group.js';
import { kindsOfRun } from './settings.js';

/** What else becomes of the groups of a chapter: nothing, but in a process of Playwright. */
let register = (_: readonly Group[]): void => undefined;

/** Has a function called with the groups of each chapter that is defined from now on. */
export function onChapter(listener: typeof register): void {
  register = listener;
}

/** No group of the chapter has a check of this requirement: add one to the group of the requirement's subjects. */
interface MissingCheck<Id extends string> {
  readonly missingCheck: Id;
}

/** A group has a check of this name, but the chapter has no requirement of this name on the subjects of the group. */
interface UnknownRequirement<Id extends string> {
  readonly unknownRequirement: Id;
}

type Chapters = typeof chapters;

type NamesIn<G> = G extends ChapterGroup<infer _, infer K> ? K : never;

/** The names of the checks that are in a group whose subjects are not those of the requirement. */
type Misplaced<C extends Chapter, G> =
  G extends ChapterGroup<infer S, infer K>
    ? { [N in K]: C extends Readonly<Record<N, { readonly subjects: S }>> ? never : N }[K]
    : never;

/** Nothing if the groups have one check for each requirement; otherwise a type that names what is wrong. */
type Complete<N extends ChapterName, G> = [Misplaced<Chapters[N], G>] extends [never]
  ? [Exclude<CheckedNames<Chapters[N]>, NamesIn<G>>] extends [never]
    ? unknown
    : MissingCheck<`${N}.${Exclude<CheckedNames<Chapters[N]>, NamesIn<G>>}`>
  : UnknownRequirement<`${N}.${Misplaced<Chapters[N], G>}`>;

/**
 * Defines a chapter by its groups: they have a check for each checked requirement of the chapter, and for no other.
 * Throws if two groups have the same subjects.
 */
export function defineChapter<const N extends ChapterName, const G extends ChapterGroup>(
  name: N,
  parts: readonly G[] & Complete<N, G>,
): void {
  const given: readonly ChapterGroup[] = parts;
  const rows = Object.entries<Chapter[string]>(chapters[name]);
  const found = foundSubjects(kindsOfRun());
  const defined = given.flatMap((part): Group[] => {
    const set = part.subjects;
    if (given.some((other) => other !== part && other.subjects === set))
      throw new Error(`${name}: two groups have the subjects ${set}: make them one`);
    const byName = part.checks as unknown as Readonly<Record<string, Check['check']>>;
    const checks = rows.flatMap(([key, row]): Check[] => {
      const check = byName[key];
      return isChecked(row) && check !== undefined ? [{ id: `${name}.${key}`, row, check }] : [];
    });
    const setup = part.setup as Group['setup'];
    const group = { chapter: name, set, subjects: subjectSets[set], setup, checks };
    const ofKinds = found[set] ?? [];
    if (ofKinds.length === 0) return [group];
    return [group, onFound(group, ofKinds)];
  });
  groups.push(...defined);
  register(defined);
}

/** Returns a group on subjects of kinds that only the target knows, with the checks that are asked of such kinds. */
export const onFound = (group: Group, subjects: readonly Subject[]): Group => ({
  ...group,
  subjects,
  ofFound: true,
  checks: group.checks.filter(isAskedOfFound),
});
