// What a requirement is: its level, where the document says it, and the subjects that it is checked on.
import type { Source } from './addresses.js';
import type { Needs } from './features.js';
import type { SubjectSet } from './subjects.js';

/** `stated` decides conformance; `convention` is reported on its own line and never decides it. */
export type Level = 'stated' | 'convention';

interface RowBase {
  /** Addresses in the document: the rules that this row checks or, for a convention, that leave it open. */
  readonly source: readonly Source[];
  /** One sentence: what a conforming server does. */
  readonly text: string;
}

/** The level of a row, and for a stated rule the words of the document that state it. */
type Standing =
  | { readonly level: 'stated'; readonly words: string }
  | { readonly level: 'convention'; readonly words?: never };

/** A requirement that a check judges, once for each subject of the set. */
export type CheckedRow = RowBase &
  Standing & {
    readonly subjects: SubjectSet;
    /** What a target must have for it to be judged there, on every subject; absent where nothing is needed. */
    readonly feature?: Needs;
  };

/** A requirement whose check belongs to a chapter that is not written yet. */
export type PlannedRow = RowBase & Standing & { readonly planned: string };

/** A rule that no request can show, with the reason. */
type UnobservableRow = RowBase & Standing & { readonly observable: false; readonly reason: string };

export type RequirementRow = CheckedRow | PlannedRow | UnobservableRow;

/** A chapter: requirement name → row. The id of a requirement is `<chapter>.<name>`. */
export type Chapter = Readonly<Record<string, RequirementRow>>;

/** The names of a chapter's requirements that a check must exist for. */
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
