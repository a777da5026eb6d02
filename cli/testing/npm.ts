// Runs npm for tests as a user would, without the settings of the npm process that runs the tests.
import { type ExecFileException, execFile } from 'node:child_process';

export interface NpmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a user in a terminal. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV)/i.test(name)));

/** Runs a command in a folder to its end. A nonzero exit code is not an error. */
export function runProgram(
  command: string,
  options: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<NpmResult> {
  const env = { ...plainEnvironment(), ...environment };
  return new Promise((resolve) => {
    execFile(command, options, { cwd, env, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: exitCodeOf(error), stdout, stderr });
    });
  });
}

function exitCodeOf(error: ExecFileException | null): number {
  if (error === null) return 0;
  return typeof error.code === 'number' ? error.code : -1;
}
