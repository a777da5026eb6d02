// Invalid pod templates, and the other invalid bodies of workloads.
import type { JsonObject } from '../client/json.js';
import type { Invalid, InvalidBodies } from './invalid.js';

const main = { name: 'main', image: 'registry.example/conformance:1' };
const labels = { app: 'conformance' };
const others = { app: 'something-else' };

const spec = (over: JsonObject): JsonObject => ({ spec: over });
const inTemplate = (over: JsonObject): JsonObject => spec({ template: over });
const withContainers = (...containers: readonly JsonObject[]): JsonObject => ({ spec: { containers } });

/** Returns the invalid pod templates; `wrap` puts a template into the kind, `field` is its field there. */
function template(wrap: (over: JsonObject) => JsonObject, field: string): InvalidBodies<'core/podtemplates'> {
  const { name: _n, ...nameless } = main;
  const { image: _i, ...imageless } = main;
  const at = (over: JsonObject, of: string): Invalid => ({ over: wrap(over), field: `${field}.${of}` });
  return {
    'no containers': at(withContainers(), 'spec.containers'),
    'a container without a name': at(withContainers(nameless), 'spec.containers[0].name'),
    'a container without an image': at(withContainers(imageless), 'spec.containers[0].image'),
    'two containers of one name': at(withContainers(main, main), 'spec.containers[1].name'),
    'an unknown restart policy': at({ spec: { restartPolicy: 'Sometimes' } }, 'spec.restartPolicy'),
    'a template label with a space': at({ metadata: { labels: { ...labels, more: 'a b' } } }, 'labels'),
    'a volume without a source of its own': at(
      {
        spec: {
          volumes: [
            { name: 'first', emptyDir: {} },
            { name: 'some', nfs: { path: '/srv' } },
          ],
        },
      },
      'spec.volumes[1].nfs.server',
    ),
  };
}

const handler = { exec: { command: ['true'] } };
const ending: Invalid = {
  over: inTemplate({ spec: { restartPolicy: 'Never' } }),
  field: 'spec.template.spec.restartPolicy',
};
const twoHandlers: Invalid = {
  over: inTemplate(
    withContainers({ ...main, name: 'first' }, { ...main, livenessProbe: { ...handler, tcpSocket: { port: 80 } } }),
  ),
  field: 'spec.template.spec.containers[1].livenessProbe.tcpSocket',
};
const mismatch: Invalid = {
  over: inTemplate({ metadata: { labels: others } }),
  field: 'spec.template.metadata.labels',
};
const unready: Invalid = { over: spec({ minReadySeconds: -1 }), field: 'spec.minReadySeconds' };
const oddOperator: Invalid = {
  over: spec({ selector: { matchExpressions: [{ key: 'app', operator: 'Like', values: ['conformance'] }] } }),
  field: 'spec.selector.matchExpressions[0].operator',
};

const controller = {
  ...template(inTemplate, 'spec.template'),
  'negative replicas': { over: spec({ replicas: -1 }), field: 'spec.replicas' },
  'a selector of other labels': mismatch,
  'pods that may end': ending,
  'a probe with two handlers': twoHandlers,
};

export const podTemplates = template((over) => ({ template: over }), 'template');

export const replicationControllers: InvalidBodies<'core/replicationcontrollers'> = {
  ...controller,
  'no template': { over: spec({ template: undefined }), field: 'spec.template' },
};

export const replicaSets: InvalidBodies<'extensions/replicasets'> = {
  ...controller,
  'negative seconds until ready': unready,
};

export const daemonSets: InvalidBodies<'extensions/daemonsets'> = {
  ...template(inTemplate, 'spec.template'),
  'a selector of other labels': mismatch,
  'an unknown operator in the selector': oddOperator,
  'pods that may end': ending,
};

const rolling = (rollingUpdate: JsonObject, type = 'RollingUpdate'): JsonObject =>
  spec({ strategy: { type, rollingUpdate } });

export const deployments: InvalidBodies<'extensions/deployments'> = {
  ...controller,
  'no template': { over: spec({ template: undefined }), field: 'spec.template.spec.containers' },
  'an unknown strategy': {
    over: spec({ strategy: { type: 'Sudden' } }),
    field: ['spec.strategy', 'spec.strategy.type'],
  },
  'a recreation with a rolling update': {
    over: rolling({ maxSurge: 1 }, 'Recreate'),
    field: 'spec.strategy.rollingUpdate',
  },
  'no room to roll': {
    over: rolling({ maxSurge: 0, maxUnavailable: 0 }),
    field: 'spec.strategy.rollingUpdate.maxUnavailable',
  },
  'more than all unavailable': {
    over: rolling({ maxSurge: 1, maxUnavailable: '101%' }),
    field: 'spec.strategy.rollingUpdate.maxUnavailable',
  },
  'a surge that is no share': {
    over: rolling({ maxSurge: 'some', maxUnavailable: 1 }),
    field: 'spec.strategy.rollingUpdate.maxSurge',
  },
  'a negative history': { over: spec({ revisionHistoryLimit: -1 }), field: 'spec.revisionHistoryLimit' },
  'negative seconds until ready': unready,
};

const jobTemplate = template(inTemplate, 'spec.template');
const policy = 'spec.template.spec.restartPolicy';

export const jobs: InvalidBodies<'batch/jobs'> = {
  ...jobTemplate,
  'a restart policy of Always': { over: inTemplate({ spec: { restartPolicy: 'Always' } }), field: policy },
  'no restart policy': { over: inTemplate({ spec: { restartPolicy: undefined } }), field: policy },
  'a negative parallelism': { over: spec({ parallelism: -1 }), field: 'spec.parallelism' },
  'negative completions': { over: spec({ completions: -1 }), field: 'spec.completions' },
  'a negative deadline': { over: spec({ activeDeadlineSeconds: -1 }), field: 'spec.activeDeadlineSeconds' },
  'a selector of its own': { over: spec({ selector: { matchLabels: labels } }), field: 'spec.selector' },
  'a manual selector of other labels': {
    over: spec({
      manualSelector: true,
      selector: { matchLabels: others },
      template: { metadata: { labels } },
    }),
    field: 'spec.template.metadata.labels',
  },
};
