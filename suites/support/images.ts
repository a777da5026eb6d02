// The images that the suite's pods run on nodes that really run them.
import type { Context } from './worker.js';

/** One with a shell, as the target's file names it; a public one that the node of the run knows too when it does not. */
export const shellImage = ({ run }: Context): string => run.target.images?.shell ?? 'busybox';
