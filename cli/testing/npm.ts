// Runs npm for tests as a user would, without the settings of the npm that runs the tests.
import { type ExecFileException, execFile } from 'node:child_process';

/** What came of a command: its exit code, and all that it printed. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a user in a terminal of his own. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/i.test(name)));

/** Runs a command in a folder to its end, or to the deadline in milliseconds. Never rejects for what it exits with. */
export function run(
  command: string,
  options: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
  deadline = 120_000,
): Promise<Ran> {
  const env = { ...plainEnvironment(), ...environment };
  return new Promise((resolve) => {
    execFile(command, options, { cwd, env, timeout: deadline, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: exitCodeOf(error), stdout, stderr });
    });
  });
}

function exitCodeOf(error: ExecFileException | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : -1;
}
