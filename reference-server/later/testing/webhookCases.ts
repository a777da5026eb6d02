// Webhooks, and requests that concern them, for tests beside real servers: what servers answer, and what they ask, is compared.

import type { AnyShape } from '../../testing/anyShape.js';
import { patching, type Respond } from './webhookServer.js';

/** A webhook of a case. Its name is the case's with `suffix`; without `everything`, it is asked about objects of the case only. */
interface Hook {
  readonly kind: 'mutating' | 'validating';
  readonly suffix?: string;
  readonly respond: Respond;
  readonly everything?: true;
  readonly fields?: AnyShape;
  readonly rule?: AnyShape;
}

export interface WebhookCase {
  readonly hooks: readonly Hook[];
  /** Fields that differ for another reason: what the real server's age makes of them, or the words of a library in a message. */
  readonly strays?: readonly string[];
  /** `NAME` in a path stands for the name of the case. */
  readonly requests: readonly (readonly [method: string, path: string, body?: AnyShape, type?: string])[];
}

const configs = '/api/v1/namespaces/default/configmaps';
const apps = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';
const allow: Respond = () => ({ allowed: true });
const deny =
  (status?: object): Respond =>
  () => ({ allowed: false, ...(status && { status }) });
const patch =
  (...operations: readonly object[]): Respond =>
  () =>
    patching(...operations);
const label = (value: string, name = 'by') => ({ op: 'add', path: `/metadata/labels/${name}`, value });
const validating = (respond: Respond, more: Partial<Hook> = {}): Hook => ({ kind: 'validating', respond, ...more });
const mutating = (respond: Respond, more: Partial<Hook> = {}): Hook => ({ kind: 'mutating', respond, ...more });
const create = ['POST', configs, { data: { a: 'b' } }] as const;
const answering =
  (body: AnyShape, status = 200): Respond =>
  () => ({ answer: { status, body } });
const responding =
  (make: (request: AnyShape, review: AnyShape) => AnyShape): Respond =>
  (request, review) => ({
    answer: { body: make(request, review) },
  });
const merge = 'application/merge-patch+json';
const container = { name: 'm', image: 'registry.example.com/x:1' };
const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [container] } };
const deployment = { spec: { replicas: 0, selector: { matchLabels: { app: 'a' } }, template } };

