// Tests the sources of volumes: a pod and a persistent volume have their own, and other fields beside them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../server.js';
import { causesOf, sendingTo } from '../../testing/sending.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({});
});
afterAll(() => server.close());

const { create, read, send } = sendingTo(() => server);
const volumes = '/api/v1/persistentvolumes';
const persistent = (rest: object) => ({ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...rest });
const pod = (volume: object) => ({
  containers: [{ name: 'c', image: 'i' }],
  volumes: [{ name: 'v', ...volume }],
});
const csi = { driver: 'a.example.com' };

it.each<[string, string, object, string[]]>([
  ['a pod with an inline CSI volume', 'namespaces/default/pods', pod({ csi }), []],
  ['a CSI volume', 'persistentvolumes', persistent({ csi: { ...csi, volumeHandle: 'h' } }), []],
  ['a CSI volume without a handle', 'persistentvolumes', persistent({ csi }), ['spec.csi.volumeHandle']],
  ['a class without a source', 'persistentvolumes', persistent({ storageClassName: 'fast' }), ['spec']],
  [
    'two sources',
    'persistentvolumes',
    persistent({ hostPath: { path: '/a' }, nfs: { server: 's', path: '/' } }),
    ['spec.nfs'],
  ],
  [
    'a class, a mode and options',
    'persistentvolumes',
    persistent({ hostPath: { path: '/a' }, storageClassName: 'fast', volumeMode: 'Block', mountOptions: ['ro'] }),
    [],
  ],
])('the causes of %s', async (_, path, spec, causes) => {
  const sent = await create(`/api/v1/${path}?dryRun=All`, { metadata: { name: 'a' }, spec });
  expect([sent.status, causesOf(sent)]).toEqual([causes.length === 0 ? 200 : 422, causes]);
});

it('a persistent volume keeps its source, and may change its class', async () => {
  const made = await create(volumes, { metadata: { name: 'a' }, spec: persistent({ hostPath: { path: '/a' } }) });
  expect(made.status).toBe(200);
  const change = async (spec: object) => {
    const object = await read(`${volumes}/a`);
    return send('PUT', `${volumes}/a`, { ...object, spec: { ...object.spec, ...spec } });
  };
  expect((await change({ storageClassName: 'fast' })).body.spec.storageClassName).toBe('fast');
  expect(causesOf(await change({ hostPath: { path: '/b' } }))).toEqual(['spec.persistentvolumesource']);
});
