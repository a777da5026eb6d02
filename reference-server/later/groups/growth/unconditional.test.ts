// Which kinds a client may replace without a version, as kube-apiserver 1.20 does. `AGAINST` names a real one, to see that
// it does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import { sendingTo } from '../../../testing/sending.js';
import { startFullServer } from '../../index.js';
import { serverWithDefinitions } from '../../testing/customResources.js';
import { earlierPath, kindSamples } from '../../testing/kindSamples.js';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
const isReal = process.env.AGAINST !== undefined;
beforeAll(async () => {
  const options = { kubeVersion: '1.20', without: ['service-account-admission'] } as const;
  server = isReal ? await serverWithDefinitions() : await startFullServer(options);
});
afterAll(() => server.close());

const refusing = [
  'apiservices',
  'csidrivers',
  'csinodes',
  'leases',
  'mutatingwebhookconfigurations',
  'poddisruptionbudgets',
  'runtimeclasses',
  'validatingwebhookconfigurations',
  'volumeattachments',
];
/** Services are refused by old servers only, and these kinds have another version there. */
const others = ['services', 'flowschemas', 'prioritylevelconfigurations'];

const paths = Object.keys(kindSamples).filter((path) => !others.includes(path.split('/').at(-1) ?? ''));
it.each(paths)('%s', async (kindPath) => {
  const path = earlierPath(kindPath);
  const sample = structuredClone(kindSamples[kindPath]?.smallest ?? {});
  const name = path.endsWith('/apiservices') ? 'v1.a.example.com' : 'unconditional';
  const made = await send('POST', path, { ...sample, metadata: { ...sample.metadata, name } });
  expect([made.status < 300, made.status < 300 || made.body.message]).toEqual([true, true]);
  const { metadata, ...object } = await read(`${path}/${name}`);
  const { resourceVersion: _version, ...without } = metadata;
  const { status, body } = await send('PUT', `${path}/${name}?dryRun=All`, { ...object, metadata: without });
  await send('DELETE', `${path}/${name}`, { gracePeriodSeconds: 0 });
  const isRefused = refusing.includes(path.split('/').at(-1) ?? '');
  expect([status, body.message]).toEqual(
    isRefused ? [422, expect.stringContaining('metadata.resourceVersion: Invalid value')] : [200, undefined],
  );
});

it('a pod keeps what admission fills in, for a client that does not know it', async () => {
  const path = '/api/v1/namespaces/default/pods';
  await send('POST', path, { ...kindSamples[path]?.smallest, metadata: { name: 'kept' } });
  const pod = await read(`${path}/kept`);
  const { tolerations, priority, preemptionPolicy, ...spec } = pod.spec;
  const { status, body } = await send('PUT', `${path}/kept?dryRun=All`, { ...pod, spec });
  expect([status, body.spec]).toEqual([200, pod.spec]);
  const other = { key: 'a', operator: 'Exists' };
  const { body: more } = await send('PUT', `${path}/kept?dryRun=All`, {
    ...pod,
    spec: { ...spec, tolerations: [other] },
  });
  expect(more.spec.tolerations).toEqual([other, ...tolerations]);
  expect([priority, preemptionPolicy]).toEqual([0, 'PreemptLowerPriority']);
  const refused = await send('PUT', `${path}/kept?dryRun=All`, { ...pod, spec: { ...pod.spec, priority: 1 } });
  expect(refused.status).toBe(422);
  await send('DELETE', `${path}/kept`, { gracePeriodSeconds: 0 });
});
