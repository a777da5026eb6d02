// The types of a section and of a rule of the interface.

/** A table of the interface that is generated from `matrix/api`; see `tables.ts`. */
export type TableName =
  | 'paths'
  | 'parameters'
  | 'mechanisms'
  | 'core-namespaced'
  | 'core-cluster'
  | 'autoscaling-batch'
  | 'extensions'
  | 'third-party';

/** One rule. Its number is permanent, because links contain it: a new rule gets the next number of its section. */
export interface Rule {
  /** `<section>.<rule>`, such as `4.2`. */
  readonly number: string;
  readonly title: string;
  /** One paragraph: `must` is required, `should` is recommended. Names of the interface are in backticks. */
  readonly text: string;
  /** The importance for clients. */
  readonly why: string;
  /**
   * The addresses of the document that the rule covers, such as `Pod log/container`; empty if everything in the rule is
   * recommended.
   */
  readonly sources: readonly string[];
  /** The ids of requirements of other rules that notice a violation, for a rule that has no requirement of its own. */
  readonly checkedBy?: readonly string[];
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
