// Servers that break what a delete does: grace, finalizers, dependents, the end of a namespace.
import { at, isObject, type Json, type JsonObject, merge } from '../../support/json.js';
import { answering, asking, type Fault, metadata, type Passing, reply, without } from './parts.js';

const configMap = 'DELETE /api/v1/namespaces/{namespace}/configmaps/{name}';
const pod = 'DELETE /api/v1/namespaces/{namespace}/pods/{name}';
const namespace = 'DELETE /api/v1/namespaces/{name}';
const dependentsOf = (name: string, path: string): string => `deleteOptions.dependents-${name} › DELETE ${path}`;
const success = { kind: 'Status', apiVersion: 'v1', status: 'Success' };

/** Puts one value in the place of another in the options of a delete. */
const instead = (field: string, from: Json, to: Json) =>
  asking('DELETE', (body) => (body[field] === from ? { ...body, [field]: to } : body));

/** Changes the metadata of what is created. */
const creating = (change: (of: JsonObject) => JsonObject) =>
  asking('POST', (body) => ({ ...body, metadata: change(metadata(body)) }));

const ownersOf = (of: JsonObject): readonly Json[] => (Array.isArray(of.ownerReferences) ? of.ownerReferences : []);
const isGet = ({ method, path }: Passing, resource: string): boolean =>
  method === 'GET' && path.includes(`/${resource}/`);