export const webhookCases: Readonly<Record<string, WebhookCase>> = {
  allows: {
    hooks: [mutating(allow), validating(allow)],
    requests: [
      create,
      ['PUT', `${configs}/NAME`, { data: { a: 'c' } }],
      ['PATCH', `${configs}/NAME`, { data: { b: 'c' } }, merge],
      ['DELETE', `${configs}/NAME`],
    ],
  },
  'denies without a word': { hooks: [validating(deny())], requests: [create] },
  'denies with a message': {
    hooks: [validating(deny({ message: 'no such thing', code: 403, reason: 'Forbidden' }))],
    requests: [create],
  },
  'denies with a reason': { hooks: [validating(deny({ reason: 'Nope' }))], requests: [create] },
  'denies with a code of success': {
    hooks: [validating(deny({ code: 200, message: 'm', status: 'Success' }))],
    requests: [create],
  },
  'denies with details': {
    hooks: [
      validating(
        deny({
          message: 'm',
          code: 422,
          reason: 'Invalid',
          details: { name: 'n', kind: 'k', causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec' }] },
        }),
      ),
    ],
    requests: [create],
  },
  'mutating denies': { hooks: [mutating(deny({ message: 'm' }))], requests: [create] },
  'renames a new object': {
    hooks: [mutating(patch({ op: 'replace', path: '/metadata/name', value: 'renamed' }))],
    requests: [create, ['GET', `${configs}/renamed`], ['DELETE', `${configs}/renamed`]],
  },
  'renames an object': {
    hooks: [
      mutating(patch({ op: 'replace', path: '/metadata/name', value: 'renamed' }), {
        rule: { operations: ['UPDATE'] },
      }),
    ],
    requests: [
      create,
      ['PUT', `${configs}/NAME`, { data: { a: 'c' } }],
      ['PATCH', `${configs}/NAME`, { data: { b: 'c' } }, merge],
      ['GET', `${configs}/NAME`],
    ],
  },
  'moves an object': {
    hooks: [
      mutating(patch({ op: 'replace', path: '/metadata/namespace', value: 'other' }), {
        rule: { operations: ['UPDATE'] },
      }),
    ],
    requests: [create, ['PATCH', `${configs}/NAME`, { data: { b: 'c' } }, merge], ['GET', `${configs}/NAME`]],
  },
  'gives an object another uid': {
    hooks: [
      mutating(patch({ op: 'add', path: '/metadata/uid', value: 'another' }), { rule: { operations: ['UPDATE'] } }),
    ],
    requests: [create, ['PATCH', `${configs}/NAME`, { data: { b: 'c' } }, merge], ['GET', `${configs}/NAME`]],
  },
  'gives an object another time': {
    hooks: [
      mutating(patch({ op: 'add', path: '/metadata/creationTimestamp', value: '2001-02-03T04:05:06Z' }), {
        rule: { operations: ['UPDATE'] },
      }),
    ],
    requests: [create, ['PATCH', `${configs}/NAME`, { data: { b: 'c' } }, merge], ['GET', `${configs}/NAME`]],
  },
  patches: {
    hooks: [mutating(patch(label('a'), { op: 'replace', path: '/data/a', value: 'x' })), validating(allow)],
    requests: [
      ['POST', `${configs}?fieldManager=m`, { data: { a: 'b' } }],
      ['PATCH', `${configs}/NAME?fieldManager=n`, { data: { b: 'c' } }, merge],
      ['GET', `${configs}/NAME`],
    ],
  },
  'patches to an invalid object': {
    hooks: [mutating(patch({ op: 'add', path: '/data/a b', value: 'x' }))],
    requests: [create],
  },
  'patches to another type': {
    strays: ['message'],
    hooks: [mutating(patch({ op: 'replace', path: '/data', value: 'x' }))],
    requests: [create],
  },
  'patches nothing there': {
    strays: ['message'],
    hooks: [mutating(patch({ op: 'replace', path: '/nothing/there', value: 'x' }))],
    requests: [create],
  },
  'patches an unknown field': {
    hooks: [mutating(patch({ op: 'add', path: '/unknown', value: 'x' }))],
    requests: [create],
  },
  'patch is no JSON': {
    strays: ['message'],
    hooks: [mutating(() => ({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') }))],
    requests: [create],
  },
  'patch is an object': {
    hooks: [mutating(() => ({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{}').toString('base64') }))],
    requests: [create],
  },
  'patch without a type': {
    hooks: [mutating(() => ({ ...patching(label('a')), patchType: undefined }))],
    requests: [create],
  },
  'type without a patch': { hooks: [mutating(() => ({ allowed: true, patchType: 'JSONPatch' }))], requests: [create] },
  'patch of another type': {
    hooks: [mutating(() => ({ ...patching(label('a')), patchType: 'Merge' }))],
    requests: [create],
  },
  'validating patches': { hooks: [validating(() => patching(label('a')))], requests: [create] },
  'no response': {
    hooks: [validating(responding((_, { apiVersion, kind }) => ({ apiVersion, kind })))],
    requests: [create],
  },
  'another uid': { hooks: [validating(() => ({ allowed: true, uid: 'other' }))], requests: [create] },
  'another kind': {
    hooks: [
      validating(
        responding((request) => ({ apiVersion: 'v1', kind: 'Pod', response: { uid: request.uid, allowed: true } })),
      ),
    ],
    requests: [create],
  },
  'another version': {
    hooks: [
      validating(
        responding((request) => ({
          apiVersion: 'admission.k8s.io/v1beta1',
          kind: 'AdmissionReview',
          response: { uid: request.uid, allowed: true },
        })),
      ),
    ],
    requests: [create],
  },
  'no kind': {
    hooks: [validating(responding((request) => ({ response: { uid: request.uid, allowed: true } })))],
    requests: [create],
  },
  'no JSON': { hooks: [validating(answering('hello'))], requests: [create] },
  'an empty answer': { hooks: [validating(answering(''))], requests: [create] },
  'a list': { hooks: [validating(answering([]))], requests: [create] },
  'status 500': { hooks: [validating(answering('boom', 500))], requests: [create] },
  'status 404': { hooks: [validating(answering('boom', 404))], requests: [create] },
  'status 403': { hooks: [validating(answering('boom', 403))], requests: [create] },
  'status 400': { hooks: [validating(answering('boom', 400))], requests: [create] },
  'status 401': { hooks: [validating(answering('boom', 401))], requests: [create] },
  'status 503': { hooks: [validating(answering('boom', 503))], requests: [create] },
  'status 302': { hooks: [validating(answering('boom', 302))], requests: [create] },
  'status 201': {
    hooks: [
      validating((request, { apiVersion, kind }) => ({
        answer: { status: 201, body: { apiVersion, kind, response: { uid: request.uid, allowed: true } } },
      })),
    ],
    requests: [create],
  },
  'breaks the connection': { hooks: [validating(() => ({ answer: 'reset' }))], requests: [create] },
  'is silent': {
    hooks: [validating(() => ({ answer: 'silence' }), { fields: { timeoutSeconds: 1 } })],
    requests: [create],
  },
  'fails and is ignored': {
    hooks: [
      validating(answering('boom', 500), { fields: { failurePolicy: 'Ignore' } }),
      mutating(answering('boom', 500), { fields: { failurePolicy: 'Ignore' } }),
    ],
    requests: [create],
  },
  'bad patch is not ignored': {
    strays: ['message'],
    hooks: [mutating(patch({ op: 'remove', path: '/no' }), { fields: { failurePolicy: 'Ignore' } })],
    requests: [create],
  },
  'is not there': {
    hooks: [validating(allow, { fields: { clientConfig: { url: 'https://127.0.0.1:1/x' } } })],
    requests: [create],
  },
  'has an unknown authority': {
    hooks: [validating(allow, { fields: { clientConfig: { caBundle: undefined } } })],
    requests: [create],
  },
  'service is not there': {
    hooks: [
      validating(allow, {
        fields: { clientConfig: { url: undefined, service: { namespace: 'default', name: 'nowhere', path: '/x' } } },
      }),
    ],
    requests: [create],
  },
  'takes v1beta1': {
    hooks: [
      mutating(patch(label('a')), { fields: { admissionReviewVersions: ['v1beta1', 'v1'] } }),
      validating(allow, { fields: { admissionReviewVersions: ['v2', 'v1beta1'] } }),
    ],
    requests: [create],
  },
  'takes v1beta1 and answers loosely': {
    hooks: [
      mutating(
        responding(() => ({ response: { allowed: true, patch: patching(label('a')).patch } })),
        { fields: { admissionReviewVersions: ['v1beta1'] } },
      ),
    ],
    requests: [create],
  },
  warns: {
    hooks: [
      validating(() => ({ allowed: true, warnings: ['careful', 'say "what"'] })),
      mutating(() => ({ allowed: false, warnings: ['no'] }), { rule: { operations: ['UPDATE'] } }),
    ],
    requests: [create, ['PUT', `${configs}/NAME`, { data: {} }]],
  },
  'dry run with side effects': {
    hooks: [validating(allow, { fields: { sideEffects: 'NoneOnDryRun' } })],
    requests: [
      ['POST', `${configs}?dryRun=All`, {}],
      ['DELETE', `${configs}/NAME`],
    ],
  },
  'in order': {
    hooks: [
      mutating(patch(label('first')), { suffix: 'z' }),
      mutating(patch(label('second')), { suffix: 'a' }),
      mutating(patch(label('third', 'third')), { suffix: 'k' }),
    ],
    requests: [create],
  },
  'asked again': {
    hooks: [
      mutating(allow, { suffix: 'never' }),
      mutating(allow, { suffix: 'again', fields: { reinvocationPolicy: 'IfNeeded' } }),
      mutating(patch(label('x')), { suffix: 'changes', fields: { reinvocationPolicy: 'IfNeeded' } }),
      mutating(allow, { suffix: 'last', fields: { reinvocationPolicy: 'IfNeeded' } }),
    ],
    requests: [create, ['PATCH', `${configs}/NAME`, { data: { c: 'd' } }, merge]],
  },
  'generated name': {
    hooks: [mutating(allow), validating(allow)],
    requests: [['POST', configs, { metadata: { generateName: 'gen-', name: undefined } }]],
  },
  'finalizers, labels and owners': {
    hooks: [mutating(patch({ op: 'add', path: '/metadata/finalizers', value: ['example.com/x'] })), validating(allow)],
    requests: [
      create,
      ['DELETE', `${configs}/NAME`],
      ['PATCH', `${configs}/NAME`, { metadata: { finalizers: null } }, merge],
    ],
  },
  'changes the name': {
    hooks: [mutating(patch({ op: 'replace', path: '/metadata/name', value: 'changed' }))],
    requests: [create],
  },
  'changes the namespace': {
    hooks: [mutating(patch({ op: 'replace', path: '/metadata/namespace', value: 'changed' }))],
    requests: [create],
  },
  'denies a delete': {
    hooks: [validating(deny({ message: 'stay' }), { rule: { operations: ['DELETE'] } })],
    requests: [
      create,
      ['DELETE', `${configs}/NAME?gracePeriodSeconds=5&propagationPolicy=Foreground`],
      ['GET', `${configs}/NAME`],
    ],
  },
  'patches a delete': {
    hooks: [mutating(patch(label('a')), { rule: { operations: ['DELETE'] } })],
    requests: [create, ['DELETE', `${configs}/NAME`]],
  },
  'delete of a collection': {
    hooks: [
      validating(allow, { rule: { operations: ['DELETE'] } }),
      mutating(allow, { rule: { operations: ['DELETE'] } }),
    ],
    requests: [create, ['DELETE', `${configs}?labelSelector=case%3DNAME`]],
  },
  'delete options': {
    hooks: [validating(allow, { rule: { operations: ['DELETE'] } })],
    requests: [
      create,
      [
        'DELETE',
        `${configs}/NAME`,
        { kind: 'DeleteOptions', apiVersion: 'v1', metadata: undefined, preconditions: { uid: 'x' } },
      ],
      [
        'DELETE',
        `${configs}/NAME`,
        {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          metadata: undefined,
          propagationPolicy: 'Background',
          gracePeriodSeconds: 3,
        },
      ],
    ],
  },
  'of another group': {
    hooks: [
      validating(allow, { rule: { apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] } }),
      mutating(patch(label('x')), {
        rule: { apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
      }),
    ],
    requests: [
      [
        'POST',
        '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      ],
    ],
  },
  'of another group, exactly': {
    hooks: [
      validating(deny(), {
        fields: { matchPolicy: 'Exact' },
        rule: { apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
      }),
    ],
    requests: [
      [
        'POST',
        '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
      ],
    ],
  },
  'defaults after a patch': {
    hooks: [
      mutating(patch({ op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'added', image: 'y' } }), {
        rule: { apiGroups: ['apps'], resources: ['deployments'] },
      }),
      validating(allow, { rule: { apiGroups: ['apps'], resources: ['deployments'] } }),
    ],
    requests: [['POST', apps, deployment]],
  },
  status: {
    strays: ['managedFields'],
    hooks: [
      validating(allow, { rule: { apiGroups: ['apps'], resources: ['deployments/status'] } }),
      mutating(
        patch({ op: 'add', path: '/status/replicas', value: 3 }, { op: 'add', path: '/spec/paused', value: true }),
        { rule: { apiGroups: ['apps'], resources: ['deployments/status'] } },
      ),
    ],
    requests: [
      ['POST', apps, deployment],
      ['PATCH', `${apps}/NAME/status`, { status: { readyReplicas: 1, replicas: 2 } }, merge],
    ],
  },
  scale: {
    strays: ['labels', 'selector', 'managedFields'],
    hooks: [
      validating(allow, { everything: true, rule: { apiGroups: ['apps'], resources: ['deployments/scale'] } }),
      mutating(patch({ op: 'replace', path: '/spec/replicas', value: 5 }), {
        everything: true,
        rule: { apiGroups: ['apps'], resources: ['deployments/scale'] },
      }),
    ],
    requests: [
      ['POST', apps, deployment],
      ['PATCH', `${apps}/NAME/scale`, { spec: { replicas: 2 } }, merge],
      [
        'PUT',
        `${apps}/NAME/scale`,
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'NAME' }, spec: { replicas: 3 } },
      ],
    ],
  },
  apply: {
    hooks: [mutating(patch(label('x'))), validating(allow)],
    requests: [
      [
        'PATCH',
        `${configs}/NAME?fieldManager=m`,
        { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
        'application/apply-patch+yaml',
      ],
      [
        'PATCH',
        `${configs}/NAME?fieldManager=m`,
        { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'c' } },
        'application/apply-patch+yaml',
      ],
      ['GET', `${configs}/NAME`],
    ],
  },
  'managed fields': {
    hooks: [mutating(patch({ op: 'remove', path: '/metadata/managedFields' })), validating(allow)],
    requests: [create, ['GET', `${configs}/NAME`]],
  },
  'a namespace': {
    strays: ['status'],
    hooks: [
      mutating(allow, {
        rule: { resources: ['namespaces'] },
        fields: { namespaceSelector: { matchLabels: { 'ns-case': 'NAME' } } },
      }),
      validating(allow, { rule: { resources: ['namespaces'] } }),
    ],
    requests: [
      ['POST', '/api/v1/namespaces', { metadata: { labels: { 'ns-case': 'NAME' } } }],
      ['PATCH', '/api/v1/namespaces/NAME', { metadata: { labels: { x: 'y' } } }, merge],
      ['POST', '/api/v1/namespaces/NAME/configmaps', {}],
    ],
  },
  'a namespace of the cluster scope': {
    hooks: [
      validating(deny(), { rule: { resources: ['namespaces'], scope: 'Namespaced' } }),
      validating(allow, { suffix: 'c', rule: { resources: ['namespaces', 'configmaps'], scope: 'Cluster' } }),
    ],
    requests: [
      ['POST', '/api/v1/namespaces', {}],
      ['PATCH', '/api/v1/namespaces/NAME', { metadata: { labels: { x: 'y' } } }, merge],
      create,
    ],
  },
  'a pod': {
    strays: ['tolerations', 'priority', 'preemptionPolicy'],
    hooks: [
      mutating(patch({ op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'y' } }), {
        rule: { resources: ['pods'] },
      }),
      validating(allow, { rule: { resources: ['pods'] } }),
    ],
    requests: [
      ['POST', pods, { spec: { containers: [container] } }],
      ['DELETE', `${pods}/NAME?gracePeriodSeconds=0`],
    ],
  },
  binding: {
    strays: ['managedFields'],
    hooks: [
      mutating(allow, { everything: true, rule: { resources: ['pods/binding', 'bindings'] } }),
      validating(deny({ message: 'no' }), { everything: true, rule: { resources: ['pods/binding', 'bindings'] } }),
    ],
    requests: [
      ['POST', pods, { spec: { containers: [container] } }],
      ['POST', `${pods}/NAME/binding`, { metadata: { name: 'NAME' }, target: { kind: 'Node', name: 'n' } }],
      [
        'POST',
        '/api/v1/namespaces/default/bindings',
        { metadata: { name: 'NAME' }, target: { kind: 'Node', name: 'n' } },
      ],
    ],
  },
  eviction: {
    hooks: [
      mutating(allow, { everything: true, rule: { resources: ['pods/eviction'] } }),
      validating(deny({ message: 'no' }), { everything: true, rule: { resources: ['pods/eviction'] } }),
    ],
    requests: [
      ['POST', pods, { spec: { containers: [container] } }],
      ['POST', `${pods}/NAME/eviction`, { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'NAME' } }],
    ],
  },
  connect: {
    hooks: [
      validating(deny({ message: 'no' }), {
        everything: true,
        rule: {
          operations: ['CONNECT'],
          resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'services/proxy', 'nodes/proxy'],
        },
      }),
      mutating(allow, {
        everything: true,
        rule: {
          operations: ['CONNECT'],
          resources: ['pods/exec', 'pods/attach', 'pods/portforward', 'pods/proxy', 'services/proxy', 'nodes/proxy'],
        },
      }),
    ],
    requests: [
      ['POST', pods, { spec: { containers: [container] } }],
      ['POST', `${pods}/NAME/exec?command=a&command=b&stdin=true&stdout=1&container=m`],
      ['POST', `${pods}/NAME/attach?stdout=true&tty=true`],
      ['POST', `${pods}/NAME/portforward?ports=80`],
      ['GET', `${pods}/NAME/proxy/a/b?c=d`],
      ['GET', `${pods}/NAME/proxy`],
      ['GET', '/api/v1/namespaces/default/services/s/proxy/x'],
      ['GET', '/api/v1/nodes/n/proxy/metrics'],
    ],
  },
  reviews: {
    strays: ['managedFields', 'reason', 'status'],
    hooks: [
      validating(allow, {
        everything: true,
        rule: { apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'], apiVersions: ['v1'], resources: ['*'] },
      }),
    ],
    requests: [
      [
        'POST',
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        { metadata: undefined, spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
      ],
    ],
  },
};
