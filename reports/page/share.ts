// How a cell of a map is filled, on the page, in comparisons and in the picture: the part that passed first, then known
// deviations, then failures.

/** The numbers of cases of a cell that passed, deviate as declared, and failed or were blocked. */
export interface CellParts {
  readonly passed: number;
  readonly deviating: number;
  readonly failing: number;
}

/** Where the part that passed ends, and where that of the deviations ends, in percent. */
export interface CellStops {
  readonly good: number;
  readonly odd: number;
}

/** Returns the stops of a cell with judged cases; a small failing part stays wide enough to be visible. */
export function cellStops({ passed, deviating, failing }: CellParts): CellStops {
  const judged = passed + deviating + failing;
  const least = 0.14;
  const bad = failing === 0 ? 0 : Math.max(failing / judged, passed + deviating === 0 ? 0 : least);
  const odd = deviating === 0 ? 0 : Math.min(Math.max(deviating / judged, least), 1 - bad);
  return { good: 100 * (1 - bad - odd), odd: 100 * (1 - bad) };
}
