// What updates of the kinds of administration may not change, and what the kinds that kube-apiserver 1.20 lacks refuse.
// The answers for the others are those of kube-apiserver 1.20.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { causesOf, type Sent, sendingTo } from '../../../testing/sending.js';
import { startFullServer } from '../../index.js';
import { changed } from '../../testing/changed.js';
import { kindSamples } from '../../testing/kindSamples.js';

let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const mergePatch = 'application/merge-patch+json';
const storage = '/apis/storage.k8s.io/v1';
const devices = '/apis/resource.k8s.io/v1';
const claims = `${devices}/namespaces/default/resourceclaims`;
const capacities = `${storage}/namespaces/default/csistoragecapacities`;
const addresses = '/apis/networking.k8s.io/v1';
const levels = '/apis/flowcontrol.apiserver.k8s.io/v1';

const asked = (more: AnyShape = {}): AnyShape => ({ name: 'one', exactly: { deviceClassName: 'gpu', ...more } });
const claim = (...requests: readonly AnyShape[]): AnyShape => ({ spec: { devices: { requests } } });
const slice = {
  spec: { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n' },
};
const kubernetes = { parentRef: { resource: 'services', namespace: 'default', name: 'kubernetes' } };

/** A valid object of each kind that kube-apiserver 1.20 lacks. */
const later: Readonly<Record<string, AnyShape>> = {
  [claims]: claim(asked()),
  [claims.replace(/s$/, 'templates')]: { spec: claim(asked()) },
  [`${devices}/deviceclasses`]: { spec: { selectors: [{ cel: { expression: 'true' } }] } },
  [`${devices}/resourceslices`]: slice,
  [capacities]: { storageClassName: 'fast', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } },
  [`${storage}/volumeattributesclasses`]: { driverName: 'd.example.com', parameters: { iops: '1' } },
  [`${addresses}/ipaddresses`]: { metadata: { name: '10.1.2.3' }, spec: kubernetes },
  [`${addresses}/servicecidrs`]: { spec: { cidrs: ['10.2.0.0/16'] } },
};

const samples = {
  ...later,
  ...Object.fromEntries(Object.entries(kindSamples).map(([path, { full }]) => [path, full])),
};

async function created(path: string, name: string): Promise<string> {
  const sample = samples[path] ?? {};
  const { status, body } = await send('POST', path, { ...sample, metadata: { name, ...sample.metadata } });
  expect([status, body.message]).toEqual([201, undefined]);
  return `${path}/${body.metadata.name}`;
}

const fieldsOf = (answer: Sent): string[] => causesOf(answer).sort();

