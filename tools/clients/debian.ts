// The programs of Debian for Python that speak with Kubernetes, for the tests that start them.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The Python of the system, for which Debian packages the client. */
export const python = '/usr/bin/python3';

/** The path of a file beside this one. */
export const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Reports whether a command ends well; if it does not, says that its tests are not run. */
export function isThere(what: string, command: string, ...args: readonly string[]): boolean {
  const is = spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!is) console.log(`not run: ${what} of Debian is not there`);
  return is;
}

/** Reports whether Debian's client of Kubernetes is there. */
export const hasClient = (): boolean =>
  isThere('python3-kubernetes', python, '-c', 'import kubernetes.stream, kubernetes.dynamic');

/** Runs a command to its end. Its output says what is wrong if it fails. */
export async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(command, args, { env: { ...process.env, ANSIBLE_LOCALHOST_WARNING: 'false' } });
  const { stdout } = await running.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
  });
  return stdout;
}
