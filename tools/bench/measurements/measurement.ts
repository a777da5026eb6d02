// One row of the table: a quantity, its unit, and the goal of the reference server.
import type { Load } from '../load.js';

export interface Measurement {
  readonly name: string;
  readonly unit: 'µs' | 'ms' | 'MB';
  /** The goal of the reference server, in the unit; absent if the figure is only for comparison. */
  readonly goal?: number;
  /** Measures a server that has the objects of the earlier measurements. Returns the figure in the unit. */
  run(load: Load): Promise<number>;
}
