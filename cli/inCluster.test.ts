// Tests the Job that runs the suite in a cluster: its arguments are options of `run`, which finds the pod's
// credentials.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadAll } from 'js-yaml';
import { expect, it } from 'vitest';
import { registerRun } from './run.js';

interface Manifest {
  readonly kind: string;
  readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly { args: string[] }[] } } };
}

const manifests = loadAll(
  readFileSync(join(import.meta.dirname, '../examples/in-cluster/job.yaml'), 'utf8'),
) as readonly Manifest[];

it('has an account, its permissions and a Job', () => {
  const kinds = ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Job'];
  expect(manifests.map(({ kind }) => kind)).toEqual(kinds);
});

it('calls run with existing options', () => {
  const program = new Command();
  registerRun(program);
  const known = program.commands[0]?.options.map(({ long }) => long);
  const [command, ...options] = manifests.at(-1)?.spec?.template.spec.containers[0]?.args ?? [];
  expect(command).toBe('run');
  expect(options.length).toBeGreaterThan(3);
  for (const option of options) expect(known).toContain(option.split('=')[0]);
});
