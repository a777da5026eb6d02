// The directives of strategic merge patch, and the strategic patches that are refused.
import { group } from '../run/group.js';
import { applied, type PatchCase, patchRefused, strategicSetup } from './cases.js';
import { fieldCases, malformed, nullCases } from './mergeCases.js';
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
  twoValues,
} from './samples.js';

const two = { start: twoValues };
const services = { start: twoPorts };
const accountSecrets = { start: { secrets: [{ name: 'a' }, { name: 'b' }] } };
const selectorA = 'kube-api-conformance/a';
const selectorB = 'kube-api-conformance/b';
const selectorC = 'kube-api-conformance/c';
const changedPort = { name: 'b', port: 443, targetPort: 9443, protocol: 'TCP' };

const itemDeletes: Readonly<Record<string, PatchCase>> = {
  services: {
    ...services,
    patch: { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
    list: { at: ports, by: 'port', has: [{ port: 443, targetPort: 8443 }], lacks: [80] },
  },
  serviceaccounts: {
    ...accountSecrets,
    patch: { secrets: [{ name: 'a', $patch: 'delete' }] },
    list: { at: ['secrets'], by: 'name', has: [{ name: 'b' }], lacks: ['a'] },
  },
};
const itemOfTemplate: PatchCase = {
  ...inTemplate({ containers: [{ name: 'second', $patch: 'delete' }] }),
  list: { at: [...podSpec, 'containers'], by: 'name', has: [{ name: 'main', image }], lacks: ['second'] },
};

export const directiveGroups = [
  group({
    subjects: 'strategicPatches',
    setup: strategicSetup(fieldCases),
    checks: { 'strategic-patch': applied },
  }),
  group({
    subjects: 'strategicNulls',
    setup: strategicSetup({
      ...nullCases,
      'a list': {
        start: twoSecrets,
        patch: { imagePullSecrets: null },
        list: { at: ['imagePullSecrets'], by: 'name', lacks: ['a', 'b'] },
      },
      'a field of an item': {
        patch: { spec: { ports: [{ port: 80, name: null }] } },
        after: { spec: { ports: [{ port: 80, targetPort: 8080, name: undefined }] } },
      },
    }),
    checks: { 'strategic-null': applied },
  }),
  group({
    subjects: 'strategicReplaces',
    setup: strategicSetup({
      'a map': async (_, { plural }) =>
        plural === 'configmaps'
          ? { ...two, patch: { data: { $patch: 'replace', c: '3' } }, data: { c: '3' } }
          : {
              ...inTemplate({ nodeSelector: { $patch: 'replace', [selectorC]: '3' } }),
              after: { spec: { template: { spec: { nodeSelector: { [selectorC]: '3' } } } } },
              gone: [
                [...podSpec, 'nodeSelector', selectorA],
                [...podSpec, 'nodeSelector', selectorB],
                [...podSpec, 'nodeSelector', '$patch'],
              ],
            },
      'a list': async (_, { plural }) =>
        plural === 'services'
          ? { ...services, patch: { spec: { ports: [{ $patch: 'replace' }, { port: 81 }] } }, after: onlyPort(81) }
          : {
              ...inTemplate({ containers: [{ $patch: 'replace' }, { name: 'only', image }] }),
              after: { spec: { template: { spec: { containers: [{ name: 'only', image }] } } } },
            },
      'a list, at its end': {
        ...services,
        patch: { spec: { ports: [{ port: 81 }, { $patch: 'replace' }] } },
        after: onlyPort(81),
      },
      'a map of labels': {
        ...services,
        patch: { spec: { selector: { $patch: 'replace', tier: 'x' } } },
        after: { spec: { selector: { tier: 'x', app: undefined, $patch: undefined } } },
      },
    }),
    checks: { 'strategic-replace': applied },
  }),
  group({
    subjects: 'strategicDeletes',
    setup: strategicSetup({
      'a map': async (_, { plural }) =>
        plural === 'configmaps'
          ? { ...two, patch: { data: { $patch: 'delete' } }, data: {} }
          : {
              ...inTemplate({ nodeSelector: { $patch: 'delete' } }),
              gone: [selectorA, selectorB, '$patch'].map((name) => [...podSpec, 'nodeSelector', name]),
            },
      'an item': async (_, { plural }) => itemDeletes[plural] ?? itemOfTemplate,
      'an item that is not there': {
        ...services,
        patch: { spec: { ports: [{ port: 9, $patch: 'delete' }] } },
        list: { at: ports, by: 'port', has: [{ port: 80 }, { port: 443 }], lacks: [9] },
      },
      'an item of an item': {
        ...inMain({
          env: [
            { name: 'A', $patch: 'delete' },
            { name: 'B', value: '9' },
          ],
        }),
        list: { at: [...main, 'env'], by: 'name', has: [{ name: 'B', value: '9' }], lacks: ['A'] },
      },
    }),
    checks: { 'strategic-delete': applied },
  }),
  group({
    subjects: 'strategicMerges',
    setup: strategicSetup({
      'a map': { ...two, patch: { data: { $patch: 'merge', c: '3' } }, data: { a: '1', b: '2', c: '3' } },
      'an item': {
        ...services,
        patch: { spec: { ports: [{ port: 443, $patch: 'merge', targetPort: 9443 }] } },
        list: { at: ports, by: 'port', has: [{ port: 80, targetPort: 8080 }, changedPort] },
      },
    }),
    checks: { 'strategic-merge': applied },
  }),
  group({
    subjects: 'strategicPrimitiveDeletes',
    setup: strategicSetup({
      finalizers: {
        start: twoFinalizers,
        patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/a'] } },
        list: { at: finalizers, has: ['kube-api-conformance/b'], lacks: ['kube-api-conformance/a'] },
      },
      'a value that is not there': {
        start: twoFinalizers,
        patch: { metadata: { '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/c'] } },
        list: { at: finalizers, has: ['kube-api-conformance/a', 'kube-api-conformance/b'] },
      },
      'with another one added': {
        start: twoFinalizers,
        patch: {
          metadata: {
            '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/a'],
            finalizers: ['kube-api-conformance/c'],
          },
        },
        list: {
          at: finalizers,
          has: ['kube-api-conformance/b', 'kube-api-conformance/c'],
          lacks: ['kube-api-conformance/a'],
        },
      },
    }),
    checks: { 'strategic-delete-primitives': applied },
  }),
  group({
    subjects: 'strategicOrders',
    setup: strategicSetup({
      'two items': {
        ...services,
        patch: { spec: { '$setElementOrder/ports': [{ port: 443 }, { port: 80 }] } },
        list: { at: ports, by: 'port', has: [{ port: 80, targetPort: 8080 }], order: [443, 80] },
      },
      'a new item between': {
        ...services,
        patch: {
          spec: {
            '$setElementOrder/ports': [{ port: 80 }, { port: 8080 }, { port: 443 }],
            ports: [{ name: 'c', port: 8080 }],
          },
        },
        list: { at: ports, by: 'port', has: [{ port: 8080, name: 'c' }], order: [80, 8080, 443] },
      },
      'an item that is changed': {
        ...services,
        patch: {
          spec: {
            '$setElementOrder/ports': [{ port: 443 }, { port: 80 }],
            ports: [{ port: 443, targetPort: 9443 }],
          },
        },
        list: { at: ports, by: 'port', has: [changedPort], order: [443, 80] },
      },
      finalizers: {
        start: twoFinalizers,
        patch: { metadata: { '$setElementOrder/finalizers': ['kube-api-conformance/b', 'kube-api-conformance/a'] } },
        list: { at: finalizers, order: ['kube-api-conformance/b', 'kube-api-conformance/a'] },
      },
      containers: {
        ...inTemplate({
          '$setElementOrder/containers': [{ name: 'second' }, { name: 'main' }],
          containers: [{ name: 'second', image: 'registry.example/conformance:2' }],
        }),
        list: {
          at: [...podSpec, 'containers'],
          by: 'name',
          has: [{ name: 'second', image: 'registry.example/conformance:2', command: ['true'] }],
          order: ['second', 'main'],
        },
      },
    }),
    checks: { 'strategic-order': applied },
  }),
  group({
    subjects: 'strategicRetainedKeys',
    setup: strategicSetup({
      'a map': { ...two, patch: { data: { $retainKeys: ['a', 'c'], c: '3' } }, data: { a: '1', c: '3' } },
      'the strategy': {
        start: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } } },
        patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
        after: { spec: { strategy: { type: 'Recreate', rollingUpdate: undefined } } },
      },
      'the source of a volume': {
        ...inTemplate({ volumes: [{ name: 'a', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/srv' } }] }),
        list: {
          at: [...podSpec, 'volumes'],
          by: 'name',
          has: [
            { name: 'a', hostPath: { path: '/srv' }, emptyDir: undefined },
            { name: 'b', emptyDir: {} },
          ],
        },
      },
    }),
    checks: { 'strategic-retain-keys': applied },
  }),
  group({
    subjects: 'strategicWithoutKeys',
    setup: strategicSetup({
      ports: { ...services, patch: { spec: { ports: [{ targetPort: 9443 }] } } },
      secrets: { ...accountSecrets, patch: { secrets: [{ kind: 'Secret' }] } },
      env: inMain({ env: [{ value: '9' }] }),
    }),
    checks: { 'strategic-without-key': patchRefused },
  }),
  group({
    subjects: 'strategicUnknownDirectives',
    setup: strategicSetup({
      'of a map': { ...two, patch: { data: { $patch: 'exchange', a: '9' } } },
      'of an item': { ...services, patch: { spec: { ports: [{ port: 443, $patch: 'exchange', targetPort: 9443 }] } } },
      'that is no string': { ...two, patch: { data: { $patch: 5, a: '9' } } },
    }),
    checks: { 'strategic-unknown-directive': patchRefused },
  }),
  group({
    subjects: 'strategicMalformed',
    setup: strategicSetup({
      ...malformed,
      '$setElementOrder that is no list': { ...services, patch: { spec: { '$setElementOrder/ports': 'port' } } },
      '$setElementOrder without an item that is set': {
        ...services,
        patch: { spec: { '$setElementOrder/ports': [{ port: 80 }], ports: [{ port: 443, targetPort: 9443 }] } },
      },
      '$retainKeys that is no list': { ...two, patch: { data: { $retainKeys: 'a', a: '9' } } },
      '$retainKeys without a key that is set': { ...two, patch: { data: { $retainKeys: ['b'], a: '9' } } },
      'an item that is no object': { ...services, patch: { spec: { ports: [443] } } },
    }),
    checks: { 'strategic-malformed': patchRefused },
  }),
];

function onlyPort(port: number) {
  return { spec: { ports: [{ port, name: undefined }] } };
}
