// Servers that break what the general chapters ask of errors, discovery and the surface.
import { isObject } from '../../support/json.js';
import { generalChapters } from './generalChapters.js';
import { answering, type Fault, failure, isList, reply, without } from './parts.js';

const rows: readonly Fault[] = [
  {
    name: 'lets everybody in',
    grep: '/configmaps',
    fails: ['errors.unauthenticated'],
    reply: (returning) =>
      returning.status === 401 ? reply(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' }) : returning,
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
      'errors.not-acceptable',
      'errors.unauthenticated',
      'errors.unsupported-media-type',
      'errors.unsupported-patch-type',
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
    name: 'lists resources without their scope',
    grep: 'discovery.',
    fails: ['discovery.names', 'discovery.resource'],
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
