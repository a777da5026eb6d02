// What a worker tells the user who started the run.

let write = (line: string): void => void process.stderr.write(`${line}\n`);

/** Writes a line for the user. */
export const tell = (line: string): void => write(line);

/** Passes the lines of this process to a function. */
export function tellBy(other: (line: string) => void): void {
  write = other;
}
