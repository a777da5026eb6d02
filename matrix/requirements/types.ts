// The type of a requirement: its level, its source in the document, and its subjects.
import type { Source } from './addresses.js';
import type { Needs } from './features.js';
import type { SubjectSet } from './subjects.js';

/** `stated` decides conformance; `convention` is reported on its own line and never decides it. */
export type Level = 'stated' | 'convention';

interface RowBase {
  /** Addresses in the document: the rules that this row checks or, for a convention, the rules that leave it open. */
  readonly source: readonly Source[];
  /** The behaviour of a conforming server, in one sentence. */
  readonly text: string;
}

/** The level of a row and, for a stated rule, the words of the document. */
type Standing =
  | { readonly level: 'stated'; readonly words: string }
  | { readonly level: 'convention'; readonly words?: never };

/** A requirement with a check, which runs once for each subject of the set. */
export type CheckedRow = RowBase &
  Standing & {
    readonly subjects: SubjectSet;
    /** The features that a target must have for the requirement, on every subject; absent if it needs none. */
    readonly feature?: Needs;
  };

/** A requirement whose chapter is not written yet. */
export type PlannedRow = RowBase & Standing & { readonly planned: string };

/** A rule that no request can check, with the reason. */
type UnobservableRow = RowBase & Standing & { readonly observable: false; readonly reason: string };

export type RequirementRow = CheckedRow | PlannedRow | UnobservableRow;

/** A chapter: requirement name → row. The id of a requirement is `<chapter>.<name>`. */
export type Chapter = Readonly<Record<string, RequirementRow>>;

/** The names of a chapter's requirements that must have a check. */
export type CheckedNames<C extends Chapter> = {
  [K in keyof C & string]: C[K] extends CheckedRow ? K : never;
}[keyof C & string];

/** The subject sets that a chapter's requirements are checked on. */
export type SetsOf<C extends Chapter> = Extract<C[CheckedNames<C>], CheckedRow>['subjects'];

export function isChecked(row: RequirementRow): row is CheckedRow {
  return 'subjects' in row;
}

export function isPlanned(row: RequirementRow): row is PlannedRow {
  return 'planned' in row;
}
