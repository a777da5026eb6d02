// Nothing stored stops a start: with damaged, hostile and newer records the server starts, says which, and serves the rest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { storageOf } from '../storages/index.js';
import type { StorageOptions } from '../storages/options.js';
import { noEtcd, TestEtcd } from '../storages/testing/etcd.js';
import type { AnyShape } from '../testing/anyShape.js';
import { type ControlledServer, startControlled } from './testing/controlled.js';
import { definition, definitions, version } from './testing/customResources.js';

const accepted = (body: AnyShape, more: object = {}): AnyShape => ({
  ...body,
  metadata: { ...body.metadata, uid: body.metadata.name },
  status: {
    acceptedNames: body.spec?.names,
    conditions: [{ type: 'Established', status: 'True' }],
    storedVersions: ['v1'],
  },
  ...more,
});
const of = (plural: string, schema: object, more: object = {}): AnyShape => {
  const kind = `K${plural}`;
  const names = { plural, singular: `k${plural}`, kind, listKind: `${kind}List` };
  return accepted(definition(plural, kind, [version('v1', schema, more)], { names, conversion: { strategy: 'None' } }));
};
const slow = `.spec.l[?(@.${Array(40).fill('a').join('.')}!)]`;
const deep = (depth: number): AnyShape =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(depth - 1) } };

/** Definitions that no present server would accept. */
const strangeDefinitions: Readonly<Record<string, AnyShape>> = {
  patterns: of('patterns', { a: { type: 'string', pattern: '(?<a' } }),
  columns: of('columns', {}, { additionalPrinterColumns: [{ name: 'c', type: 'string', jsonPath: slow }] }),
  selectable: of('selectable', {}, { selectableFields: [{ jsonPath: '][' }] }),
  replicas: of(
    'replicas',
    {},
    { subresources: { scale: { specReplicasPath: '][', statusReplicasPath: '.status.n' } } },
  ),
  selectors: of(
    'selectors',
    {},
    {
      subresources: {
        scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.metadata.x' },
      },
    },
  ),
  defaults: of('defaults', { a: { type: 'string', default: 7 } }),
  types: of('types', { a: { type: 'nothing', items: 7, properties: [] } }),
  nested: of('nested', { a: deep(2_000) }),
  withoutschema: accepted(definition('withoutschema', 'W', [{ name: 'v1', served: true, storage: true }])),
  withoutstorage: accepted(definition('withoutstorage', 'S', [version('v1', {}, { storage: false })])),
  nullversions: accepted(definition('nullversions', 'N', [null as never])),
  textversions: accepted(definition('textversions', 'T', 'v1' as never)),
  withoutspec: { metadata: { name: 'withoutspec.example.com' }, status: { conditions: 'all' } },
  withoutnames: accepted({ ...definition('withoutnames', 'W', [version('v1', {})]), spec: { group: 'example.com' } }),
};

/** Those that are not served, with what their condition names. */
const unserved: Readonly<Record<string, string>> = {
  patterns: 'pattern',
  selectable: 'selectableFields',
  replicas: 'specReplicasPath',
  selectors: 'labelSelectorPath',
  defaults: 'default',
  types: 'openAPIV3Schema',
  withoutschema: 'openAPIV3Schema',
  nullversions: '',
};

const admission = 'admissionregistration.k8s.io';
const access = 'rbac.authorization.k8s.io';
const strangeSpecs: readonly AnyShape[] = [null, 7, 'all', [], [null], [7], {}, [{ name: {}, rules: 'all' }]];

