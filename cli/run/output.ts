// Whether a run can write its report, asked before anything is started.
import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../usageError.js';

/** Makes the folder of a report. Throws UsageError where nothing can be written into it. */
export function checkOutput(output: string): void {
  try {
    mkdirSync(resolve(output), { recursive: true });
    accessSync(resolve(output), constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--output: no report can be written into ${output} (${code}): give another folder`);
  }
}
