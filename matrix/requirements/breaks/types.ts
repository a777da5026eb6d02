// What breaks for clients: sentences, each for some requirements of a chapter.

/**
 * Rows of names of requirements and what breaks for clients where one of them does not hold, in one sentence. A name may
 * have a `*` for any text; the name with the most characters counts.
 */
export type Breaks = readonly (readonly [names: readonly string[], sentence: string])[];