describe('an update', () => {
  it.each<[path: string, patch: AnyShape, fields: readonly string[]]>([
    [`${storage}/storageclasses`, { provisioner: 'b' }, ['provisioner']],
    [`${storage}/storageclasses`, { parameters: { a: 'c' } }, ['parameters']],
    [`${storage}/storageclasses`, { parameters: { n: 'c' } }, ['parameters']],
    [`${storage}/storageclasses`, { reclaimPolicy: 'Delete' }, ['reclaimPolicy']],
    [`${storage}/storageclasses`, { volumeBindingMode: 'Immediate' }, ['volumeBindingMode']],
    [`${storage}/storageclasses`, { allowVolumeExpansion: false, mountOptions: ['y'], allowedTopologies: null }, []],
    [`${storage}/csidrivers`, { spec: { attachRequired: true } }, ['spec.attachedRequired']],
    [`${storage}/csidrivers`, { spec: { volumeLifecycleModes: ['Persistent'] } }, ['spec.volumeLifecycleModes']],
    [`${storage}/csidrivers`, { spec: { podInfoOnMount: false, fsGroupPolicy: 'None' } }, []],
    [`${storage}/csinodes`, { spec: { drivers: [{ name: 'a.example.com', nodeID: 'm' }] } }, ['CSINodeDriver']],
    [`${storage}/csinodes`, { spec: { drivers: [{ name: 'b.example.com', nodeID: 'm' }] } }, []],
    [`${storage}/volumeattachments`, { spec: { nodeName: 'm' } }, ['spec']],
    [capacities, { capacity: '2Gi' }, []],
    [capacities, { storageClassName: 'slow' }, ['storageClassName']],
    [capacities, { nodeTopology: { matchLabels: { a: 'c' } } }, ['nodeTopology']],
    [
      `${storage}/volumeattributesclasses`,
      { driverName: 'e', parameters: { iops: '2' } },
      ['driverName', 'parameters'],
    ],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', { value: 6 }, ['value']],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', { preemptionPolicy: 'PreemptLowerPriority' }, ['preemptionPolicy']],
    ['/apis/scheduling.k8s.io/v1/priorityclasses', { description: 'y' }, []],
    ['/apis/node.k8s.io/v1/runtimeclasses', { handler: 'b' }, ['handler']],
    ['/apis/node.k8s.io/v1/runtimeclasses', { overhead: null }, []],
    ['/apis/apiregistration.k8s.io/v1/apiservices', { spec: { group: 'y' } }, ['metadata.name']],
    ['/apis/apiregistration.k8s.io/v1/apiservices', { spec: { groupPriorityMinimum: 7 } }, []],
    [`${levels}/flowschemas`, { spec: { matchingPrecedence: 60 } }, []],
    [`${addresses}/ipaddresses`, { spec: { parentRef: { name: 'other' } } }, ['spec.parentRef']],
    [`${addresses}/servicecidrs`, { spec: { cidrs: ['10.3.0.0/16'] } }, ['spec.cidrs[0]']],
    [`${addresses}/servicecidrs`, { spec: { cidrs: ['10.2.0.0/16', '10.3.0.0/16'] } }, ['spec.cidrs']],
    [`${addresses}/servicecidrs`, { spec: { cidrs: ['10.2.0.0/16', 'fd00:2::/112'] } }, []],
    [`${addresses}/servicecidrs`, { spec: { cidrs: ['10.2.0.0/16', 'fd00:2::/112', 'x'] } }, ['spec.cidrs']],
    [`${addresses}/ingressclasses`, { spec: { controller: 'example.com/d' } }, ['spec.controller']],
    [claims, claim(asked({ count: 2 })), ['spec']],
    [claims.replace(/s$/, 'templates'), { spec: claim(asked({ count: 2 })) }, ['spec']],
    [
      `${devices}/resourceslices`,
      { spec: { driver: 'e.example.com', pool: { name: 'q' } } },
      ['spec.driver', 'spec.pool.name'],
    ],
    [`${devices}/deviceclasses`, { spec: { selectors: [] } }, []],
  ])('of %s with %j names %j', async (path, patch, fields) => {
    const place = await created(path, 'updated');
    const answer = await send('PATCH', place, patch, mergePatch);
    await send('DELETE', place);
    expect([answer.status, fieldsOf(answer)]).toEqual([fields.length === 0 ? 200 : 422, fields]);
  });

  it.each<[path: string, status: AnyShape, fields: readonly string[]]>([
    [`${storage}/volumeattachments`, { attached: true, detachError: { message: 'x' } }, []],
    [`${storage}/volumeattachments`, { attachError: { message: 'x'.repeat(2000) } }, ['status.attachError.message']],
    [
      '/apis/apiregistration.k8s.io/v1/apiservices',
      { conditions: [{ type: 'X', status: 'Maybe' }] },
      ['status.conditions[0].status'],
    ],
    [
      `${levels}/flowschemas`,
      {
        conditions: [
          { type: 'D', status: 'True' },
          { type: 'D', status: 'True' },
          { type: '', status: '' },
        ],
      },
      ['status.conditions[1].type', 'status.conditions[2].type'],
    ],
    [claims, { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] }, ['status.reservedFor']],
    [
      claims,
      {
        allocation: { devices: { results: [{ request: 'one', driver: 'd.example.com', pool: 'p', device: 'a' }] } },
        reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }],
      },
      [],
    ],
  ])('of the status of %s to %j names %j', async (path, next, fields) => {
    const place = await created(path, 'updated');
    const answer = await send('PATCH', `${place}/status`, { status: next }, mergePatch);
    await send('DELETE', place);
    expect([answer.status, fieldsOf(answer)]).toEqual([fields.length === 0 ? 200 : 422, fields]);
    if (fields.length === 0) expect(answer.body.status).toMatchObject(next);
  });

  it('counts the changes of specs', async () => {
    const place = await created(`${levels}/flowschemas`, 'counted');
    await send('PATCH', place, { spec: { matchingPrecedence: 70 } }, mergePatch);
    await send('PATCH', place, { metadata: { labels: { a: 'b' } } }, mergePatch);
    expect((await read(place)).metadata.generation).toBe(2);
  });
});

