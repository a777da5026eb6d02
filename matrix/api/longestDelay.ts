/** The longest delay of a timer of Node.js, in milliseconds: one with more ends at once. */
export const longestDelay = 2 ** 31 - 1;
