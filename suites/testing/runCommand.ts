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
export const call = (...options: readonly string[]): Promise<Ended> => callHeard(() => undefined, ...options);

/** Runs a command to its end. Whenever more of its standard error comes, `hear` gets all that has come. */
export function callHeard(hear: (stderr: string) => void, ...options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const program = [main, ...options];
    const child = execFile(process.execPath, program, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    let said = '';
    child.stderr?.on('data', (chunk: string) => {
      said += chunk;
      hear(said);
    });
  });
}

/** Returns what a command says, without the lines about a server that answers late, as on a busy machine. */
export const withoutWaits = (stderr: string): string => stderr.replace(/^waiting for \S+ to answer GET \S+\r?\n/gm, '');

/** Returns the lines of a text that ends with a newline. */
export const linesOfText = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
