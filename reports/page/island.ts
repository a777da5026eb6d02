// The data of the page, which the renderer writes as JSON and the script reads. Names occur once, cases are numbers.

/** A subject: its text after the operation's text, the operation or -1, media type and mechanism or -1, kind. */
export type IslandSubject = readonly [
  text: string,
  operation: number,
  media: number,
  mechanism: number,
  kind: number,
  verb: number,
];

/** A rule of the interface for quotations. */
export type IslandRule = readonly [number: string, title: string, text: string, why: string, url: string];

/** A requirement and the number of its cases. Cases follow one another in the order of the requirements. */
export interface IslandRequirement {
  readonly id: string;
  readonly recommended?: 1;
  /** The index in `rules` of the rule that the requirement checks; -1 for none. */
  readonly rule: number;
  readonly text: string;
  /** The state of a requirement without cases. */
  readonly empty?: 'untested' | 'unobservable';
  readonly cases: number;
}

/** The URL of the evidence of a case in another file. */
export type Beside = readonly [caseIndex: number, href: string];

/** All data of the page. */
export interface Island {
  /** The beginning of a command that runs one case. */
  readonly command: string;
  readonly kinds: readonly string[];
  readonly verbs: readonly string[];
  readonly media: readonly string[];
  readonly mechanisms: readonly string[];
  /** The cells that the document states, as `[kind, verb]`. */
  readonly stated: readonly (readonly [kind: number, verb: number])[];
  readonly operations: readonly string[];
  readonly subjects: readonly IslandSubject[];
  readonly rules: readonly IslandRule[];
  readonly requirements: readonly IslandRequirement[];
  /** The kinds that the interface lacks, in the order of the groups: the kind, and why the run wrote none of it. */
  readonly others: readonly (readonly [kind: number, note: string])[];
  /** One letter for each case. */
  readonly verdicts: string;
  /** The subject of each case. */
  readonly subjectOf: readonly number[];
  readonly messages: readonly string[];
  /** The message of each case that did not pass, in the order of the cases; -1 for none. */
  readonly messageOf: readonly number[];
  /** The reasons of the deviations. */
  readonly reasons: readonly string[];
  /** The reason of each deviation, in the order of the cases. */
  readonly reasonOf: readonly number[];
  /** The cases with evidence on the page, each with the number of its template. */
  readonly templates: readonly (readonly [caseIndex: number, template: number])[];
  readonly beside: readonly Beside[];
}
