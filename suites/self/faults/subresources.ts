// Servers that break the subresources: status, scale, rollback, the life of a namespace, binding.
import { at, isObject, itemsOf, type JsonObject, merge } from '../../support/json.js';
import { answering, asking, type Fault, failure, metadata, type Passing, reply, without } from './parts.js';

const done = { kind: 'Status', apiVersion: 'v1', status: 'Success' };
const isWrite = ({ method }: Passing): boolean => method === 'PUT' || method === 'PATCH';
const pathOf = ({ path }: Passing): string => path.split('?')[0] ?? '';
const asRead = (passing: Passing, suffix: string): Passing => ({
  ...passing,
  method: 'GET',
  path: pathOf(passing).slice(0, -suffix.length),
  headers: Object.fromEntries(Object.entries(passing.headers).filter(([name]) => !name.startsWith('content-'))),
  body: '',
});

const status: readonly Fault[] = [
  {
    name: 'reports a write of a status and does not do it',
    grep: 'subresources.status-',
    fails: [
      'subresources.status-name-mismatch',
      'subresources.status-patch',
      'subresources.status-read',
      'subresources.status-replace',
      'subresources.status-stale',
    ],
    request: (passing) =>
      isWrite(passing) && pathOf(passing).endsWith('/status') ? asRead(passing, '/status') : passing,
  },
  {
    name: 'writes over every status at once, as a controller does',
    grep: 'subresources.status-',
    fails: [],
    conformant: true,
    reply: (returning, passing) =>
      passing.method === 'GET' && !passing.path.includes('watch=true')
        ? answering((body) => (body.kind === 'DaemonSet' ? { ...body, status: {} } : body))(returning, passing)
        : returning,
  },
  {
    name: 'writes the object where the status was meant',
    grep: 'subresources.status-keeps-spec › PUT /apis/extensions/v1beta1/namespaces/{namespace}/deployments',
    fails: ['subresources.status-keeps-spec'],
    request: (passing) => ({ ...passing, path: passing.path.replace(/\/status$/, '') }),
  },
  {
    name: 'writes the status with the object',
    grep: 'subresources.main-keeps-status › PUT /api/v1/namespaces/{namespace}/pods',
    fails: ['subresources.main-keeps-status'],
    request: (passing) => (passing.method === 'PUT' ? { ...passing, path: `${passing.path}/status` } : passing),
  },
  {
    name: 'has a status of what is absent',
    grep: 'subresources.status-absent',
    fails: ['subresources.status-absent'],
    reply: (returning, passing) =>
      returning.status === 404 && pathOf(passing).endsWith('/status') ? reply(200, {}) : returning,
  },
];

const scale: readonly Fault[] = [
  {
    name: 'shows a scale without replicas and selector',
    grep: 'subresources.scale-',
    fails: [
      'subresources.scale-observed',
      'subresources.scale-patch',
      'subresources.scale-read',
      'subresources.scale-replace',
    ],
    reply: answering((body) => (body.kind === 'Scale' ? without(body, 'spec', 'status') : body)),
  },
  {
    name: 'shows scales in the version of a later group',
    grep: 'subresources.scale-',
    fails: ['subresources.scale-version'],
    reply: answering((body) => (body.kind === 'Scale' ? { ...body, apiVersion: 'autoscaling/v1' } : body)),
  },
  {
    name: 'changes more than the replicas by a scale',
    grep: 'subresources.scale-keeps-rest › PUT /apis/extensions/v1beta1/namespaces/{namespace}/deployments',
    fails: ['subresources.scale-keeps-rest'],
    request: (passing) =>
      passing.method === 'PUT'
        ? {
            ...passing,
            method: 'PATCH',
            path: passing.path.replace(/\/scale$/, ''),
            headers: { ...passing.headers, 'content-type': 'application/merge-patch+json' },
            body: JSON.stringify({ spec: { replicas: 2, paused: true } }),
          }
        : passing,
  },
  {
    name: 'takes every scale',
    grep: 'subresources.scale-',
    fails: [
      'subresources.scale-absent',
      'subresources.scale-name-mismatch',
      'subresources.scale-negative',
      'subresources.scale-other-version',
      'subresources.scale-stale',
    ],
    reply: (returning, passing) =>
      returning.status > 399 && pathOf(passing).endsWith('/scale') ? reply(200, { kind: 'Scale' }) : returning,
  },
];

