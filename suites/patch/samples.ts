// Fields of new objects in this chapter: two items of each list, so that one is patched and one must remain.
import type { JsonObject } from '../client/json.js';
import type { RefusedCase } from './cases.js';
import { inList } from './keyedLists.js';

/** A ConfigMap with two values and no others. */
export const twoValues = { data: { colour: undefined, 'file.txt': undefined, a: '1', b: '2' } };
/** A ServiceAccount with a list that has no merge key. */
export const twoSecrets = { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] };

/** Two finalizers that no controller acts on; they are removed at the end. */
export const twoFinalizers = { metadata: { finalizers: ['kube-api-conformance/a', 'kube-api-conformance/b'] } };

export const threeFinalizers = {
  metadata: { finalizers: [...twoFinalizers.metadata.finalizers, 'kube-api-conformance/c'] },
};

export const finalizers = ['metadata', 'finalizers'] as const;

/** The change of an object whose finalizers are edited: admission may have added some. */
export const inFinalizers = (added: readonly string[], removed: readonly string[] = []) =>
  inList(finalizers, (items) => [
    ...items.filter((item) => !removed.some((name) => item === own(name))),
    ...added.map(own),
  ]);

const own = (name: string): string => `kube-api-conformance/${name}`;

/** Two ports of a Service. */
export const twoPorts = {
  spec: {
    ports: [
      { name: 'a', port: 80, targetPort: 8080, protocol: 'TCP' },
      { name: 'b', port: 443, targetPort: 8443, protocol: 'TCP' },
    ],
  },
};
export const ports = ['spec', 'ports'] as const;

export const image = 'registry.example/conformance:1';
const template = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });
export const podSpec = ['spec', 'template', 'spec'] as const;
export const main = [...podSpec, 'containers', { name: 'main' }] as const;

/** A pod template with two items in every list that has a merge key. */
const richTemplate = template({
  nodeSelector: { 'kube-api-conformance/a': '1', 'kube-api-conformance/b': '2' },
  imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
  volumes: [
    { name: 'a', emptyDir: {} },
    { name: 'b', emptyDir: {} },
  ],
  containers: [
    {
      name: 'main',
      image,
      command: ['sleep', '3600'],
      args: ['1'],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
      ports: [
        { name: 'a', containerPort: 80, protocol: 'TCP' },
        { name: 'b', containerPort: 443, protocol: 'TCP' },
      ],
      volumeMounts: [
        { name: 'a', mountPath: '/a' },
        { name: 'b', mountPath: '/b' },
      ],
    },
    { name: 'second', image, command: ['true'] },
  ],
});

/** The replicas of a controller, and fields of its pods. */
export const replicasAndSpec = (replicas: number, podSpec: JsonObject = {}) => ({
  spec: { replicas, template: { spec: podSpec } },
});

/** Fields of pods whose zeros are not the defaults. */
export const zeros = {
  terminationGracePeriodSeconds: 0,
  securityContext: { runAsUser: 0, runAsNonRoot: false },
};

export const inTemplate = (patch: JsonObject): RefusedCase => ({
  start: richTemplate,
  patch: template(patch),
});
export const inMain = (patch: JsonObject) => inTemplate({ containers: [{ name: 'main', ...patch }] });
