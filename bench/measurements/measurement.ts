// One row of the table: what is measured under load, in which unit, and what the reference server should reach.
import type { Load } from '../load.js';

export interface Measurement {
  readonly name: string;
  readonly unit: 'µs' | 'ms' | 'MB';
  /** The most that the reference server should need, in the unit; absent where a figure is only for comparison. */
  readonly goal?: number;
  /** Runs it on a server that has what the measurements before it left; answers the figure in the unit. */
  run(load: Load): Promise<number>;
}