describe('a new object', () => {
  it.each<[path: string, change: AnyShape, fields: readonly string[]]>([
    [`${addresses}/ipaddresses`, { 'metadata.name': 'a' }, ['metadata.name']],
    [`${addresses}/ipaddresses`, { 'metadata.name': '2001:DB8::1' }, ['metadata.name']],
    [`${addresses}/ipaddresses`, { spec: {} }, ['spec.parentRef']],
    [`${addresses}/ipaddresses`, { 'spec.parentRef': {} }, ['spec.parentRef.name', 'spec.parentRef.resource']],
    [`${addresses}/servicecidrs`, { spec: {} }, ['spec.cidrs']],
    [`${addresses}/servicecidrs`, { 'spec.cidrs': ['10.0.0.0/99'] }, ['spec.cidrs[0]']],
    [`${addresses}/servicecidrs`, { 'spec.cidrs': ['10.0.0.1/24'] }, ['spec.cidrs[0]']],
    [`${addresses}/servicecidrs`, { 'spec.cidrs': ['2001:0db8::/64'] }, ['spec.cidrs[0]']],
    [`${addresses}/servicecidrs`, { 'spec.cidrs': ['2001:db8::1/64'] }, ['spec.cidrs[0]']],
    [`${addresses}/servicecidrs`, { 'spec.cidrs': ['10.0.0.0/24', '10.1.0.0/24'] }, ['spec.cidrs']],
    [capacities, { storageClassName: '' }, ['storageClassName']],
    [capacities, { capacity: '-1', maximumVolumeSize: '-1' }, ['capacity']],
    [`${storage}/volumeattributesclasses`, { driverName: '', parameters: {} }, ['driverName', 'parameters']],
    [claims, claim({ name: 'one' }), ['spec.devices.requests[0]']],
    [claims, claim(asked({ deviceClassName: '' })), ['spec.devices.requests[0].exactly.deviceClassName']],
    [claims, claim(asked({ count: -1 })), ['spec.devices.requests[0].exactly.count']],
    [claims, claim(asked({ allocationMode: 'All', count: 2 })), ['spec.devices.requests[0].exactly.count']],
    [claims, claim(asked({ allocationMode: 'Odd' })), ['spec.devices.requests[0].exactly.allocationMode']],
    [claims, claim(asked(), asked()), ['spec.devices.requests[1].name']],
    [claims, claim({ ...asked(), name: 'A_' }), ['spec.devices.requests[0].name']],
    [
      claims,
      { 'spec.devices.constraints': [{ requests: ['two'], matchAttribute: 'a.example.com/b' }] },
      ['spec.devices.constraints[0].requests[0]'],
    ],
    [claims, { 'spec.devices.constraints': [{ requests: ['one'] }] }, ['spec.devices.constraints[0]']],
    [claims, { 'spec.devices.constraints': [{ matchAttribute: 'b' }] }, ['spec.devices.constraints[0].matchAttribute']],
    [claims, { 'spec.devices.config': [{}] }, ['spec.devices.config[0].opaque']],
    [
      claims,
      { 'spec.devices.requests': Array.from({ length: 33 }, (_, index) => ({ ...asked(), name: `r${index}` })) },
      ['spec.devices.requests'],
    ],
    [`${devices}/deviceclasses`, { 'spec.selectors': [{}] }, ['spec.selectors[0].cel']],
    [
      `${devices}/deviceclasses`,
      { 'spec.selectors': [{ cel: { expression: 'x'.repeat(10_241) } }] },
      ['spec.selectors[0].cel.expression'],
    ],
    [`${devices}/resourceslices`, { 'spec.nodeName': undefined }, ['spec']],
    [`${devices}/resourceslices`, { 'spec.allNodes': true }, ['spec']],
    [`${devices}/resourceslices`, { 'spec.allNodes': false }, ['spec.allNodes']],
    [`${devices}/resourceslices`, { 'spec.driver': '', 'spec.pool.name': '' }, ['spec.driver', 'spec.pool.name']],
    [`${devices}/resourceslices`, { 'spec.pool.resourceSliceCount': 0 }, ['spec.pool.resourceSliceCount']],
    [`${devices}/resourceslices`, { 'spec.devices': [{ name: 'a' }, { name: 'a' }] }, ['spec.devices[1].name']],
    [
      `${devices}/resourceslices`,
      { 'spec.devices': [{ name: 'a', attributes: { 'b c': { int: 1 }, d: {}, e: { int: 1, bool: true } } }] },
      ['spec.devices[0].attributes[b c]', 'spec.devices[0].attributes[d]', 'spec.devices[0].attributes[e]'],
    ],
    [
      `${devices}/resourceslices`,
      { 'spec.devices': Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) },
      ['spec.devices'],
    ],
  ])('of %s with %j is refused for %j', async (path, change, fields) => {
    const body = changed({ ...samples[path], metadata: { name: 'refused', ...samples[path]?.metadata } }, change);
    const answer = await send('POST', path, body);
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields]);
  });

  it.each(Object.keys(later))('of %s is filled in, listed in a table, and read as it was written', async (path) => {
    const place = await created(path, 'read');
    const object = await read(place);
    expect(object).toMatchObject(samples[path] ?? {});
    expect(await send('PUT', place, object)).toMatchObject({ status: 200, body: { metadata: object.metadata } });
    if (path === claims)
      expect(object.spec.devices.requests[0].exactly).toMatchObject({ allocationMode: 'ExactCount', count: 1 });
    await send('DELETE', place);
  });
});

