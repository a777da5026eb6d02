// What a worker tells the user who started the run.

/** Writes a line for the user: whoever started the worker shows it. */
export const tell = (line: string): void => void process.stderr.write(`${line}\n`);