/** Records of a name, of each kind that the server asks about requests, with something strange in them. */
const ruled = (name: string, strange: AnyShape): Readonly<Record<string, AnyShape>> => {
  const metadata = { name };
  const inDefault = { name, namespace: 'default' };
  const subjects = [{ kind: 'User', name: 'someone' }];
  return {
    [`${admission}/validatingwebhookconfigurations/${name}`]: { metadata, webhooks: strange },
    [`${admission}/mutatingwebhookconfigurations/${name}`]: { metadata, webhooks: [{ name: 'a.b.c', rules: strange }] },
    [`${admission}/validatingadmissionpolicies/${name}`]: { metadata, spec: strange },
    [`${admission}/validatingadmissionpolicybindings/${name}`]: {
      metadata,
      spec: { policyName: name, paramRef: strange },
    },
    [`${admission}/mutatingadmissionpolicies/${name}`]: { metadata, spec: { mutations: strange, variables: strange } },
    [`${admission}/mutatingadmissionpolicybindings/${name}`]: { metadata, spec: strange },
    [`${access}/clusterroles/${name}`]: { metadata, rules: strange, aggregationRule: strange },
    [`${access}/roles/default/${name}`]: { metadata: inDefault, rules: [{ verbs: strange, resources: strange }] },
    [`${access}/clusterrolebindings/${name}`]: { metadata, subjects, roleRef: strange },
    [`${access}/rolebindings/default/${name}`]: { metadata: inDefault, subjects: strange },
    [`apiregistration.k8s.io/apiservices/${name}`]: { metadata, spec: strange, status: strange },
    [`certificates.k8s.io/certificatesigningrequests/${name}`]: { metadata, spec: strange, status: strange },
    [`flowcontrol.apiserver.k8s.io/flowschemas/${name}`]: { metadata, spec: strange },
    [`coordination.k8s.io/leases/default/${name}`]: { metadata: inDefault, spec: strange },
  };
};

/** Records of other kinds, by their keys. */
const strangeRecords: Readonly<Record<string, AnyShape>> = {
  'core/pods/default/without-spec': { metadata: { name: 'without-spec', namespace: 'default' } },
  'core/pods/default/texts': { metadata: { name: 'texts', namespace: 'default', labels: 'a' }, spec: 'b', status: 7 },
  'core/configmaps/default/large': {
    metadata: { name: 'large', namespace: 'default' },
    data: { a: 'x'.repeat(1_500_000), b: 'y'.repeat(300_000) },
  },
  'core/services/default/address': {
    metadata: { name: 'address', namespace: 'default' },
    spec: { clusterIP: 'nowhere', ports: 'many' },
  },
  'core/resourcequotas/elsewhere/hard': {
    metadata: { name: 'hard', namespace: 'elsewhere' },
    spec: { hard: { pods: {} } },
  },
  'core/limitranges/elsewhere/limits': {
    metadata: { name: 'limits', namespace: 'elsewhere' },
    spec: { limits: [null] },
  },
  'core/secrets/default/token': {
    metadata: { name: 'token', namespace: 'default' },
    type: 'kubernetes.io/service-account-token',
    data: [1],
  },
  'core/serviceaccounts/default/odd': { metadata: { name: 'odd', namespace: 'default' }, secrets: 'all' },
  'core/namespaces/odd': { metadata: { name: 'odd', deletionTimestamp: 'yesterday', finalizers: 'f' }, spec: 1 },
  'core/nodes/odd': { metadata: { name: 'odd', ownerReferences: [null, 1, { uid: {} }] } },
  'batch/jobs/default/odd': { metadata: { name: 'odd', namespace: 'default' }, spec: { selector: 1, template: null } },
  'apps/deployments/default/odd': { metadata: { name: 'odd', namespace: 'default' }, spec: { selector: '*' } },
  'apps/statefulsets/default/odd': { metadata: { name: 'odd', namespace: 'default' }, spec: null },
  ...Object.fromEntries(
    strangeSpecs.map((spec, index) => ruled(`webhooks${index}`, spec)).flatMap((records) => Object.entries(records)),
  ),
  'newer.example.com/things/default/one': { metadata: { name: 'one', namespace: 'default' }, apiVersion: 'newer/v9' },
  'no/slashes': { metadata: { name: 'slashes' } },
};

