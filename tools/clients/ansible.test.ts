// The modules of Ansible that use the client of Kubernetes for Python, against `serve`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Serving, startServing } from '../../cli/testing/serving.js';
import { fileHere, hasClient, isThere, outputOf, python } from './debian.js';

const hasAnsible =
  hasClient() && isThere('ansible', 'ansible-doc', '--type', 'module', '--json', 'kubernetes.core.k8s_scale');

let serving: Serving;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.stop());

it.skipIf(!hasAnsible)('a playbook of Ansible changes nothing when it runs again', async () => {
  const play = async (...more: readonly string[]): Promise<readonly number[]> => {
    const variables = { kubeconfig: serving.kubeconfig, ansible_python_interpreter: python };
    const settings = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const text = await outputOf('ansible-playbook', [...settings, ...more, fileHere('playbook.yaml')]);
    return ['changed', 'failed'].map((count) => Number(new RegExp(`${count}=(\\d+)`).exec(text)?.[1]));
  };
  expect(await play()).toEqual([9, 0]);
  expect(await play()).toEqual([0, 0]);
  expect(await play('-e', 'remove=true')).toEqual([3, 0]);
});
