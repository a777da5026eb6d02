// Runs the compiled command line as a user would.
import { execFile } from 'node:child_process';
import { main } from './referenceServer.js';

/** The outcome of a command. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export function call(...options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...options], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Returns the lines of a text that ends with a newline. */
export const linesOfText = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
