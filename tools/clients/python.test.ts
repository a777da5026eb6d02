// The client of Kubernetes for Python, and the modules of Ansible that use it, against `serve`.
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Serving, startServing } from '../../cli/testing/serving.js';

/** The Python of the system, for which Debian packages the client. */
const python = '/usr/bin/python3';
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Reports whether a command ends well; if it does not, says that its tests are not run. */
function isThere(what: string, command: string, ...args: readonly string[]): boolean {
  const is = spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!is) console.log(`not run: ${what} of Debian is not there`);
  return is;
}

const hasClient = isThere('python3-kubernetes', python, '-c', 'import kubernetes.stream, kubernetes.dynamic');
const hasAnsible =
  hasClient && isThere('ansible', 'ansible-doc', '--type', 'module', '--json', 'kubernetes.core.k8s_scale');

let serving: Serving;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.stop());

/** Runs a command to its end. Its output says what is wrong if it fails. */
async function output(command: string, args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(command, args, { env: { ...process.env, ANSIBLE_LOCALHOST_WARNING: 'false' } });
  const { stdout } = await running.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
  });
  return stdout;
}

it.skipIf(!hasClient)('a program in Python does what it does on a cluster', async () => {
  const lines = await output(python, [file('client.py'), serving.kubeconfig]);
  expect(lines.trim().split('\n').at(-1)).toBe('17 steps');
});

it.skipIf(!hasAnsible)('a playbook of Ansible changes nothing when it runs again', async () => {
  const play = async (...more: readonly string[]): Promise<readonly number[]> => {
    const variables = { kubeconfig: serving.kubeconfig, ansible_python_interpreter: python };
    const settings = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const text = await output('ansible-playbook', [...settings, ...more, file('playbook.yaml')]);
    return ['changed', 'failed'].map((count) => Number(new RegExp(`${count}=(\\d+)`).exec(text)?.[1]));
  };
  expect(await play()).toEqual([9, 0]);
  expect(await play()).toEqual([0, 0]);
  expect(await play('-e', 'remove=true')).toEqual([3, 0]);
});