/** Stores the records as another program would, below all checks, and starts a server on them. */
async function startOnRecords(options: StorageOptions): Promise<ControlledServer> {
  const opened = await storageOf(options).openStorage?.();
  if (opened === undefined) throw new Error('the options choose no storage');
  const { storage } = opened;
  const put = (key: string, value: AnyShape) => storage.create(key, value as never);
  await put('core/namespaces/default', { metadata: { name: 'default', uid: 'd' }, status: { phase: 'Active' } });
  for (const [name, value] of Object.entries(strangeDefinitions))
    await put(`apiextensions.k8s.io/customresourcedefinitions/${name}.example.com`, value);
  await put(
    'apiextensions.k8s.io/customresourcedefinitions/widgets.example.com',
    of('widgets', { a: { type: 'string' } }),
  );
  for (const [key, value] of Object.entries(strangeRecords)) await put(key, value);
  await storage.close();
  return await startControlled({ ...storageOf(options), authorizationMode: 'RBAC' });
}

async function servesTheRest({ send }: ControlledServer): Promise<void> {
  const at = '/api/v1/namespaces/default/configmaps';
  expect((await send('GET', '/livez')).status).toBe(200);
  expect((await send('POST', at, { metadata: { name: 'new' } })).status).toBeLessThan(300);
  expect((await send('GET', `${at}/large`)).body.data.b).toHaveLength(300_000);
  expect((await send('DELETE', `${at}/large`)).status).toBe(200);
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  await expect.poll(async () => (await send('GET', widgets)).status).toBe(200);
  expect(
    (await send('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Kwidgets', metadata: { name: 'w' } })).status,
  ).toBe(201);
  const conditionOf = async (name: string): Promise<string> => {
    const { status } = (await send('GET', `${definitions}/${name}.example.com`)).body;
    return JSON.stringify(status?.conditions ?? '');
  };
  // Others are served as far as they go.
  for (const [name, field] of Object.entries(unserved))
    await expect
      .poll(() => conditionOf(name), { message: name })
      .toMatch(new RegExp(`CannotBeCompiled.*not served: .*${field}`));
  for (const path of [
    definitions,
    '/api/v1/pods',
    '/api/v1/services',
    '/api/v1/secrets',
    '/apis',
    '/openapi/v2',
    `/apis/${admission}/v1/validatingwebhookconfigurations`,
    `/apis/${access}/v1/clusterrolebindings`,
    '/apis/apiregistration.k8s.io/v1/apiservices',
    '/api/v1/nodes',
  ])
    expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  expect((await send('POST', '/api/v1/namespaces/default/pods', pod)).status).not.toBe(500);
  const review = {
    spec: { user: 'someone', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
  };
  const reviewed = await send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
  expect([reviewed.status, reviewed.body.status?.allowed]).toEqual([201, false]);
}

let written: string[] = [];
beforeAll(() => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  vi.spyOn(console, 'error').mockImplementation((...texts) => void written.push(texts.map(String).join(' ')));
});
afterAll(() => {
  vi.restoreAllMocks();
  written = [];
});

test('a data directory with strange records', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strange-'));
  try {
    await using server = await startOnRecords({ dataDir });
    await servesTheRest(server);
    const log = written.join('\n');
    expect(log).toContain('nullversions.example.com is not served: ');
    for (const record of ['core/pods/default/texts', `${admission}/validatingwebhookconfigurations/webhooks1`])
      expect(log).toMatch(
        new RegExp(`^the stored record ${record} is damaged, and is used without this: \\S+: expected`, 'm'),
      );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

describe.skipIf(noEtcd !== undefined)('an etcd', () => {
  test('with strange records', async () => {
    const etcd = await TestEtcd.start({ more: ['--max-request-bytes', '4000000'] });
    try {
      await using server = await startOnRecords({ etcdServers: etcd.servers });
      await servesTheRest(server);
    } finally {
      await etcd.stop();
    }
  });
});
