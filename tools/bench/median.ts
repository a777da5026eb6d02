/** The middle one of some figures, or of an even number the lower of the two. Throws where there is none. */
export function median(figures: readonly number[]): number {
  const middle = [...figures].sort((one, other) => one - other)[(figures.length - 1) >> 1];
  if (middle === undefined) throw new Error('no figures');
  return middle;
}