const rollback: readonly Fault[] = [
  {
    name: 'refuses every rollback',
    grep: 'subresources.rollback',
    fails: [
      'subresources.rollback',
      'subresources.rollback-absent',
      'subresources.rollback-annotations',
      'subresources.rollback-effect',
      'subresources.rollback-keeps-rest',
      'subresources.rollback-negative',
      'subresources.rollback-previous',
      'subresources.rollback-revision',
    ],
    request: (passing) => (isRollback(passing) ? failure(400, 'BadRequest') : passing),
  },
  {
    name: 'reports a rollback and does not do it',
    grep: 'subresources.rollback-',
    fails: [
      'subresources.rollback-absent',
      'subresources.rollback-annotations',
      'subresources.rollback-effect',
      'subresources.rollback-name-mismatch',
      'subresources.rollback-negative',
      'subresources.rollback-revision',
    ],
    conformant: false,
    request: (passing) => (isRollback(passing) ? reply(200, done) : passing),
  },
  {
    name: 'rolls back to the first revision, whatever it is asked',
    grep: 'subresources.rollback-',
    fails: [
      'subresources.rollback-absent',
      'subresources.rollback-name-mismatch',
      'subresources.rollback-negative',
      'subresources.rollback-previous',
      'subresources.rollback-unknown-revision',
    ],
    request: (passing) => {
      if (!isRollback(passing)) return passing;
      const name = pathOf(passing).split('/').at(-2) ?? '';
      return { ...passing, body: JSON.stringify({ ...JSON.parse(passing.body), name, rollbackTo: { revision: 1 } }) };
    },
  },
  {
    name: 'numbers its revisions from eleven',
    grep: 'subresources.rollback-history',
    fails: ['subresources.rollback-history'],
    reply: answering((body) =>
      changingReplicaSets(body, (item) => {
        const annotation = 'deployment.kubernetes.io/revision';
        const revision = at(item, 'metadata', 'annotations', annotation);
        return revision === undefined
          ? item
          : merge(item, { metadata: { annotations: { [annotation]: `1${String(revision)}` } } });
      }),
    ),
  },
  {
    name: 'keeps the oldest revisions and forgets the newer ones',
    grep: 'subresources.rollback-history-limit',
    fails: ['subresources.rollback-history-limit'],
    reply: answering((body) => {
      const text = JSON.stringify(body);
      return text.includes('conformance:3')
        ? (JSON.parse(text.replaceAll('conformance:2', 'conformance:1')) as JsonObject)
        : body;
    }),
  },
  rollsWholeSpecBack(),
];

const isRollback = ({ method, path }: Passing): boolean => method === 'POST' && path.endsWith('/rollback');

function changingReplicaSets(body: JsonObject, change: (item: JsonObject) => JsonObject): JsonObject {
  return body.kind === 'ReplicaSetList' ? { ...body, items: itemsOf(body).map(change) } : body;
}

/** After a rollback, the Deployment shows the minReadySeconds that it had in the beginning. */
function rollsWholeSpecBack(): Fault {
  let rolled = false;
  return {
    name: 'rolls the whole spec back',
    grep: 'subresources.rollback-keeps-rest',
    fails: ['subresources.rollback-keeps-rest'],
    request: (passing) => {
      rolled ||= isRollback(passing);
      return passing;
    },
    reply: answering((body) =>
      rolled && body.kind === 'Deployment' && isObject(body.spec)
        ? { ...body, spec: without(body.spec, 'minReadySeconds') }
        : body,
    ),
  };
}

const isRead = ({ method }: Passing): boolean => method === 'GET';

