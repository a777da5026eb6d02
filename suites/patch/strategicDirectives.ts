// The directives of strategic merge patch, and the strategic patches that are refused.
import { group } from '../run/group.js';
import { applied, type PatchCase, patchRefused, refusedStrategicSetup, strategicSetup } from './cases.js';
import { inList, merged, onlyContainer, ordered, removed, replacedAt } from './keyedLists.js';
import { fieldCases, malformed, nullCases } from './mergeCases.js';
import {
  finalizers,
  image,
  inFinalizers,
  inMain,
  inTemplate,
  main,
  podSpec,
  ports,
  threeFinalizers,
  twoFinalizers,
  twoPorts,
  twoSecrets,
  twoValues,
} from './samples.js';

const two = { start: twoValues };
const services = { start: twoPorts };
const accountSecrets = { start: { secrets: [{ name: 'a' }, { name: 'b' }] } };
const selectorC = 'kube-api-conformance/c';

const changedPort = { port: 443, targetPort: 9443 };
const thirdPort = { name: 'c', port: 8080, targetPort: 8080, protocol: 'TCP' };
const onlyPort = { port: 81, targetPort: 81, protocol: 'TCP' };
const changedContainer = { name: 'second', image: 'registry.example/conformance:2' };
const nfsVolume = { nfs: { server: 'nfs.example.com', path: '/srv' } };

