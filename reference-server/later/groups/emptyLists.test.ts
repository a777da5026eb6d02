// Lists that are never absent: they are null, as kube-apiserver 1.20.2 shows them, in each way to see an object.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
const { send, create, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

const group = '/apis/rbac.authorization.k8s.io/v1';
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'none' } }] };
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

it.each([
  ['clusterroles', 'absent', {}],
  ['clusterroles', 'empty', { rules: [] }],
  ['clusterroles', 'null', { rules: null }],
  ['clusterroles', 'aggregated', { aggregationRule }],
  ['namespaces/default/roles', 'absent', {}],
  ['namespaces/default/roles', 'empty', { rules: [] }],
])('%s with rules that are %s', async (plural, what, more) => {
  const name = `rules-${what}`;
  const path = `${group}/${plural}`;
  const shown = ({ rules }: AnyShape) => rules;
  expect(shown((await create(path, { metadata: { name }, ...more })).body)).toBeNull();
  expect(shown(await read(`${path}/${name}`))).toBeNull();
  const listed = (await read(path)).items.find(({ metadata }: AnyShape) => metadata.name === name);
  expect(shown(listed)).toBeNull();
  const watched = await ask(server, `${path}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`);
  expect(shown(JSON.parse(watched.text.split('\n')[0] ?? '').object)).toBeNull();
  const accept = { accept: 'application/vnd.kubernetes.protobuf' };
  expect((await ask(server, `${path}/${name}`, { headers: accept })).status).toBe(200);
  const patch = (body: object, type: string) => send('PATCH', `${path}/${name}`, body, type);
  const labelled = await patch({ metadata: { labels: { b: 'c' } } }, 'application/strategic-merge-patch+json');
  expect([labelled.status, shown(labelled.body)]).toEqual([200, null]);
  expect(JSON.stringify(labelled.body.metadata)).not.toContain('f:rules');
  const put = await send('PUT', `${path}/${name}`, labelled.body);
  expect([put.status, shown(put.body)]).toEqual([200, null]);
  const ofNull = [{ op: 'test', path: '/rules', value: null }];
  expect((await patch(ofNull, 'application/json-patch+json')).status).toBe(200);
  if (what === 'aggregated') return;
  const replaced = await patch([{ op: 'replace', path: '/rules', value: [rule] }], 'application/json-patch+json');
  expect([replaced.status, shown(replaced.body)]).toEqual([200, [rule]]);
  expect(shown((await patch([{ op: 'remove', path: '/rules' }], 'application/json-patch+json')).body)).toBeNull();
  const given = await patch({ rules: [rule] }, 'application/merge-patch+json');
  expect(shown(given.body)).toEqual([rule]);
  expect(shown((await patch({ rules: null }, 'application/merge-patch+json')).body)).toBeNull();
});

it.each([
  ['/api/v1/namespaces/default/limitranges', {}, { spec: { limits: null } }],
  ['/api/v1/namespaces/default/limitranges', { spec: { limits: [] } }, { spec: { limits: null } }],
  ['/apis/storage.k8s.io/v1/csinodes', { spec: { drivers: [] } }, { spec: { drivers: null } }],
  [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { addressType: 'IPv4' },
    { endpoints: null, ports: null },
  ],
])('%s of %j has the lists that its type writes always', async (path, body, lists) => {
  const name = `lists-${JSON.stringify(body).length}`;
  const created = await create(path, { metadata: { name }, ...body });
  expect(created.body).toMatchObject(lists);
  expect(await read(`${path}/${name}`)).toMatchObject(lists);
  const patched = await send(
    'PATCH',
    `${path}/${name}`,
    { metadata: { labels: { a: 'b' } } },
    'application/merge-patch+json',
  );
  expect(patched).toMatchObject({ status: 200, body: lists });
  expect((await send('PUT', `${path}/${name}`, patched.body)).status).toBe(200);
});
