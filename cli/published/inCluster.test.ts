// Tests the manifests that run the suite in a cluster: they call the command line with existing options, a server takes
// them as they are, and makes the pods that they describe.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiVersionOf, resources } from '../../matrix/api/index.js';
import { laterResources } from '../../matrix/api/modern/resources.js';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { sendingTo } from '../../reference-server/testing/sending.js';
import { registerReport } from '../reporting/report.js';
import { registerRun } from '../run/run.js';

const folder = join(import.meta.dirname, '../../examples/in-cluster');
const manifestsIn = (file: string) => loadAll(readFileSync(join(folder, file), 'utf8')) as readonly AnyShape[];
const manifest = (file: string, kind: string): AnyShape => manifestsIn(file).find((one) => one.kind === kind);
const podSpecsIn = (file: string): AnyShape[] =>
  manifestsIn(file).flatMap(({ kind, spec }) => (kind === 'Pod' ? [spec] : (spec?.template?.spec ?? [])));
const account = ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding'];
const kinds: Readonly<Record<string, readonly string[]>> = {
  'job.yaml': [...account, 'Job'],
  'judge.yaml': ['Job', 'Pod'],
  'shards.yaml': [...account, 'PersistentVolumeClaim', 'Job'],
};

it('these are the manifests', () => {
  const found = readdirSync(folder).map((file) => [file, manifestsIn(file).map(({ kind }) => kind)]);
  expect(Object.fromEntries(found)).toEqual(kinds);
});

it.each([
  ['job.yaml', 'run'],
  ['shards.yaml', 'run'],
  ['judge.yaml', 'report'],
])('%s calls %s with existing options', (file, command) => {
  const program = new Command();
  registerRun(program);
  registerReport(program);
  const known = program.commands.find((one) => one.name() === command)?.options.map(({ long }) => long);
  const [{ args }] = podSpecsIn(file)[0].containers;
  const words: string[] = args.join(' ').split(/\s+/);
  expect(words).toContain(command);
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
  expect(options.length).toBeGreaterThan(0);
  for (const option of options) expect(known).toContain(option);
});

it.each(Object.keys(kinds))('%s has the image that the documents explain, and every volume that it mounts', (file) => {
  const claims = manifestsIn('shards.yaml').filter(({ kind }) => kind === 'PersistentVolumeClaim');
  for (const { containers, volumes } of podSpecsIn(file)) {
    for (const { image, volumeMounts } of containers) {
      expect(image).toBe('kube-api-conformance:0.1');
      for (const { name } of volumeMounts) expect(volumes.map((volume: AnyShape) => volume.name)).toContain(name);
    }
    const named = volumes.flatMap(({ persistentVolumeClaim: claim }: AnyShape) => claim?.claimName ?? []);
    for (const name of named) expect(claims.map(({ metadata }) => metadata.name)).toContain(name);
  }
});

it('the shards have the permissions of the whole', () => {
  for (const kind of account) expect(manifest('shards.yaml', kind)).toEqual(manifest('job.yaml', kind));
});

describe('on a server', () => {
  const namespace = 'kube-api-conformance';
  let server: RunningServer;
  const { create, read } = sendingTo(() => server);
  beforeAll(async () => {
    server = await startFullServer({});
  });
  afterAll(() => server.close());

  /** Creates what is in a file, as `kubectl create --validate=strict` does. */
  async function createAll(file: string): Promise<void> {
    for (const object of manifestsIn(file)) {
      const row = [...resources, ...laterResources].find(
        ({ kind, groupVersion }) => kind === object.kind && apiVersionOf(groupVersion) === object.apiVersion,
      );
      const within = row?.namespaced ? `/namespaces/${object.metadata.namespace}` : '';
      const { status, body } = await create(
        `${row?.groupVersion.prefix}${within}/${row?.plural}?fieldValidation=Strict`,
        object,
      );
      expect([object.kind, status, body.message]).toEqual([
        object.kind,
        expect.toSatisfy((code) => code < 300),
        undefined,
      ]);
    }
  }

  /** Resolves with the pods of a Job, when there are so many. */
  async function podsOf(job: string, count: number): Promise<AnyShape[]> {
    const pods = async () => (await read(`/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${job}`)).items;
    await expect.poll(async () => (await pods()).length).toBe(count);
    return pods();
  }

  it('there is a pod for each shard, and one for the judge, which needs no token', async () => {
    await createAll('shards.yaml');
    const { completions, parallelism } = manifest('shards.yaml', 'Job').spec;
    expect([completions, parallelism]).toEqual([4, 4]);
    const pods = await podsOf('shards', 4);
    const key = 'batch.kubernetes.io/job-completion-index';
    const indexes = pods.map(({ metadata, spec }) => [
      ...[metadata.annotations[key], metadata.labels[key], spec.hostname, metadata.name.replace(/-[^-]*$/, '')],
    ]);
    expect(indexes.sort()).toEqual([0, 1, 2, 3].map((i) => [`${i}`, `${i}`, `shards-${i}`, `shards-${i}`]));
    for (const { spec } of pods) {
      const [{ env, volumeMounts }] = spec.containers;
      expect(env).toEqual([
        { name: 'SHARDS', value: String(completions) },
        {
          name: 'JOB_COMPLETION_INDEX',
          valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${key}']` } },
        },
      ]);
      expect(volumeMounts.map(({ mountPath }: AnyShape) => mountPath)).toEqual([
        ...['/work/shards', '/tmp', '/var/run/secrets/kubernetes.io/serviceaccount'],
      ]);
      expect(spec.serviceAccountName).toBe('conformance');
    }
    await createAll('judge.yaml');
    const [judge] = await podsOf('judge', 1);
    expect(judge.spec.volumes.map(({ name }: AnyShape) => name)).toEqual(['shards', 'tmp']);
    const reports = await read(`/api/v1/namespaces/${namespace}/pods/reports`);
    expect(reports.spec.volumes.map(({ name }: AnyShape) => name)).toEqual(['shards']);
  });
});
