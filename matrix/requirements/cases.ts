// A case is a requirement on a subject. Expands all checked requirements to their cases.
import { chapters } from './chapters/index.js';
import { type Subject, subjectSets } from './subjects.js';
import { type Chapter, isChecked, type RequirementRow } from './types.js';

/** A requirement with its id. */
export interface Requirement {
  readonly id: string;
  readonly chapter: string;
  readonly name: string;
  readonly row: RequirementRow;
}

/** One case: its id is `<requirement id> › <subject id>`. */
export interface Case {
  readonly id: string;
  readonly requirement: Requirement;
  readonly subject: Subject;
}

/** Every requirement of every chapter, in the order of the chapters. */
export const requirements: readonly Requirement[] = Object.entries<Chapter>(chapters).flatMap(([chapter, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ id: `${chapter}.${name}`, chapter, name, row })),
);

/** Returns the id of a case. */
export function caseId(requirement: string, subject: Subject): string {
  return `${requirement} › ${subject.id}`;
}

/** Returns every case, in the order of the requirements and of their subjects. */
export function allCases(): Case[] {
  return requirements.flatMap((requirement) => {
    const { row, id } = requirement;
    if (!isChecked(row)) return [];
    return subjectSets[row.subjects].map((subject: Subject) => ({ id: caseId(id, subject), requirement, subject }));
  });
}
