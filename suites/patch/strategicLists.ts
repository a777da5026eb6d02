// Strategic merge patch on lists: lists with a merge key, lists of plain values, and lists that are replaced.

import type { Resource } from '../../matrix/api/index.js';
import { at, type JsonObject } from '../client/json.js';
import { configMaps } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import { group } from '../run/group.js';
import { applied, type PatchCase, strategicSetup } from './cases.js';
import { inList, merged, withContainer } from './keyedLists.js';
import {
  finalizers,
  image,
  inFinalizers,
  inMain,
  inTemplate,
  main,
  podSpec,
  twoFinalizers,
  twoPorts,
  twoSecrets,
} from './samples.js';
import { makeWith } from './target.js';

/** Pods, of which only the images can change. */
const twoContainers = {
  spec: {
    containers: [
      { name: 'main', image, command: ['sleep', '3600'] },
      { name: 'second', image, command: ['true'] },
    ],
  },
};

const newImage = 'registry.example/conformance:2';
const withNewImage = { name: 'second', image: newImage };
const imageOfPod: PatchCase = {
  start: twoContainers,
  patch: { spec: { containers: [withNewImage] } },
  change: inList(['spec', 'containers'], merged('name', withNewImage)),
};
const third = { name: 'third', image };
const containersOfTemplate: PatchCase = {
  ...inTemplate({ containers: [withNewImage, third] }),
  change: inList([...podSpec, 'containers'], merged('name', withNewImage), withContainer(third)),
  anyOrder: [...podSpec, 'containers'],
};

/** A template with a list that came later, of two items: the patch changes or replaces the second one. */
const later = (list: string, items: readonly JsonObject[], patch: readonly JsonObject[]) => ({
  start: { spec: { template: { spec: { [list]: items } } } },
  patch: { spec: { template: { spec: { [list]: patch } } } },
  younger: [...podSpec, list],
});
const initContainers = [
  { name: 'first', image },
  { name: 'second', image },
];
const hostAliases = [
  { ip: '192.0.2.51', hostnames: ['a.example.com'] },
  { ip: '192.0.2.52', hostnames: ['b.example.com'] },
];
const aliased = { ip: '192.0.2.52', hostnames: ['c.example.com'] };
const tolerations = [
  { key: 'a', operator: 'Exists' },
  { key: 'b', operator: 'Exists' },
];

const conditionA = { type: 'kube-api-conformance/A', status: 'True', reason: 'First' };
const conditionB = { type: 'kube-api-conformance/B', status: 'False', reason: 'Second' };
const conditionC = { type: 'kube-api-conformance/C', status: 'True', reason: 'Third' };
const changedCondition = { type: conditionB.type, status: 'True' };

const addresses = [
  { type: 'InternalIP', address: '192.0.2.32' },
  { type: 'ExternalDNS', address: 'b.example.com' },
];

/** Returns a case with two existing owners of a kind that may own the object, and a third one. */
async function owned(sandbox: Sandbox, resource: Resource): Promise<PatchCase> {
  const owner = resource.kind === 'Event' ? configMaps : resource;
  const references: JsonObject[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { name, object } = await makeWith(sandbox, owner, {});
    const { apiVersion, kind } = object;
    references.push({ apiVersion, kind, name, uid: String(at(object, 'metadata', 'uid')) });
  }
  const [one = {}, two = {}, three = {}] = references;
  return {
    start: { metadata: { ownerReferences: [one, two] } },
    patch: { metadata: { ownerReferences: [{ uid: two.uid, controller: true }, three] } },
    change: { metadata: { ownerReferences: [one, { ...two, controller: true }, three] } },
    anyOrder: ['metadata', 'ownerReferences'],
  };
}

/** Returns a patch of a list by its merge key, which changes items and adds new ones. */
const itemsIn = (path: readonly ['spec' | 'status', string], by: string, ...items: readonly JsonObject[]) => ({
  patch: { [path[0]]: { [path[1]]: items } },
  change: inList(path, merged(by, ...items)),
  anyOrder: path,
});
const itemsInMain = (list: string, by: string, ...items: readonly JsonObject[]): PatchCase => ({
  ...inMain({ [list]: items }),
  change: inList([...main, list], merged(by, ...items)),
  anyOrder: [...main, list],
});
const itemsInTemplate = (list: string, by: string, ...items: readonly JsonObject[]): PatchCase => ({
  ...inTemplate({ [list]: items }),
  change: inList([...podSpec, list], merged(by, ...items)),
  anyOrder: [...podSpec, list],
});

