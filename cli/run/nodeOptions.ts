/** Larger semi-spaces cost 20 MB in each process of a run and are no faster. */
export const nodeOptions = ['--max-semi-space-size=4'];
