// Shrinks a history that contradicts the rules: the same seed with fewer clients and fewer operations.
import type { Size } from './plan.js';
import type { History } from './record.js';
import type { Violation } from './violation.js';

/** A history with what contradicts the rules in it. */
export interface JudgedHistory {
  readonly history: History;
  readonly violations: readonly Violation[];
}

/** The smaller histories that are tried, from the smallest. A contradiction between clients needs two of them. */
const smallerSizes: readonly Size[] = [
  { clients: 1, steps: 5 },
  { clients: 2, steps: 5 },
  { clients: 2, steps: 10 },
];

/**
 * Returns the history of the smallest size with a violation of the same statement; the given one if no smaller one has
 * it. The order of concurrent requests is another each time, so a smaller history may not show it.
 */
export async function shrunk(
  found: JudgedHistory,
  run: (size: Size) => Promise<JudgedHistory>,
): Promise<JudgedHistory> {
  const [{ statement } = { statement: undefined }] = found.violations;
  for (const size of smallerSizes) {
    const smaller = await run(size).catch(() => undefined);
    if (smaller?.violations.some((one) => one.statement === statement)) return smaller;
  }
  return found;
}
