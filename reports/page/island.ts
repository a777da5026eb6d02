// The data of the page: what the renderer writes as JSON and the script reads. Names are said once, cases are numbers.

/** A subject: its text after that of the operation, the operation or -1, media type and mechanism or -1, kind. */
export type IslandSubject = readonly [
  text: string,
  operation: number,
  media: number,
  mechanism: number,
  kind: number,
  verb: number,
];

/** A rule of the interface as the page quotes it. */
export type IslandRule = readonly [number: string, title: string, text: string, why: string, url: string];

/** A requirement and how many cases it has; they follow one another in the order of the requirements. */
export interface IslandRequirement {
  readonly id: string;
  readonly recommended?: 1;
  /** The rule of the interface that it checks, among `rules`; -1 for none. */
  readonly rule: number;
  readonly text: string;
  /** What it is where it has no case. */
  readonly empty?: 'untested' | 'planned' | 'unobservable';
  readonly cases: number;
}

/** Where the evidence of a case lies that is not on the page: the address of a place in another file. */
export type Beside = readonly [caseIndex: number, href: string];

/** Everything that the script knows. */
export interface Island {
  /** What a command that runs one case starts with. */
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
  /** A letter for each case. */
  readonly verdicts: string;
  /** The subject of each case. */
  readonly subjectOf: readonly number[];
  readonly messages: readonly string[];
  /** The message of each case that did not pass, in their order; -1 for none. */
  readonly messageOf: readonly number[];
  /** The reasons of the deviations. */
  readonly reasons: readonly string[];
  /** The reason of each deviation, in the order of the cases. */
  readonly reasonOf: readonly number[];
  /** The cases whose evidence the page holds, each with the number of its template. */
  readonly templates: readonly (readonly [caseIndex: number, template: number])[];
  readonly beside: readonly Beside[];
}
