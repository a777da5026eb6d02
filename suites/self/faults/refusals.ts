// Servers that break what the general chapters ask of errors, discovery and the surface.
import { isObject } from '../../support/json.js';
import { generalChapters } from './generalChapters.js';
import { answering, type Fault, failure, isList, type Passing, reply, without } from './parts.js';

const json = { 'content-type': 'application/json' };
const isEmptyPatch = ({ method, body }: Passing): boolean => method === 'PATCH' && body === '';
const isEmptyReplace = ({ method, body }: Passing): boolean => method === 'PUT' && body === '';
const isPlainText = ({ method, headers }: Passing): boolean =>
  method !== 'GET' && headers['content-type'] === 'text/plain';

const mergePatch = { 'content-type': 'application/merge-patch+json' };
let count = 0;

/** A patch that changes a label, each time to another value. */
function labelled(passing: Passing): Passing {
  count += 1;
  const body = JSON.stringify({ metadata: { labels: { count: String(count) } } });
  return { ...passing, headers: { ...passing.headers, ...mergePatch }, body };
}

const rows: readonly Fault[] = [
  {
    name: 'lets everybody in',
    grep: '/configmaps',
    fails: ['errors.unauthenticated', 'errors.unauthenticated-status'],
    reply: (returning) =>
      returning.status === 401 ? reply(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' }) : returning,
  },
  {
    name: 'forbids strangers what they ask for',
    grep: '/configmaps',
    fails: ['errors.unauthenticated-status'],
    reply: (returning) => (returning.status === 401 ? { ...returning, status: 403 } : returning),
  },
  {
    name: 'answers every refused write with 500',
    grep: '/configmaps',
    fails: [
      'create.absent-namespace',
      'create.namespace-mismatch',
      'create.taken-name',
      'delete.absent',
      'errors.invalid-name',
      'errors.malformed-body',
      'errors.missing-body',
      'errors.missing-patch-client-error',
      'errors.not-acceptable',
      'errors.unauthenticated',
      'errors.unauthenticated-status',
      'errors.unsupported-media-type',
      'errors.unsupported-patch-type',
      'errors.unsupported-patch-type-answer',
      'errors.wrong-kind',
      'replace.absent',
      'replace.name-mismatch',
      'replace.other-uid',
      'replace.stale',
    ],
    reply: (returning, { method }) =>
      returning.status > 399 && method !== 'GET' ? { ...returning, status: 500 } : returning,
  },
  {
    name: 'takes a patch without a body for one that changes nothing',
    grep: 'errors.missing-patch › PATCH /api/v1/namespaces/{namespace}/configmaps',
    fails: ['errors.missing-patch'],
    request: (passing) => (isEmptyPatch(passing) ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : passing),
  },
  {
    name: 'writes a label for a patch that it refuses',
    grep: 'errors.missing-patch › PATCH /api/v1/namespaces/{namespace}/configmaps',
    fails: ['errors.missing-patch'],
    request: (passing) => (isEmptyPatch(passing) ? labelled(passing) : passing),
    reply: (returning, { method }) => (method === 'PATCH' ? failure(400, 'BadRequest') : returning),
  },
  {
    name: 'fails for a patch without a body',
    grep: 'errors.missing-patch-client-error › PATCH /api/v1/namespaces/{namespace}/configmaps',
    fails: ['errors.missing-patch-client-error'],
    request: (passing) => (isEmptyPatch(passing) ? failure(500, 'InternalError') : passing),
  },
  {
    name: 'writes a label for a replace without a body, which it refuses',
    grep: 'errors.missing-body › PUT /api/v1/namespaces/{namespace}/configmaps',
    fails: ['errors.missing-body'],
    request: (passing) => (isEmptyReplace(passing) ? { ...labelled(passing), method: 'PATCH' } : passing),
    reply: (returning, passing) => (isEmptyReplace(passing) ? failure(400, 'BadRequest') : returning),
  },
  {
    name: 'writes what it refuses',
    grep: '/configmaps',
    fails: ['errors.refused-changes-nothing'],
    request: (passing) => (isPlainText(passing) ? { ...passing, headers: { ...passing.headers, ...json } } : passing),
    reply: (returning, passing) => (isPlainText(passing) ? failure(415, 'UnsupportedMediaType') : returning),
  },
  {
    name: 'takes every method for a read',
    grep: 'errors.method-not-allowed',
    fails: ['errors.method-not-allowed'],
    reply: (returning) => (returning.status === 405 ? reply(200, {}) : returning),
  },
  {
    name: 'has something under every path',
    grep: 'errors.unknown-path',
    fails: ['errors.unknown-path'],
    reply: (returning) => (returning.status === 404 ? reply(200, {}) : returning),
  },
  {
    name: 'does not know the legacy proxy',
    grep: 'surface.served › GET /api/v1/proxy',
    fails: ['surface.served'],
    request: (passing) => (passing.path.startsWith('/api/v1/proxy/') ? failure(404, 'NotFound') : passing),
  },
  {
    name: 'answers 400 for a patch of an unknown type',
    grep: 'errors.unsupported-patch-type',
    fails: ['errors.unsupported-patch-type-answer'],
    conformant: true,
    reply: (returning) => (returning.status === 415 ? failure(400, 'BadRequest') : returning),
  },
  {
    name: 'applies a patch of an unknown type',
    grep: 'errors.unsupported-patch-type',
    fails: ['errors.unsupported-patch-type', 'errors.unsupported-patch-type-answer'],
    conformant: false,
    request: (passing) =>
      passing.method === 'PATCH'
        ? { ...passing, headers: { ...passing.headers, 'content-type': 'application/merge-patch+json' } }
        : passing,
  },
  {
    name: 'refuses a patch of an unknown type and applies it all the same',
    grep: 'errors.unsupported-patch-type ›',
    fails: ['errors.unsupported-patch-type'],
    conformant: false,
    request: (passing) =>
      passing.method === 'PATCH'
        ? { ...passing, headers: { ...passing.headers, 'content-type': 'application/merge-patch+json' } }
        : passing,
    reply: (returning, { method }) => (method === 'PATCH' ? failure(415, 'UnsupportedMediaType') : returning),
  },
  {
    name: 'says that absent objects are gone',
    grep: 'namespaces/{namespace}/configmaps',
    fails: ['create.absent-namespace', 'delete.absent', 'read.absent', 'replace.absent'],
    conformant: true,
    reply: (returning) => (returning.status === 404 ? failure(410, 'Gone') : returning),
  },
  {
    name: 'does not list a resource that it serves',
    grep: 'discovery.resource › ',
    fails: ['discovery.resource'],
    conformant: false,
    reply: answering((body) =>
      Array.isArray(body.resources)
        ? { ...body, resources: body.resources.filter((entry) => !isObject(entry) || entry.name !== 'pods') }
        : body,
    ),
  },
  {
    name: 'lists resources without their scope',
    grep: 'discovery.',
    fails: ['discovery.names', 'discovery.resource-fields'],
    reply: answering((body) => {
      const entries = Array.isArray(body.resources) ? body.resources.filter(isObject) : undefined;
      return entries === undefined
        ? body
        : { ...body, resources: entries.map((entry) => without(entry, 'namespaced')) };
    }),
  },
  {
    name: 'names the group version of discovery wrongly, and no version of itself',
    grep: 'discovery.',
    fails: ['discovery.group-version', 'discovery.roots'],
    reply: answering((body) => without(body, 'groupVersion', 'gitVersion')),
  },
  {
    name: 'leaves a kind that it serves out of discovery',
    grep: 'discovery.',
    fails: ['discovery.complete', 'discovery.resource'],
    reply: answering((body) =>
      Array.isArray(body.resources)
        ? { ...body, resources: body.resources.filter(isObject).filter(({ kind }) => kind !== 'ConfigMap') }
        : body,
    ),
  },
  {
    name: 'has no discovery of a group that it serves',
    grep: 'discovery.complete › GET /apis/batch/v1',
    fails: ['discovery.complete'],
    request: (passing) => (passing.path === '/apis/batch/v1' ? failure(404, 'NotFound') : passing),
  },
  {
    name: 'has no components',
    grep: 'list.component-statuses',
    fails: ['list.component-statuses'],
    reply: answering((body) => (isList(body) ? { ...body, items: [] } : body)),
  },
  {
    name: 'swallows what hurts',
    grep: 'errors.',
    fails: ['errors.hostile', 'errors.too-large'],
    request: (passing) =>
      passing.body.length > 3_000_000 || /\[\[\[\[|&l0|__proto__|\ufffd/.test(passing.body.slice(0, 5_000))
        ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' })
        : passing,
  },
];

/** Servers that refuse wrongly, or list what they serve wrongly. */
export const refusalFaults: readonly Fault[] = rows.map((fault) => ({ ...fault, chapters: generalChapters }));
