// What a server of 1.36 says of changes that it refuses, as kube-apiserver 1.36.2 does. `AGAINST` names a real one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { sendingTo } from '../../../testing/sending.js';
import { ask } from '../../../testing/standIn.js';
import { realServerOr } from '../../testing/customResources.js';

let server: RunningServer;
const { create, send } = sendingTo(() => server);
beforeAll(async () => {
  server = await realServerOr({ without: ['service-account-admission', 'service-account-controller'] });
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const claim = (...accessModes: string[]) => ({ spec: { accessModes, resources: { requests: { storage: '1Gi' } } } });
const sourced = (more: object) => ({ spec: { ...claim('ReadWriteOnce').spec, ...more } });
const owner = (more: object) => ({ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', ...more });
const owned = (...ownerReferences: object[]) => ({ metadata: { ownerReferences } });
const service = (more: object) => ({ spec: { ports: [{ port: 80 }], ...more } });
const pod = (more: object) => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...more } });

const job = (more: object) => ({ spec: { ...more, template: { spec: { ...template.spec, restartPolicy: 'Never' } } } });

/** The first line of what is said of each field: real servers add differences. */
const wordsOf = ({ body }: AnyShape): readonly string[] =>
  (body.details?.causes ?? []).map(({ field, message }: AnyShape) => `${field}: ${message.split('\n')[0]}`);

it.each<[string, AnyShape, readonly string[]]>([
  [
    `${core}/persistentvolumeclaims`,
    claim('X'),
    [
      'spec.accessModes: Unsupported value: "X": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    ],
  ],
  [
    `${core}/persistentvolumeclaims`,
    claim('ReadWriteOncePod', 'ReadWriteOnce'),
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [
    '/api/v1/persistentvolumes',
    { spec: { ...volume, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] } },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [
    `${core}/pods`,
    pod({ hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
    ['hostNetwork', 'HostPID', 'HostIPC'].map((name) => `spec.${name}: Forbidden: when \`hostUsers\` is false`),
  ],
  [
    `${core}/configmaps`,
    owned(owner({ name: '' })),
    ['metadata.ownerReferences.name: Invalid value: "": must not be empty'],
  ],
  [
    `${core}/configmaps`,
    owned(owner({ kind: 'Event' })),
    [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    `${core}/services`,
    service({ externalTrafficPolicy: 'Local' }),
    ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
  ],
  [
    `${core}/services`,
    service({ type: 'NodePort', externalTrafficPolicy: 'X' }),
    ['spec.externalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"'],
  ],
  [
    `${core}/services`,
    service({ externalIPs: ['FE80::1', '127.0.0.1', '::ffff:1.2.3.4'] }),
    [
      'spec.externalIPs[0]: Invalid value: "FE80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'spec.externalIPs[2]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  ],
  [
    `${core}/services`,
    service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.1/8', 'x'] }),
    [
      'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
      'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
  [
    `${core}/pods`,
    pod({ dnsConfig: { nameservers: ['::ffff:1.2.3.4'] } }),
    ['spec.dnsConfig.nameservers[0]: Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address'],
  ],
  [
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    { addressType: 'IPv6', endpoints: [{ addresses: ['FD00::1'] }] },
    ['endpoints[0].addresses[0]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")'],
  ],
  [
    '/api/v1/nodes',
    { spec: { podCIDR: '10.0.0.1/8' } },
    ['spec.podCIDRs[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length'],
  ],
  [
    `${core}/pods`,
    pod({ volumes: [{ name: 'v', downwardAPI: { items: [{ path: '../x' }] } }] }),
    [
      'spec.volumes[0].downwardAPI.path: Invalid value: "../x": must not contain \'..\'',
      'spec.volumes[0].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
    ],
  ],
  [
    `${core}/podtemplates`,
    {
      template: pod({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: '' } }] } }] }),
    },
    ['template.spec.volumes[0].projected.path: Required value'],
  ],
  [
    `${core}/pods`,
    pod({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule', matchLabelKeys: ['a'] },
      ],
      hostAliases: [{ ip: 'x' }],
    }),
    [
      'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    `${core}/pods`,
    { spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { Pod: '1' } } }] } },
    ['must be a standard resource for containers', 'must be a standard resource type or fully qualified'].map(
      (why) => `spec.containers[0].resources.requests[Pod]: Invalid value: "Pod": ${why}`,
    ),
  ],
  [
    `${core}/endpoints`,
    { subsets: [{ addresses: [{ ip: 'x' }], ports: [{ port: 1 }] }] },
    ['must be a valid IP address', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'].map(
      (why) => `subsets[0].addresses[0].ip: Invalid value: "x": ${why}`,
    ),
  ],
  [
    `${core}/persistentvolumeclaims`,
    sourced({ dataSourceRef: { kind: 'X', name: 'a' } }),
    ['dataSource', 'dataSourceRef'].map(
      (field) =>
        `spec.${field}: Invalid value: "X": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ),
  ],
  [
    `${core}/persistentvolumeclaims`,
    sourced({
      dataSource: { kind: 'PersistentVolumeClaim', name: 'a' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'b' },
    }),
    ['spec: Invalid value: {}: must match dataSourceRef'],
  ],
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    { spec: { selector: { matchLabels: { a: 'b' } }, template, serviceName: 'a.b' } },
    ['spec.serviceName: Invalid value: "a.b": must not contain dots'],
  ],
  [
    `${core}/limitranges`,
    { spec: { limits: [{ type: 'Container', max: { storage: '1' } }] } },
    ['max', 'default', 'defaultRequest'].map(
      (list) => `spec.limits[0].${list}[storage]: Invalid value: "storage": must be a standard resource for containers`,
    ),
  ],
])('a new object in %s with %j', async (collection, body, words) => {
  const answer = await create(`${collection}?dryRun=All`, { ...body, metadata: { name: 'said', ...body.metadata } });
  expect([answer.status, [...new Set(wordsOf(answer))].sort()]).toEqual([422, [...words].sort()]);
});

it('only one owner controls an object', async () => {
  const owners = [owner({ controller: true }), owner({ uid: 'v', name: 'b', controller: true })];
  const answer = await create(`${core}/configmaps?dryRun=All`, { metadata: { name: 'said', ownerReferences: owners } });
  expect(wordsOf(answer)[0]).toMatch(
    /: Only one reference can have Controller set to true\. Found "true" in references for Pod\/a and Pod\/b$/,
  );
});

it.each<[string, AnyShape, AnyShape, readonly string[]]>([
  [
    `${core}/pods`,
    pod({}),
    { spec: { hostname: 'x' } },
    [
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ],
  ],
  [
    `${core}/pods`,
    pod({}),
    { spec: { initContainers: [{ name: 'd', image: 'i' }] } },
    ['spec.initContainers: Forbidden: pod updates may not add or remove containers'],
  ],
  [
    `${core}/persistentvolumeclaims`,
    claim('ReadWriteOnce'),
    { spec: { volumeMode: 'Block' } },
    [
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      'volumeMode: Invalid value: "Block": field is immutable',
    ],
  ],
  [
    '/apis/batch/v1/namespaces/default/jobs',
    job({ completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 }),
    { spec: { backoffLimitPerIndex: null, managedBy: 'a/b' } },
    [
      'spec.backoffLimitPerIndex: Invalid value: null: field is immutable',
      'spec.managedBy: Invalid value: "a/b": field is immutable',
    ],
  ],
  [
    '/apis/storage.k8s.io/v1/csidrivers',
    {},
    { spec: { attachRequired: false } },
    ['spec.attachedRequired: Invalid value: false: field is immutable'],
  ],
  [
    '/apis/apps/v1/namespaces/default/statefulsets',
    { spec: { selector: { matchLabels: { a: 'b' } }, template, serviceName: 's' } },
    { spec: { serviceName: 't' } },
    [
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
  ],
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    { provisioner: 'a.b/c' },
    { provisioner: 'd', reclaimPolicy: 'Retain', parameters: { a: 'b' } },
    [
      'parameters: Invalid value: {"a":"b"}: field is immutable',
      'provisioner: Invalid value: "d": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
    ],
  ],
  [
    '/api/v1/persistentvolumes',
    { spec: volume },
    { spec: { hostPath: { path: '/y' } } },
    ['spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation'],
  ],
])('%s %j changed by %j', async (collection, body, patch, words) => {
  const name = `said-${Date.now() % 1_000_000}`;
  await create(collection, { ...body, metadata: { name } });
  const answer = await send('PATCH', `${collection}/${name}?dryRun=All`, patch, 'application/merge-patch+json');
  expect([answer.status, [...new Set(wordsOf(answer))].sort()]).toEqual([422, words]);
  await send('DELETE', `${collection}/${name}`, { gracePeriodSeconds: 0 });
});

it('a name other than that of the URL is refused before the object is looked for', async () => {
  const { status, body } = await send('PUT', `${core}/configmaps/absent`, { metadata: { name: 'other' } });
  expect([status, body.message]).toEqual([
    400,
    'the name of the object (other) does not match the name on the URL (absent)',
  ]);
});

it('an unknown value of fieldValidation is refused before a field that is there twice', async () => {
  const { status, text } = await ask(server, `${core}/configmaps?fieldValidation=x&dryRun=All`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"metadata":{"name":"a"},"data":{"a":"b","a":"c"}}',
  });
  expect([status, JSON.parse(text).details?.kind]).toEqual([422, 'CreateOptions']);
});

it('a driver of volumes counts the changes of its spec, and not its creation', async () => {
  const path = '/apis/storage.k8s.io/v1/csidrivers';
  const name = `counted-${Date.now() % 1_000_000}.example.com`;
  const made = await create(path, { metadata: { name } });
  const patch = { spec: { podInfoOnMount: true } };
  const changed = await send('PATCH', `${path}/${name}`, patch, 'application/merge-patch+json');
  expect([made.body.metadata.generation, changed.body.metadata.generation]).toEqual([undefined, 1]);
  await send('DELETE', `${path}/${name}`);
});

it('discovery names the version in which an eviction is asked for, and /version the one that it behaves as', async () => {
  const { resources } = (await send('GET', '/api/v1')).body;
  expect(resources.find(({ name }: AnyShape) => name === 'pods/eviction')).toMatchObject({
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
  });
  expect((await send('GET', '/version')).body).toMatchObject({
    ...{ emulationMajor: '1', emulationMinor: '36', minCompatibilityMajor: '1', minCompatibilityMinor: '35' },
  });
});