export const listGroups = [
  group({
    subjects: 'strategicKeys',
    setup: strategicSetup({
      'ownerReferences by uid': owned,
      'ports by port': {
        start: twoPorts,
        ...itemsIn(
          ['spec', 'ports'],
          'port',
          { port: 443, targetPort: 9443 },
          { name: 'c', port: 81, targetPort: 81, protocol: 'TCP' },
        ),
      },
      'secrets by name': {
        start: { secrets: [{ name: 'a' }, { name: 'b' }] },
        patch: { secrets: [{ name: 'b' }, { name: 'c' }] },
        change: inList(['secrets'], merged('name', { name: 'c' })),
        anyOrder: ['secrets'],
      },
      'containers by name': async (_, { plural }) => (plural === 'pods' ? imageOfPod : containersOfTemplate),
      'conditions by type': {
        status: { conditions: [conditionA, conditionB] },
        ...itemsIn(['status', 'conditions'], 'type', changedCondition, conditionC),
      },
      'addresses by type': {
        status: {
          addresses: [
            { type: 'Hostname', address: 'a.example.com' },
            { type: 'InternalIP', address: '192.0.2.31' },
          ],
        },
        ...itemsIn(['status', 'addresses'], 'type', ...addresses),
      },
      'ports by containerPort': itemsInMain(
        'ports',
        'containerPort',
        { containerPort: 443, name: 'tls' },
        { containerPort: 8080, protocol: 'TCP' },
      ),
      'env by name': itemsInMain('env', 'name', { name: 'B', value: '9' }, { name: 'C', value: '3' }),
      'volumeMounts by mountPath': itemsInMain(
        'volumeMounts',
        'mountPath',
        { mountPath: '/b', readOnly: true },
        { mountPath: '/c', name: 'a' },
      ),
      'volumes by name': itemsInTemplate(
        'volumes',
        'name',
        { name: 'b', emptyDir: { medium: 'Memory' } },
        { name: 'c', emptyDir: {} },
      ),
      'initContainers by name': {
        ...later('initContainers', initContainers, [withNewImage]),
        change: inList([...podSpec, 'initContainers'], merged('name', withNewImage)),
      },
      'hostAliases by ip': {
        ...later('hostAliases', hostAliases, [aliased]),
        change: inList([...podSpec, 'hostAliases'], merged('ip', aliased)),
      },
      'imagePullSecrets by name': itemsInTemplate('imagePullSecrets', 'name', { name: 'b' }, { name: 'c' }),
    }),
    checks: { 'strategic-merge-key': applied },
  }),
  group({
    subjects: 'strategicWholeLists',
    setup: strategicSetup({
      imagePullSecrets: {
        start: twoSecrets,
        patch: { imagePullSecrets: [{ name: 'c' }] },
        change: { imagePullSecrets: [{ name: 'c' }] },
      },
      subsets: {
        patch: { subsets: [{ addresses: [{ ip: '192.0.2.41' }], ports: [{ port: 81, protocol: 'TCP' }] }] },
        change: { subsets: [{ addresses: [{ ip: '192.0.2.41' }], ports: [{ port: 81, protocol: 'TCP' }] }] },
      },
      rules: {
        patch: { spec: { rules: [otherRule()] } },
        // The type of a path came later, and a default sets it.
        change: (before) => {
          const pathType = at(before, 'spec', 'rules', 0, 'http', 'paths', 0, 'pathType');
          return inList(['spec', 'rules'], () => [otherRule(pathType === undefined ? {} : { pathType })])(before);
        },
      },
      tolerations: {
        ...later('tolerations', tolerations, tolerations.slice(1)),
        change: { spec: { template: { spec: { tolerations: tolerations.slice(1) } } } },
      },
      command: {
        ...inMain({ command: ['true'], args: [] }),
        change: inList([...podSpec, 'containers'], merged('name', { name: 'main', command: ['true'], args: [] })),
      },
    }),
    checks: { 'strategic-whole-list': applied },
  }),
  group({
    subjects: 'strategicPrimitiveLists',
    setup: strategicSetup({
      finalizers: {
        start: twoFinalizers,
        patch: { metadata: { finalizers: ['kube-api-conformance/c', 'kube-api-conformance/b'] } },
        change: inFinalizers(['c']),
        anyOrder: finalizers,
      },
    }),
    checks: { 'strategic-primitive-list': applied },
  }),
];

function otherRule(more: JsonObject = {}): JsonObject {
  const backend = { serviceName: 'other', servicePort: 81 };
  return { host: 'other.example.com', http: { paths: [{ path: '/', backend, ...more }] } };
}
