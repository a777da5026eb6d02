// The type of a requirement: its level, its rule of the interface, its subjects, and what breaks without it.
import type { RuleNumber } from '../../matrix/interface/sections.js';
import type { Needs } from '../../matrix/subjects/features.js';
import type { SubjectSet } from '../../matrix/subjects/index.js';

/** `required` decides conformance; `recommended` is reported on its own line and never decides it. */
export type Level = 'required' | 'recommended';

interface RowBase {
  /** The rule of the interface that this row checks. The rule has the addresses in the document. */
  readonly rule: RuleNumber;
  /** The behaviour of a conforming server, in one sentence. */
  readonly text: string;
}

/** The level of a row and, for a required rule, the words of the document. */
type Standing =
  | { readonly level: 'required'; readonly words: string }
  | { readonly level: 'recommended'; readonly words?: never };

/** A requirement with a check, which runs once for each subject of the set. */
export type CheckedRow = RowBase &
  Standing & {
    readonly subjects: SubjectSet;
    /** The consequence for clients if a server violates the requirement, in one sentence. */
    readonly breaks: string;
    /** The features that a target must have for the requirement, on every subject; absent if it needs none. */
    readonly feature?: Needs;
    /**
     * Why the requirement is not asked of kinds that only the target knows: the correct server that it would fail.
     * Absent if it is asked of them too.
     */
    readonly onlyOwnKinds?: string;
  };

/** A rule that no request can check, with the reason. */
type UnobservableRow = RowBase & Standing & { readonly observable: false; readonly reason: string };

export type RequirementRow = CheckedRow | UnobservableRow;

/** A chapter: requirement name → row. The id of a requirement is `<chapter>.<name>`. */
export type Chapter = Readonly<Record<string, RequirementRow>>;

/** The names of a chapter's requirements that must have a check. */
export type CheckedNames<C extends Chapter> = {
  [K in keyof C & string]: C[K] extends CheckedRow ? K : never;
}[keyof C & string];

export function isChecked(row: RequirementRow): row is CheckedRow {
  return 'subjects' in row;
}