const namespaces: readonly Fault[] = [
  {
    name: 'ignores a finalize',
    grep: 'subresources.finalize',
    fails: [
      'subresources.finalize',
      'subresources.finalize-active',
      'subresources.finalize-invalid',
      'subresources.finalize-last',
      'subresources.finalize-stale',
    ],
    request: (passing) => (pathOf(passing).endsWith('/finalize') ? asRead(passing, '/finalize') : passing),
  },
  {
    name: 'calls every namespace Active',
    grep: 'subresources.namespace-',
    fails: ['subresources.namespace-held', 'subresources.namespace-terminating'],
    reply: answering((body) =>
      body.kind === 'Namespace'
        ? { ...body, metadata: without(metadata(body), 'deletionTimestamp'), status: { phase: 'Active' } }
        : body,
    ),
  },
  {
    name: 'forbids nothing in a namespace that goes, nor that default goes',
    grep: 'subresources.namespace-',
    fails: ['subresources.namespace-closed', 'subresources.namespace-kept'],
    reply: (returning) => (returning.status === 403 ? reply(200, {}) : returning),
  },
  endsAtOnce(),
  stillLists(),
];

/** A namespace that was deleted is not found any more, whatever holds it. */
function endsAtOnce(): Fault {
  const deleted = new Set<string>();
  return {
    name: 'ends a namespace at once, whatever holds it',
    grep: 'subresources.namespace-',
    fails: ['subresources.namespace-held', 'subresources.namespace-terminating'],
    request: (passing) => {
      if (passing.method === 'DELETE') deleted.add(passing.path);
      return isRead(passing) && deleted.has(passing.path) ? failure(404, 'NotFound') : passing;
    },
  };
}

/** What was created in a namespace is in every list of it, whatever became of it. */
function stillLists(): Fault {
  let made: JsonObject | undefined;
  return {
    name: 'leaves what was in a namespace',
    grep: 'subresources.namespace-emptied',
    fails: ['subresources.namespace-emptied'],
    reply: answering((body, passing) => {
      if (body.kind === 'ConfigMap' && passing.method === 'POST') made ??= body;
      return body.kind === 'ConfigMapList' && isRead(passing) && made ? { ...body, items: [made] } : body;
    }),
  };
}

const binding: readonly Fault[] = [
  {
    name: 'reports a binding and does not do it',
    grep: 'subresources.binding',
    fails: [
      'subresources.binding',
      'subresources.binding-absent',
      'subresources.binding-name-mismatch',
      'subresources.binding-of-pod',
      'subresources.binding-scheduled',
      'subresources.binding-target',
      'subresources.binding-twice',
    ],
    request: (passing) => (passing.method === 'POST' && /\/bindings?$/.test(passing.path) ? reply(200, done) : passing),
  },
  {
    name: 'binds the pod that the body names, whatever the path says',
    grep: 'subresources.binding-',
    fails: ['subresources.binding-name-mismatch'],
    request: (passing) => ({ ...passing, path: passing.path.replace(/\/pods\/[^/]+\/binding$/, '/bindings') }),
  },
  {
    name: 'binds pods without a word about it in their conditions',
    grep: 'subresources.binding-',
    fails: ['subresources.binding-scheduled'],
    reply: answering((body) => (body.kind === 'Pod' ? without(body, 'status') : body)),
  },
  {
    name: 'binds a bound pod again, to another node',
    grep: 'subresources.binding-twice › POST /api/v1/namespaces/{namespace}/pods',
    fails: ['subresources.binding-twice'],
    reply: (returning) => (returning.status === 409 ? reply(200, done) : returning),
  },
  {
    name: 'takes any target for a node',
    grep: 'subresources.binding-',
    fails: ['subresources.binding-target'],
    request: asking('POST', (body) =>
      body.kind === 'Binding'
        ? merge(body, { target: { kind: 'Node', name: String(at(body, 'target', 'name')) } })
        : body,
    ),
  },
];

export const subresourceFaults: readonly Fault[] = [...status, ...scale, ...rollback, ...namespaces, ...binding];
