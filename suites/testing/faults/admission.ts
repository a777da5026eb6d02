// Correct servers whose admission adds to every pod, as service meshes and injectors of secrets do: no rule may fail.
import { at, type JsonObject } from '../../client/json.js';
import type { ChapterName } from '../../requirements/index.js';
import { type Broken, type Fault, fault, faultsOf } from './wire/fault.js';
import { all, change, inEach, set, where } from './wire/objects.js';
import { answer, ok, sent } from './wire/requests.js';

const sidecar: JsonObject = {
  name: 'mesh-proxy',
  image: 'registry.example/mesh:1',
  ports: [{ name: 'mesh-metrics', containerPort: 15_090, protocol: 'TCP' }],
  env: [{ name: 'MESH', value: 'on' }],
};
const before: JsonObject = { name: 'mesh-init', image: 'busybox', command: ['true'] };
const toleration: JsonObject = { key: 'mesh.example/ready', operator: 'Exists', effect: 'NoExecute' };

const adding = (path: string, item: JsonObject, place: 'first' | 'last' = 'last') =>
  change(path, (list) => {
    const given = Array.isArray(list) ? list : [];
    return place === 'first' ? [item, ...given] : [...given, item];
  });

/** Adds a sidecar, and what comes with one, to each pod that is created. */
const addsSidecar = (place: 'first' | 'last'): Broken =>
  sent(
    'POST Pod',
    // Injectors look for their own mark, leave the network of a node alone, and a webhook sees only what decodes.
    where(
      'metadata',
      isUntouched,
      where(
        'spec.hostNetwork',
        (value) => value !== true,
        all(
          inEach('spec.containers', adding('env', { name: 'MESH_PROXY', value: 'http://127.0.0.1:15001' })),
          adding('spec.containers', sidecar, place),
          adding('spec.initContainers', before, 'first'),
          adding('spec.volumes', { name: 'mesh-data', emptyDir: {} }),
          adding('spec.tolerations', toleration),
          set('metadata.labels.mesh\\.example/injected', 'true'),
          set('metadata.annotations.mesh\\.example/status', '{"version":"1"}'),
        ),
      ),
    ),
  );

const isUntouched = (metadata: unknown): boolean =>
  !Array.isArray(at(metadata, 'labels')) && at(metadata, 'labels', 'mesh.example/injected') === undefined;

/** Rows for the servers, with the cases whose ids contain the text. */
const correct = (what: string, text: string, chapters: readonly ChapterName[]): readonly Fault[] =>
  (['first', 'last'] as const).flatMap((place) =>
    faultsOf('connect', [fault(`adds a sidecar ${place}, ${what}`, ` in ${text}`, [addsSidecar(place)])], chapters),
  );

/** Says that a webhook is asked about creates. */
const hasWebhook = (...resources: readonly string[]): Broken =>
  answer(
    / \/apis\/admissionregistration\.k8s\.io\/v1\/mutatingwebhookconfigurations/,
    ok({ items: [{ webhooks: [{ rules: [{ resources, operations: ['CREATE'] }] }] }] }),
  );

/** Takes the images of pods from a mirror, as a webhook does that the target has or has not. */
const mirrors = (...resources: readonly string[]): readonly Broken[] => [
  hasWebhook(...resources),
  sent(
    'POST Pod',
    inEach(
      'spec.containers',
      change('image', (image) => `mirror.example/${String(image)}`),
    ),
  ),
];

export const faults: readonly Fault[] = [
  ...correct('creates, reads and watches', '/pods', ['create', 'read', 'replace', 'patch', 'subresources']),
  ...correct('connects and proxies', 'GET /api/v1/namespaces/{namespace}/pods/{name}/', ['connect', 'log', 'proxy']),
  ...['create.', 'validation.valid-values › ', 'watch.removed-last-state › '].flatMap((cases) =>
    faultsOf(
      'create',
      [
        fault(
          `takes the images of pods from a mirror: ${cases}`,
          ` in ${cases}*/namespaces/{namespace}/pods`,
          mirrors('pods'),
        ),
      ],
      ['create', 'validation', 'watch'],
    ),
  ),
  ...faultsOf('create', [
    fault(
      'takes the images of pods from a mirror, with a webhook for jobs',
      'effect-read › POST …/pods',
      mirrors('jobs'),
    ),
  ]),
  // A client makes no Binding to see what a webhook changes.
  ...faultsOf('subresources', [
    fault(
      'takes any target for a node, with a webhook for every kind',
      'binding-target in .binding-*/{namespace}/bindings',
      [hasWebhook('*'), sent('POST Binding', set('target.kind', 'Node'))],
    ),
  ]),
];