const rows: readonly Omit<Fault, 'chapters'>[] = [
  {
    name: 'ignores the grace period of delete options',
    grep: pod,
    fails: ['deleteOptions.grace-collection', 'deleteOptions.grace-marks'],
    request: asking('DELETE', (body) => (body.gracePeriodSeconds === 50 ? without(body, 'gracePeriodSeconds') : body)),
  },
  {
    name: "ignores the grace period of a Pod's spec",
    grep: pod,
    fails: ['deleteOptions.grace-default'],
    request: asking('DELETE', (body) =>
      body.kind === 'DeleteOptions' && body.gracePeriodSeconds === undefined
        ? { ...body, gracePeriodSeconds: 10 }
        : body,
    ),
  },
  {
    name: 'ignores the grace period of the query',
    grep: pod,
    fails: ['deleteOptions.grace-collection', 'deleteOptions.grace-query'],
    request: (passing) => ({ ...passing, path: passing.path.replace('gracePeriodSeconds=50', '') }),
  },
  {
    name: 'knows no grace period of 0',
    grep: pod,
    fails: ['deleteOptions.grace-zero'],
    request: instead('gracePeriodSeconds', 0, 1),
  },
  {
    name: 'waits for Pods that nobody runs',
    grep: 'deleteOptions.grace-unscheduled',
    fails: ['deleteOptions.grace-unscheduled'],
    request: asking('POST', (body) => (body.kind === 'Pod' ? merge(body, { spec: { nodeName: 'some-node' } }) : body)),
  },
  {
    name: 'lets the last grace period win',
    grep: pod,
    fails: ['deleteOptions.grace-kept', 'deleteOptions.grace-shorter'],
    request: instead('gracePeriodSeconds', 20, 60),
  },
  {
    name: 'leaves everything its grace period',
    grep: configMap,
    fails: ['deleteOptions.grace-elsewhere'],
    request: (passing) =>
      passing.method === 'DELETE' && passing.body.includes('"gracePeriodSeconds":50') ? reply(200, success) : passing,
  },
  {
    name: 'ignores finalizers',
    grep: configMap,
    fails: [
      'deleteOptions.answer-object',
      'deleteOptions.dependents-foreground',
      'deleteOptions.dependents-unblocking',
      'deleteOptions.finalizer-holds',
      'deleteOptions.finalizer-last',
      'deleteOptions.finalizer-late',
      'deleteOptions.timestamp-kept',
    ],
    request: creating((of) => without(of, 'finalizers')),
  },
  {
    name: 'ignores finalizers in a delete-collection',
    grep: 'deleteOptions.finalizer-collection › DELETE /api/v1/namespaces/{namespace}/configmaps',
    fails: ['deleteOptions.finalizer-collection'],
    request: creating((of) => without(of, 'finalizers')),
  },
  {
    name: 'takes a finalizer for an object that is being deleted',
    grep: configMap,
    fails: ['deleteOptions.finalizer-late'],
    request: (passing) =>
      passing.method === 'PUT' && passing.body.includes('kube-api-conformance/late') ? reply(200, {}) : passing,
  },
  {
    name: 'calls a deletion off',
    grep: configMap,
    fails: ['deleteOptions.timestamp-kept'],
    reply: answering((body) =>
      at(body, 'metadata', 'labels', 'kube-api-conformance/changed') === 'unmarked'
        ? { ...body, metadata: without(metadata(body), 'deletionTimestamp') }
        : body,
    ),
  },
  {
    name: 'never lets a deleted object go',
    grep: configMap,
    fails: ['deleteOptions.finalizer-last'],
    request: asking('PUT', (body) => {
      const unmarked = at(body, 'metadata', 'labels', 'kube-api-conformance/changed') === 'unmarked';
      const last = at(body, 'metadata', 'finalizers', 0) === undefined;
      return unmarked && last ? merge(body, { metadata: { finalizers: ['kube-api-conformance/held-too'] } }) : body;
    }),
  },
  {
    name: 'collects nothing',
    grep: configMap,
    fails: [
      'background',
      'chain',
      'collection',
      'default',
      'every-kind',
      'flag-off',
      'foreground',
      'lost',
      'orphan',
      'orphan-flag',
      'other-owner',
      'shared',
      'unblocking',
    ].map((name) => `deleteOptions.dependents-${name}`),
    request: creating((of) => without(of, 'ownerReferences')),
  },
  {
    name: 'orphans where it should collect',
    grep: configMap,
    fails: [
      'deleteOptions.dependents-background',
      'deleteOptions.dependents-chain',
      'deleteOptions.dependents-collection',
    ],
    request: instead('propagationPolicy', 'Background', 'Orphan'),
  },
  {
    name: 'takes orphanDependents false for true',
    grep: dependentsOf('flag-off', configMap.slice('DELETE '.length)),
    fails: ['deleteOptions.dependents-flag-off'],
    request: instead('orphanDependents', false, true),
  },
  {
    name: 'collects where it should orphan',
    grep: configMap,
    fails: ['deleteOptions.dependents-collection', 'deleteOptions.dependents-orphan'],
    request: instead('propagationPolicy', 'Orphan', 'Background'),
  },
  {
    name: 'ignores orphanDependents',
    grep: configMap,
    fails: ['deleteOptions.dependents-orphan-flag'],
    request: asking('DELETE', (body) =>
      body.orphanDependents === true && body.propagationPolicy === undefined
        ? { ...body, orphanDependents: false }
        : body,
    ),
  },
  {
    name: 'knows no foreground',
    grep: configMap,
    fails: ['deleteOptions.dependents-foreground'],
    request: instead('propagationPolicy', 'Foreground', 'Background'),
  },
  {
    name: 'knows one owner only',
    grep: configMap,
    fails: ['deleteOptions.dependents-other-owner', 'deleteOptions.dependents-shared'],
    request: creating((of) => (ownersOf(of).length > 1 ? { ...of, ownerReferences: ownersOf(of).slice(0, 1) } : of)),
  },
  {
    name: 'waits for every dependent',
    grep: configMap,
    fails: ['deleteOptions.dependents-unblocking'],
    request: creating((of) =>
      ownersOf(of).length === 0
        ? of
        : {
            ...of,
            ownerReferences: ownersOf(of).map((owner) =>
              isObject(owner) ? { ...owner, blockOwnerDeletion: true } : owner,
            ),
          },
    ),
  },
  {
    name: 'collects what a ReplicaSet leaves',
    grep: dependentsOf('default', '/apis/extensions/v1beta1/namespaces/{namespace}/replicasets/{name}'),
    fails: ['deleteOptions.dependents-default'],
    request: (passing) =>
      passing.method === 'DELETE' && passing.path.includes('/replicasets/')
        ? { ...passing, body: JSON.stringify({ ...JSON.parse(passing.body), propagationPolicy: 'Background' }) }
        : passing,
  },
  {
    name: 'knows no owners of Secrets',
    grep: dependentsOf('every-kind', '/api/v1/namespaces/{namespace}/secrets/{name}'),
    fails: ['deleteOptions.dependents-every-kind'],
    request: asking('POST', (body) =>
      body.kind === 'Secret' ? { ...body, metadata: without(metadata(body), 'ownerReferences') } : body,
    ),
  },
  {
    name: 'forgets owners that are not there',
    grep: configMap,
    fails: ['deleteOptions.dependents-lost'],
    request: creating((of) =>
      at(of, 'ownerReferences', 0, 'name') === 'never-been-there' ? without(of, 'ownerReferences') : of,
    ),
  },
  {
    name: 'calls a deleted namespace Active',
    grep: namespace,
    fails: ['deleteOptions.namespace-terminating'],
    reply: answering((body) => (body.kind === 'Namespace' ? { ...body, status: { phase: 'Active' } } : body)),
  },
  {
    name: 'creates in a namespace that is Terminating',
    grep: namespace,
    fails: ['deleteOptions.namespace-closed'],
    reply: (returning, { method }) =>
      method === 'POST' && returning.status === 403 ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : returning,
  },
  {
    name: 'leaves Secrets in a namespace that is Terminating',
    grep: namespace,
    fails: ['deleteOptions.namespace-contents', 'deleteOptions.namespace-gone'],
    reply: (returning, passing) =>
      isGet(passing, 'secrets') && returning.status === 404
        ? reply(200, { kind: 'Secret', apiVersion: 'v1', metadata: {} })
        : returning,
  },
  {
    name: 'loses what holds a namespace',
    grep: namespace,
    fails: ['deleteOptions.namespace-gone', 'deleteOptions.namespace-held'],
    reply: (returning, passing) =>
      isGet(passing, 'configmaps') ? reply(404, { kind: 'Status', status: 'Failure', code: 404 }) : returning,
  },
  {
    name: 'lets the namespace default be deleted',
    grep: namespace,
    fails: ['deleteOptions.namespace-default'],
    reply: (returning, { method }) =>
      method === 'DELETE' && returning.status === 403 ? reply(200, success) : returning,
  },
];

export const deletionEffectsFaults: readonly Fault[] = rows.map((row) => ({ ...row, chapters: ['deleteOptions'] }));
