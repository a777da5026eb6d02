// Aggregated discovery: the facts are those that kube-apiserver 1.36 publishes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';
import { definition, definitions, version } from '../testing/customResources.js';

let server: RunningServer;
const { send } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const type = (of: string): string => `application/json;g=apidiscovery.k8s.io;v=${of};as=APIGroupDiscoveryList`;
/** What kubectl sends. */
const ofKubectl = `${type('v2')},${type('v2beta1')},application/json`;

async function list(path: string, accept = ofKubectl, more: AnyShape = {}, at = server) {
  const { status, headers, text } = await ask(at, path, { headers: { accept, ...more } });
  return { status, headers, body: (text.startsWith('{') ? JSON.parse(text) : {}) as AnyShape };
}

/** Every resource as `group/version/plural`, in a few words. */
function wordsOf({ items }: AnyShape): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { metadata, versions } of items) {
    for (const { version, resources } of versions) {
      for (const { resource, scope, responseKind, shortNames = [], categories = [], subresources = [] } of resources) {
        const parts = subresources.map(({ subresource }: AnyShape) => `/${subresource}`);
        const words = [
          scope,
          responseKind.kind,
          ...shortNames,
          ...categories.map((name: string) => `+${name}`),
          ...parts,
        ];
        found.set([metadata.name ?? 'core', version, resource].join('/'), words.join(' '));
      }
    }
  }
  return found;
}

const all = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

