// What a row of the tables of outcomes is.
import type { Sample } from '../sample.js';

/** What a run comes to, and the wrong verdict that would be found by it. */
interface Rule {
  /** The wrong verdict that this row would catch. */
  readonly catches: string;
  readonly sample: Sample;
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
  readonly reason?: string | readonly string[];
}

export type Rules = Readonly<Record<string, Rule>>;