it.each([
  [`${storage}/storageclasses`, 'StorageClass'],
  [`${storage}/csidrivers`, 'CSIDriver'],
  [`${storage}/csinodes`, 'CSINode'],
  [`${storage}/volumeattachments`, 'VolumeAttachment'],
  [capacities, 'CSIStorageCapacity'],
  [`${storage}/volumeattributesclasses`, 'VolumeAttributesClass'],
  [`${devices}/deviceclasses`, 'Status'],
])('a delete from %s is answered with a %s', async (path, kind) => {
  const at = await created(path, 'deleted');
  expect((await send('DELETE', `${at}?dryRun=All`)).body.kind).toBe(kind);
  expect((await send('DELETE', at)).body.kind).toBe(kind);
});

it.each([
  `${storage}/volumeattachments`,
  `${levels}/flowschemas`,
  `${levels}/prioritylevelconfigurations`,
  '/apis/apiregistration.k8s.io/v1/apiservices',
])('a write of the status of %s changes no metadata', async (path) => {
  const at = await created(path, 'with-status');
  const metadata = { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['example.com/x'] };
  const { status, body } = await send('PATCH', `${at}/status`, { metadata }, mergePatch);
  expect(status).toBe(200);
  for (const field of Object.keys(metadata)) expect(body.metadata).not.toHaveProperty(field);
});

describe('--kube-version', () => {
  it.each([
    ['1.36', 'resource.k8s.io/v1', 200],
    ['1.33', 'resource.k8s.io/v1', 404],
    ['1.33', 'networking.k8s.io/v1/servicecidrs', 200],
    ['1.32', 'networking.k8s.io/v1/servicecidrs', 404],
    ['1.20', 'node.k8s.io/v1/runtimeclasses', 200],
    ['1.20', 'storage.k8s.io/v1/csistoragecapacities', 404],
  ])('%s answers for %s with %i', async (kubeVersion, path, status) => {
    await using other = await startFullServer({ kubeVersion });
    const { send } = sendingTo(() => other);
    expect((await send('GET', `/apis/${path}`)).status).toBe(status);
  });
});