describe('aggregated discovery', () => {
  it.each([
    ['apiregistration.k8s.io/v1/apiservices', 'Cluster APIService +api-extensions /status'],
    ['apps/v1/deployments', 'Namespaced Deployment deploy +all /scale /status'],
    ['certificates.k8s.io/v1/certificatesigningrequests', 'Cluster CertificateSigningRequest csr /approval /status'],
    ['networking.k8s.io/v1/ingressclasses', 'Cluster IngressClass'],
    ['networking.k8s.io/v1/ipaddresses', 'Cluster IPAddress ip'],
    ['networking.k8s.io/v1/servicecidrs', 'Cluster ServiceCIDR /status'],
    ['storage.k8s.io/v1/csidrivers', 'Cluster CSIDriver'],
    ['storage.k8s.io/v1/csinodes', 'Cluster CSINode'],
    ['storage.k8s.io/v1/csistoragecapacities', 'Namespaced CSIStorageCapacity'],
    ['storage.k8s.io/v1/storageclasses', 'Cluster StorageClass sc'],
    ['storage.k8s.io/v1/volumeattachments', 'Cluster VolumeAttachment /status'],
    ['storage.k8s.io/v1/volumeattributesclasses', 'Cluster VolumeAttributesClass vac'],
    ['scheduling.k8s.io/v1/priorityclasses', 'Cluster PriorityClass pc'],
    ['node.k8s.io/v1/runtimeclasses', 'Cluster RuntimeClass'],
    ['resource.k8s.io/v1/deviceclasses', 'Cluster DeviceClass'],
    ['resource.k8s.io/v1/resourceclaims', 'Namespaced ResourceClaim /status'],
    ['resource.k8s.io/v1/resourceclaimtemplates', 'Namespaced ResourceClaimTemplate'],
    ['resource.k8s.io/v1/resourceslices', 'Cluster ResourceSlice'],
    ['flowcontrol.apiserver.k8s.io/v1/flowschemas', 'Cluster FlowSchema /status'],
    ['flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', 'Cluster PriorityLevelConfiguration /status'],
    ['core/v1/configmaps', 'Namespaced ConfigMap cm'],
  ])('lists %s as %s', async (id, words) => {
    const { body } = await list(id.startsWith('core/') ? '/api' : '/apis');
    expect(wordsOf(body).get(id)).toBe(words);
  });

  it('has the fields of an entry that real servers write', async () => {
    const { status, headers, body } = await list('/apis', type('v2'));
    const { items, ...head } = body;
    expect([status, headers['content-type'], head]).toEqual([
      200,
      type('v2'),
      { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {} },
    ]);
    const apps = items.find(({ metadata }: AnyShape) => metadata.name === 'apps');
    expect([apps.versions.length, apps.versions[0].freshness]).toEqual([1, 'Current']);
    const own = { group: '', version: '' };
    const verbs = ['get', 'patch', 'update'];
    expect(apps.versions[0].resources.find(({ resource }: AnyShape) => resource === 'replicasets')).toEqual({
      resource: 'replicasets',
      responseKind: { ...own, kind: 'ReplicaSet' },
      scope: 'Namespaced',
      singularResource: 'replicaset',
      verbs: all,
      shortNames: ['rs'],
      categories: ['all'],
      subresources: [
        { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs },
        { subresource: 'status', responseKind: { ...own, kind: 'ReplicaSet' }, verbs },
      ],
    });
    const policy = items.find(({ metadata }: AnyShape) => metadata.name === 'policy');
    expect(policy.versions.map(({ version }: AnyShape) => version)).toEqual(['v1', 'v1beta1']);
    const { body: core } = await list('/api');
    expect(core.items.map(({ metadata, versions }: AnyShape) => [metadata, versions.length])).toEqual([[{}, 1]]);
  });

  it('gives the objects of a category to one group, so that kubectl shows them once', async () => {
    const groups = new Map<string, Set<string>>();
    for (const [id, words] of wordsOf((await list('/apis')).body)) {
      const [group = '', , plural = ''] = id.split('/');
      if (words.includes('+all')) groups.set(plural, (groups.get(plural) ?? new Set()).add(group));
    }
    expect(Object.fromEntries([...groups].map(([plural, of]) => [plural, [...of]]))).toEqual({
      cronjobs: ['batch'],
      daemonsets: ['apps'],
      deployments: ['apps'],
      horizontalpodautoscalers: ['autoscaling'],
      jobs: ['batch'],
      replicasets: ['apps'],
      statefulsets: ['apps'],
    });
  });

  it('has a tag that changes with the definitions of custom resources, which it lists', async () => {
    const before = await list('/apis');
    const tag = String(before.headers.etag);
    expect(tag).toMatch(/^"[0-9A-F]{128}"$/);
    const seen = await list('/apis', ofKubectl, { 'if-none-match': tag });
    expect([seen.status, seen.headers.etag, seen.headers.vary]).toEqual([304, tag, 'Accept']);
    const made = definition('widgets', 'Widget', [version('v1', {}), version('v2', {}, { storage: false })]);
    expect((await send('POST', definitions, made)).status).toBe(201);
    const words = async () => wordsOf((await list('/apis')).body).get('example.com/v2/widgets');
    await expect.poll(words).toBe('Namespaced Widget');
    expect((await list('/apis', ofKubectl, { 'if-none-match': tag })).status).toBe(200);
  });

  it.each([
    [type('v2beta1'), '/apis', 200, type('v2beta1')],
    [`${type('v3')},application/json`, '/apis', 200, 'application/json'],
    [type('v3'), '/apis', 406, 'application/json'],
    [ofKubectl, '/apis/apps', 200, 'application/json'],
    [ofKubectl, '/apis/apps/v1', 200, 'application/json'],
    [ofKubectl, '/apis/none', 404, 'application/json'],
    ['application/json', '/apis', 200, 'application/json'],
    ['application/yaml', '/apis', 200, 'application/yaml'],
  ])('answers %s for %s with %i %s', async (accept, path, status, mediaType) => {
    const answer = await list(path, accept);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, mediaType]);
  });

  it('is of the version that the server reports', async () => {
    await using old = await startFullServer({ kubeVersion: '1.25' });
    await using between = await startFullServer({ kubeVersion: '1.29' });
    const types = [];
    for (const at of [old, between]) types.push((await list('/apis', ofKubectl, {}, at)).headers['content-type']);
    expect(types).toEqual(['application/json', type('v2beta1')]);
  });
});
