// A case is a requirement on a subject. Expands all checked requirements to their cases.
import type { FoundKind } from '../../matrix/api/index.js';
import { type FoundSubjects, isReadOnly, subjectsOfKinds } from '../../matrix/subjects/everyKind/subjects.js';
import { type Subject, type SubjectSet, subjectSets } from '../../matrix/subjects/index.js';
import { sendsOnlyGets } from '../../matrix/subjects/readOnly.js';
import { chapters } from './chapters.js';
import { type Chapter, isChecked, type RequirementRow } from './types.js';

export interface Requirement {
  readonly id: string;
  readonly chapter: string;
  readonly name: string;
  readonly row: RequirementRow;
  /** Set if it is asked of kinds that only a target knows, for which all requirements are recommended. */
  readonly ofFound?: true;
}

/** One case: its id is `<requirement id> › <subject id>`. */
export interface Case {
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: Subject;
}

export const requirements: readonly Requirement[] = Object.entries<Chapter>(chapters).flatMap(([chapter, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ id: `${chapter}.${name}`, chapter, name, row })),
);

export function caseId(requirement: string, subject: Subject): string {
  return `${requirement} › ${subject.id}`;
}

/**
 * Returns every case, in the order of the requirements and of their subjects. The cases of kinds that only a target
 * knows come after those of the interface, for each requirement.
 */
export function allCases(kinds: readonly FoundKind[] = []): readonly Case[] {
  if (kinds.length > 0) return expanded(kinds);
  ofInterface ??= expanded([]);
  return ofInterface;
}

/** The cases of the interface: a process asks for them in many places. */
let ofInterface: readonly Case[] | undefined;

function expanded(kinds: readonly FoundKind[]): readonly Case[] {
  const found = foundSubjects(kinds);
  return requirements.flatMap((requirement) => {
    const { row, id } = requirement;
    if (!isChecked(row)) return [];
    const own = subjectSets[row.subjects].map((subject: Subject) => ({
      id: caseId(id, subject),
      requirement,
      subject,
    }));
    return kinds.length === 0 ? own : [...own, ...casesOf(requirement, found[row.subjects] ?? [])];
  });
}

/** Reports whether a requirement is asked of a kind that only a target knows. */
export function isAskedOfFound({ row }: Pick<Requirement, 'row'>): boolean {
  return !('onlyOwnKinds' in row);
}

/**
 * Returns the cases of found kinds. The interface does not state their requirements, so all are recommended, except what
 * the target itself declares.
 */
function casesOf(requirement: Requirement, subjects: readonly Subject[]): Case[] {
  if (!isAskedOfFound(requirement)) return [];
  const ofFound = requirementOfFound(requirement);
  return subjects
    .map((subject) => ({ id: caseId(requirement.id, subject), requirement: ofFound, subject }))
    .filter(canBeWatched);
}

const canBeWatched = ({ requirement: { chapter }, subject: { operation } }: Case): boolean =>
  chapter !== 'watch' || operation?.resource?.found?.watchable !== false;

const ofFoundKinds = new Map<string, Requirement>();

function requirementOfFound(requirement: Requirement): Requirement {
  const { words: _, ...row } = requirement.row;
  // The author of a custom resource cannot change what the server does with dryRun.
  const isOwnWord = requirement.chapter === 'openapi' && requirement.name !== 'dry-run';
  const standing = isOwnWord
    ? ({ level: 'required', words: "the target's own OpenAPI" } as const)
    : ({ level: 'recommended' } as const);
  const known = ofFoundKinds.get(requirement.id) ?? {
    ...requirement,
    row: { ...row, ...standing },
    ofFound: true as const,
  };
  ofFoundKinds.set(requirement.id, known);
  return known;
}

/** The subjects of the last kinds: a process asks for one list of kinds, in several places. */
let last: { readonly kinds: readonly FoundKind[]; readonly subjects: FoundSubjects } | undefined;

/** Returns the subjects of found kinds, the same objects for the same list. */
export function foundSubjects(kinds: readonly FoundKind[]): FoundSubjects {
  if (last?.kinds !== kinds) last = { kinds, subjects: kinds.length === 0 ? {} : safeSubjects(kinds) };
  return last.subjects;
}

/** Returns the subjects of found kinds. Of a kind that the run only reads, those whose setups send only GETs. */
function safeSubjects(kinds: readonly FoundKind[]): FoundSubjects {
  const sets = Object.entries(subjectsOfKinds(kinds)) as [SubjectSet, readonly Subject[]][];
  return Object.fromEntries(
    sets.map(([set, subjects]) => [
      set,
      subjects.filter((subject) => !isReadOnly(subject) || sendsOnlyGets(set, subject)),
    ]),
  );
}
