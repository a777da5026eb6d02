// Calls the compiled command line as a user does.
import { execFile } from 'node:child_process';
import { main } from '../../suites/self/referenceServer.js';

/** How a call ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Calls the program with these options and waits for its end. */
export function call(...options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** The lines of a text that ends with a newline. */
export const linesOf = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
