// Strategic merge patch on lists: lists with a merge key, lists of plain values, and lists that are replaced.

import type { Resource } from '../../matrix/api/index.js';
import { at, type JsonObject } from '../client/json.js';
import { configMaps } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import { group } from '../run/group.js';
import { applied, type PatchCase, strategicSetup } from './cases.js';
import {
  finalizers,
  image,
  inMain,
  inTemplate,
  main,
  podSpec,
  ports,
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
const imageOfPod: PatchCase = {
  start: twoContainers,
  patch: { spec: { containers: [{ name: 'second', image: newImage }] } },
  list: {
    at: ['spec', 'containers'],
    by: 'name',
    has: [
      { name: 'main', image },
      { name: 'second', image: newImage, command: ['true'] },
    ],
  },
};
const containersOfTemplate: PatchCase = {
  ...inTemplate({
    containers: [
      { name: 'second', image: newImage },
      { name: 'third', image },
    ],
  }),
  list: {
    at: [...podSpec, 'containers'],
    by: 'name',
    has: [
      { name: 'main', image, command: ['sleep', '3600'] },
      { name: 'second', image: newImage, command: ['true'] },
      { name: 'third', image },
    ],
  },
};

const conditionA = { type: 'kube-api-conformance/A', status: 'True', reason: 'First' };
const conditionB = { type: 'kube-api-conformance/B', status: 'False', reason: 'Second' };
const conditionC = { type: 'kube-api-conformance/C', status: 'True', reason: 'Third' };

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
    list: { at: ['metadata', 'ownerReferences'], by: 'uid', has: [one, { ...two, controller: true }, three] },
  };
}

export const listGroups = [
  group({
    subjects: 'strategicKeys',
    setup: strategicSetup({
      'ownerReferences by uid': owned,
      'ports by port': {
        start: twoPorts,
        patch: {
          spec: {
            ports: [
              { port: 443, targetPort: 9443 },
              { name: 'c', port: 8080 },
            ],
          },
        },
        list: {
          at: ports,
          by: 'port',
          has: [
            { port: 80, name: 'a', targetPort: 8080 },
            { port: 443, name: 'b', targetPort: 9443 },
            { port: 8080, name: 'c' },
          ],
        },
      },
      'secrets by name': {
        start: { secrets: [{ name: 'a' }, { name: 'b' }] },
        patch: { secrets: [{ name: 'b' }, { name: 'c' }] },
        list: { at: ['secrets'], by: 'name', has: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      },
      'containers by name': async (_, { plural }) => (plural === 'pods' ? imageOfPod : containersOfTemplate),
      'conditions by type': {
        status: { conditions: [conditionA, conditionB] },
        patch: { status: { conditions: [{ type: conditionB.type, status: 'True' }, conditionC] } },
        list: {
          at: ['status', 'conditions'],
          by: 'type',
          has: [conditionA, { ...conditionB, status: 'True' }, conditionC],
        },
      },
      'addresses by type': {
        status: {
          addresses: [
            { type: 'Hostname', address: 'a.example.com' },
            { type: 'InternalIP', address: '192.0.2.31' },
          ],
        },
        patch: {
          status: {
            addresses: [
              { type: 'InternalIP', address: '192.0.2.32' },
              { type: 'ExternalDNS', address: 'b.example.com' },
            ],
          },
        },
        list: {
          at: ['status', 'addresses'],
          by: 'type',
          has: [
            { type: 'Hostname', address: 'a.example.com' },
            { type: 'InternalIP', address: '192.0.2.32' },
            { type: 'ExternalDNS', address: 'b.example.com' },
          ],
        },
      },
      'ports by containerPort': {
        ...inMain({ ports: [{ containerPort: 443, name: 'tls' }, { containerPort: 8080 }] }),
        list: {
          at: [...main, 'ports'],
          by: 'containerPort',
          has: [
            { containerPort: 80, name: 'a' },
            { containerPort: 443, name: 'tls', protocol: 'TCP' },
            { containerPort: 8080 },
          ],
        },
      },
      'env by name': {
        ...inMain({
          env: [
            { name: 'B', value: '9' },
            { name: 'C', value: '3' },
          ],
        }),
        list: {
          at: [...main, 'env'],
          by: 'name',
          has: [
            { name: 'A', value: '1' },
            { name: 'B', value: '9' },
            { name: 'C', value: '3' },
          ],
        },
      },
      'volumeMounts by mountPath': {
        ...inMain({
          volumeMounts: [
            { mountPath: '/b', readOnly: true },
            { mountPath: '/c', name: 'a' },
          ],
        }),
        list: {
          at: [...main, 'volumeMounts'],
          by: 'mountPath',
          has: [
            { mountPath: '/a', name: 'a' },
            { mountPath: '/b', name: 'b', readOnly: true },
            { mountPath: '/c', name: 'a' },
          ],
        },
      },
      'volumes by name': {
        ...inTemplate({
          volumes: [
            { name: 'b', emptyDir: { medium: 'Memory' } },
            { name: 'c', emptyDir: {} },
          ],
        }),
        list: {
          at: [...podSpec, 'volumes'],
          by: 'name',
          has: [
            { name: 'a', emptyDir: {} },
            { name: 'b', emptyDir: { medium: 'Memory' } },
            { name: 'c', emptyDir: {} },
          ],
        },
      },
      'imagePullSecrets by name': {
        ...inTemplate({ imagePullSecrets: [{ name: 'b' }, { name: 'c' }] }),
        list: { at: [...podSpec, 'imagePullSecrets'], by: 'name', has: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
      },
    }),
    checks: { 'strategic-merge-key': applied },
  }),
  group({
    subjects: 'strategicWholeLists',
    setup: strategicSetup({
      imagePullSecrets: {
        start: twoSecrets,
        patch: { imagePullSecrets: [{ name: 'c' }] },
        after: { imagePullSecrets: [{ name: 'c' }] },
      },
      subsets: {
        patch: { subsets: [{ addresses: [{ ip: '192.0.2.41' }], ports: [{ port: 81 }] }] },
        after: { subsets: [{ addresses: [{ ip: '192.0.2.41' }], ports: [{ port: 81 }] }] },
      },
      rules: {
        patch: {
          spec: {
            rules: [
              {
                host: 'other.example.com',
                http: { paths: [{ path: '/', backend: { serviceName: 'other', servicePort: 81 } }] },
              },
            ],
          },
        },
        after: { spec: { rules: [{ host: 'other.example.com' }] } },
      },
      command: {
        ...inMain({ command: ['true'] }),
        after: {
          spec: { template: { spec: { containers: [{ name: 'main', command: ['true'] }, { name: 'second' }] } } },
        },
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
        list: {
          at: finalizers,
          has: ['kube-api-conformance/a', 'kube-api-conformance/b', 'kube-api-conformance/c'],
        },
      },
    }),
    checks: { 'strategic-primitive-list': applied },
  }),
];
