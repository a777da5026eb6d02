// The type of the rows in the tables of outcomes.
import type { Sample } from '../sample.js';

/** The expected outcome of a run, and the wrong verdict that the row detects. */
interface Rule {
  /** The wrong verdict that this row detects. */
  readonly catches: string;
  readonly sample: Sample;
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
  readonly reason?: string | readonly string[];
}

export type Rules = Readonly<Record<string, Rule>>;
