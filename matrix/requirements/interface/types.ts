// What a section and a rule of the interface are.
import type { Source } from '../addresses.js';

/** A table of the interface that is made from `matrix/api`; see `tables.ts`. */
export type TableName =
  | 'paths'
  | 'parameters'
  | 'mechanisms'
  | 'core-namespaced'
  | 'core-cluster'
  | 'autoscaling-batch'
  | 'extensions'
  | 'third-party';

/** One rule. Its number is permanent, since links name it: a new rule gets the next number of its section. */
export interface Rule {
  /** `<section>.<rule>`, such as `4.2`. */
  readonly number: string;
  readonly title: string;
  /** One paragraph: `must` is required, `should` is recommended. Names of the interface stand in backticks. */
  readonly text: string;
  /** Why it matters to clients. */
  readonly why: string;
  /** The addresses of the document that it covers; none where everything in it is recommended. */
  readonly sources: readonly Source[];
  /**
   * Requirements that check it beside those whose first source is one of `sources`: an id, or the start of ids and `*`.
   * A requirement that rules name is a requirement of the rule that names most of its id.
   */
  readonly requirements?: readonly string[];
  /** A table that follows the text. */
  readonly table?: TableName;
  /** Lines of Markdown that follow the text, such as an example of a file. */
  readonly details?: readonly string[];
}

/** Rules on one subject. */
export interface Section {
  readonly number: number;
  readonly title: string;
  readonly introduction: string;
  readonly rules: readonly Rule[];
}