const itemDeletes: Readonly<Record<string, PatchCase>> = {
  services: {
    ...services,
    patch: { spec: { ports: [{ port: 80, $patch: 'delete' }] } },
    change: inList(ports, removed('port', 80)),
  },
  serviceaccounts: {
    ...accountSecrets,
    patch: { secrets: [{ name: 'a', $patch: 'delete' }] },
    change: inList(['secrets'], removed('name', 'a')),
  },
};
const itemOfTemplate: PatchCase = {
  ...inTemplate({ containers: [{ name: 'second', $patch: 'delete' }] }),
  change: inList([...podSpec, 'containers'], removed('name', 'second')),
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
        change: { imagePullSecrets: undefined },
      },
      'a field of an item': {
        patch: { spec: { ports: [{ port: 80, name: null }] } },
        change: inList(ports, merged('port', { port: 80, name: undefined })),
      },
    }),
    checks: { 'strategic-null': applied },
  }),
  group({
    subjects: 'strategicReplaces',
    setup: strategicSetup({
      'a map': async (_, { plural }) =>
        plural === 'configmaps'
          ? {
              ...two,
              patch: { data: { $patch: 'replace', c: '3' } },
              change: { data: { a: undefined, b: undefined, c: '3' } },
            }
          : {
              ...inTemplate({ nodeSelector: { $patch: 'replace', [selectorC]: '3' } }),
              change: replacedAt([...podSpec, 'nodeSelector'], { [selectorC]: '3' }),
            },
      'a list': async (_, { plural }) =>
        plural === 'services'
          ? {
              ...services,
              patch: { spec: { ports: [{ $patch: 'replace' }, onlyPort] } },
              change: { spec: { ports: [onlyPort] } },
            }
          : {
              ...inTemplate({ containers: [{ $patch: 'replace' }, { name: 'only', image }] }),
              change: inList([...podSpec, 'containers'], onlyContainer({ name: 'only', image })),
            },
      'a list, at its end': {
        ...services,
        patch: { spec: { ports: [onlyPort, { $patch: 'replace' }] } },
        change: { spec: { ports: [onlyPort] } },
      },
      'a map of labels': {
        ...services,
        patch: { spec: { selector: { $patch: 'replace', tier: 'x' } } },
        change: { spec: { selector: { tier: 'x', app: undefined } } },
      },
    }),
    checks: { 'strategic-replace': applied },
  }),
  group({
    subjects: 'strategicDeletes',
    setup: strategicSetup({
      'a map': async (_, { plural }) =>
        plural === 'configmaps'
          ? { ...two, patch: { data: { $patch: 'delete' } }, change: { data: undefined } }
          : {
              ...inTemplate({ nodeSelector: { $patch: 'delete' } }),
              change: { spec: { template: { spec: { nodeSelector: undefined } } } },
            },
      'an item': async (_, { plural }) => itemDeletes[plural] ?? itemOfTemplate,
      'an item that is not there': {
        ...services,
        patch: { spec: { ports: [{ port: 9, $patch: 'delete' }, changedPort] } },
        change: inList(ports, merged('port', changedPort)),
      },
      'an item of an item': {
        ...inMain({
          env: [
            { name: 'A', $patch: 'delete' },
            { name: 'B', value: '9' },
          ],
        }),
        change: inList([...main, 'env'], removed('name', 'A'), merged('name', { name: 'B', value: '9' })),
      },
    }),
    checks: { 'strategic-delete': applied },
  }),
  group({
    subjects: 'strategicMerges',
    setup: strategicSetup({
      'a map': { ...two, patch: { data: { $patch: 'merge', c: '3' } }, change: { data: { c: '3' } } },
      'an item': {
        ...services,
        patch: { spec: { ports: [{ ...changedPort, $patch: 'merge' }] } },
        change: inList(ports, merged('port', changedPort)),
      },
    }),
    checks: { 'strategic-merge': applied },
  }),
  group({
    subjects: 'strategicPrimitiveDeletes',
    setup: strategicSetup({
      finalizers: {
        start: threeFinalizers,
        patch: {
          metadata: { '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/a', 'kube-api-conformance/c'] },
        },
        change: inFinalizers([], ['a', 'c']),
      },
      'a value that is not there': {
        start: twoFinalizers,
        patch: {
          metadata: { '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/c'] },
          data: { colour: 'red' },
        },
        change: { data: { colour: 'red' } },
      },
      'with another one added': {
        start: twoFinalizers,
        patch: {
          metadata: {
            '$deleteFromPrimitiveList/finalizers': ['kube-api-conformance/a'],
            finalizers: ['kube-api-conformance/c'],
          },
        },
        change: inFinalizers(['c'], ['a']),
        anyOrder: finalizers,
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
        change: inList(ports, ordered('port', 443, 80)),
      },
      'a new item between': {
        ...services,
        patch: {
          spec: { '$setElementOrder/ports': [{ port: 80 }, { port: 8080 }, { port: 443 }], ports: [thirdPort] },
        },
        change: inList(ports, merged('port', thirdPort), ordered('port', 80, 8080, 443)),
      },
      'an item that is changed': {
        ...services,
        patch: { spec: { '$setElementOrder/ports': [{ port: 443 }, { port: 80 }], ports: [changedPort] } },
        change: inList(ports, merged('port', changedPort), ordered('port', 443, 80)),
      },
      finalizers: {
        start: twoFinalizers,
        patch: { metadata: { '$setElementOrder/finalizers': ['kube-api-conformance/b', 'kube-api-conformance/a'] } },
        change: inFinalizers(['b', 'a'], ['a', 'b']),
      },
      containers: {
        ...inTemplate({
          '$setElementOrder/containers': [{ name: 'second' }, { name: 'main' }],
          containers: [changedContainer],
        }),
        change: inList([...podSpec, 'containers'], merged('name', changedContainer), ordered('name', 'second', 'main')),
      },
    }),
    checks: { 'strategic-order': applied },
  }),
  group({
    subjects: 'strategicRetainedKeys',
    setup: strategicSetup({
      'a map': {
        ...two,
        patch: { data: { $retainKeys: ['a', 'c'], c: '3' } },
        change: { data: { b: undefined, c: '3' } },
      },
      'the strategy': {
        start: { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } } } },
        patch: { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
        change: { spec: { strategy: { type: 'Recreate', rollingUpdate: undefined } } },
      },
      'the source of a volume': {
        ...inTemplate({ volumes: [{ name: 'a', $retainKeys: ['name', 'nfs'], ...nfsVolume }] }),
        change: inList([...podSpec, 'volumes'], merged('name', { name: 'a', emptyDir: undefined, ...nfsVolume })),
      },
    }),
    checks: { 'strategic-retain-keys': applied },
  }),
  group({
    subjects: 'strategicWithoutKeys',
    setup: refusedStrategicSetup({
      ports: { ...services, patch: { spec: { ports: [{ targetPort: 9443 }] } } },
      secrets: { ...accountSecrets, patch: { secrets: [{ kind: 'Secret' }] } },
      env: inMain({ env: [{ value: '9' }] }),
    }),
    checks: { 'strategic-without-key': patchRefused },
  }),
  group({
    subjects: 'strategicUnknownDirectives',
    setup: refusedStrategicSetup({
      'of a map': { ...two, patch: { data: { $patch: 'exchange', a: '9' } } },
      'of an item': { ...services, patch: { spec: { ports: [{ ...changedPort, $patch: 'exchange' }] } } },
      'that is no string': { ...two, patch: { data: { $patch: 5, a: '9' } } },
    }),
    checks: { 'strategic-unknown-directive': patchRefused },
  }),
  group({
    subjects: 'strategicMalformed',
    setup: refusedStrategicSetup({
      ...malformed,
      '$setElementOrder that is no list': { ...services, patch: { spec: { '$setElementOrder/ports': 'port' } } },
      '$setElementOrder without an item that is set': {
        ...services,
        patch: { spec: { '$setElementOrder/ports': [{ port: 80 }], ports: [changedPort] } },
      },
      '$retainKeys that is no list': { ...two, patch: { data: { $retainKeys: 'a', a: '9' } } },
      '$retainKeys without a key that is set': { ...two, patch: { data: { $retainKeys: ['b'], a: '9' } } },
      'an item that is no object': { ...services, patch: { spec: { ports: [443] } } },
    }),
    checks: { 'strategic-malformed': patchRefused },
  }),
];
