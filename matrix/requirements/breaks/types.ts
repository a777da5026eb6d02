// The type of the sentences about the consequences for clients.

/**
 * Rows of names of requirements, each with one sentence about the consequences for clients if one of them is violated.
 * A name may have a `*` for any text. If several names match, the longest one counts.
 */
export type Breaks = readonly (readonly [names: readonly string[], sentence: string])[];
