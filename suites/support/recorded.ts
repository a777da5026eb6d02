// For chapters in several modules: what a performer records, as the type of a check's parameter.

/** What a performer returns. */
export type Recorded<P extends (...args: never) => Promise<unknown>> = Awaited<ReturnType<P>>;
