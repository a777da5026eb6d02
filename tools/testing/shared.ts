// Removes what the workers of a run of the tests have made for each other.
import { rmSync } from 'node:fs';
import { sharedFolder } from '../../cli/testing/packed.js';

/** A run that was killed may have left what has the number of this one. */
export const setup = (): void => teardown();

export const teardown = (): void => rmSync(sharedFolder(process.pid), { recursive: true, force: true });
