// Servers that break the chapters that hold for every kind.

import { itemsOf, merge } from '../../support/json.js';
import { generalChapters } from './generalChapters.js';
import {
  acrossNamespaces,
  answering,
  asking,
  type Fault,
  failure,
  isCollection,
  isList,
  metadata,
  reply,
  without,
} from './parts.js';

const rows: readonly Fault[] = [
  {
    name: 'answers creates with 201',
    grep: 'configmaps',
    fails: ['responses.status'],
    reply: (returning, { method }) =>
      method === 'POST' && returning.status === 200 ? { ...returning, status: 201 } : returning,
  },
  {
    name: 'calls everything JSON',
    grep: 'configmaps',
    fails: [
      'responses.media-type',
      'responses.body-decodes',
      'responses.body-fields',
      'responses.body-kind',
      'responses.body-schema',
      'errors.accept',
    ],
    reply: (returning) => ({ ...returning, headers: { ...returning.headers, 'content-type': 'application/json' } }),
  },
  {
    name: 'forgets apiVersion and kind',
    grep: 'configmaps',
    fails: [
      'responses.body-fields',
      'responses.body-kind',
      'create.answer',
      'create.effect-read',
      'delete.answer',
      'deleteCollection.answer',
      'list.empty',
      'list.kind',
      'read.object',
    ],
    reply: answering((body) => without(body, 'kind', 'apiVersion')),
  },
  {
    name: 'takes JSON only',
    grep: 'configmaps',
    fails: ['responses.request-type', 'responses.request-understood'],
    request: (passing) =>
      passing.headers['content-type'] === 'application/yaml' ? failure(400, 'BadRequest') : passing,
  },
  {
    name: 'drops the labels of what is created',
    grep: 'create.',
    fails: ['create.answer', 'create.effect-read'],
    request: asking('POST', (body) =>
      body.kind === 'ConfigMap' ? { ...body, metadata: without(metadata(body), 'labels') } : body,
    ),
  },
  {
    name: 'lists every namespace when asked for one',
    grep: '/configmaps',
    fails: ['create.absent-namespace', 'list.same-name', 'list.scope'],
    request: (passing) => (passing.method === 'GET' ? { ...passing, path: acrossNamespaces(passing.path) } : passing),
  },
  {
    name: 'puts the type into every item',
    grep: 'list.',
    fails: ['list.items-untyped'],
    reply: answering((body) =>
      isList(body) ? { ...body, items: itemsOf(body).map((item) => ({ kind: 'X', apiVersion: 'v1', ...item })) } : body,
    ),
  },
  {
    name: 'lists without a resourceVersion',
    grep: 'list.',
    fails: ['list.empty', 'list.resource-version'],
    reply: answering((body) => (isList(body) ? { ...body, metadata: {} } : body)),
  },
  {
    name: 'knows objects by their names alone when it lists all',
    grep: 'list.same-name › GET /api/v1/configmaps',
    fails: ['list.same-name'],
    reply: answering((body) =>
      isList(body)
        ? { ...body, items: [...new Map(itemsOf(body).map((item) => [metadata(item).name, item])).values()] }
        : body,
    ),
  },
  {
    name: 'deletes every object of a name, wherever it is',
    grep: 'list.same-name › GET /api/v1/namespaces/{namespace}/configmaps',
    fails: ['list.same-name'],
    reply: deletesElsewhere(),
  },
  {
    name: 'lists nothing as null',
    grep: 'list.empty › GET /api/v1/namespaces/{namespace}/configmaps',
    fails: ['list.empty'],
    reply: answering((body) => (isList(body) && itemsOf(body).length === 0 ? { ...body, items: null } : body)),
  },
  {
    name: 'answers a write with the version from before',
    grep: 'responses.answer-version › PUT /api/v1/namespaces/{namespace}/configmaps',
    fails: ['responses.answer-version'],
    reply: answering((body, { method, body: sent }) =>
      method === 'PUT'
        ? merge(body, { metadata: { resourceVersion: metadata(JSON.parse(sent)).resourceVersion ?? null } })
        : body,
    ),
  },
  {
    name: 'answers a change of the scale without its version',
    grep: 'responses.answer-version › PUT /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}/scale',
    fails: ['responses.answer-version'],
    reply: answering((body) =>
      body.kind === 'Scale' ? { ...body, metadata: without(metadata(body), 'resourceVersion') } : body,
    ),
  },
  {
    name: 'lists every object twice',
    grep: '/configmaps',
    fails: ['create.effect-list', 'list.contains', 'list.same-name', 'list.scope', 'replace.effect-list'],
    reply: answering((body) =>
      isList(body) ? { ...body, items: itemsOf(body).flatMap((item) => [item, item]) } : body,
    ),
  },
  {
    name: 'lists items without their data',
    grep: 'list.content',
    fails: ['list.content'],
    reply: answering((body) =>
      isList(body) ? { ...body, items: itemsOf(body).map((item) => without(item, 'spec')) } : body,
    ),
  },
  {
    name: 'says that an absent object is there',
    grep: 'GET /api/v1/namespaces/{namespace}/configmaps/{name}',
    fails: ['read.absent', 'read.other-namespace'],
    reply: (returning, { method }) =>
      method === 'GET' && returning.status === 404
        ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} })
        : returning,
  },
  {
    name: 'gives every read another uid',
    grep: 'configmaps',
    fails: ['deleteCollection.spares-unselected', 'list.content', 'read.identity', 'replace.identity'],
    reply: answering((body, { method }) =>
      method === 'GET' && body.kind === 'ConfigMap' ? merge(body, { metadata: { uid: 'another' } }) : body,
    ),
  },
  {
    name: 'creates without a uid',
    grep: 'configmaps',
    fails: ['create.identity', 'create.own-uid', 'read.identity', 'replace.identity'],
    reply: answering((body, { method }) =>
      method === 'POST' && body.kind === 'ConfigMap' ? { ...body, metadata: without(metadata(body), 'uid') } : body,
    ),
  },
  {
    name: 'ignores generateName',
    grep: 'create.generated-name › POST /api/v1/namespaces/{namespace}/configmaps',
    fails: ['create.generated-name'],
    request: asking('POST', (body) =>
      metadata(body).generateName === undefined ? body : merge(body, { metadata: { name: 'always-the-same' } }),
    ),
  },
  {
    name: 'reports conflicts as success',
    grep: 'configmaps',
    fails: ['create.taken-name', 'replace.stale', 'replace.other-uid'],
    reply: (returning) => (returning.status === 409 ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : returning),
  },
  {
    name: 'overwrites with a stale resourceVersion',
    grep: 'configmaps',
    fails: ['replace.stale'],
    request: asking('PUT', (body) => ({ ...body, metadata: without(metadata(body), 'resourceVersion') })),
  },
  {
    name: 'reports a replace and does not do it',
    grep: '/configmaps',
    fails: [
      'responses.media-type',
      'responses.request-understood',
      'errors.not-acceptable',
      'errors.refused-changes-nothing',
      'errors.unauthenticated',
      'errors.unauthenticated-status',
      'errors.unsupported-media-type',
      'list.same-name',
      'replace.absent',
      'replace.effect-list',
      'replace.effect-read',
      'replace.identity',
      'replace.name-mismatch',
      'replace.other-uid',
      'replace.stale',
    ],
    request: (passing) =>
      passing.method === 'PUT' && passing.body.startsWith('{') ? { ...reply(200, JSON.parse(passing.body)) } : passing,
  },
  {
    name: 'reports a delete and does not do it',
    grep: '/configmaps',
    fails: [
      'responses.media-type',
      'responses.request-understood',
      'delete.absent',
      'delete.effect-list',
      'delete.effect-read',
      'delete.without-options',
      'errors.not-acceptable',
      'errors.unauthenticated',
      'errors.unauthenticated-status',
      'list.same-name',
    ],
    request: (passing) =>
      passing.method === 'DELETE' && passing.path.includes('/configmaps/')
        ? reply(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' })
        : passing,
  },
  {
    name: 'ignores the selector of a delete-collection',
    grep: '/configmaps',
    fails: [
      'responses.status',
      'responses.media-type',
      'responses.body-decodes',
      'responses.body-fields',
      'responses.body-kind',
      'responses.body-schema',
      'deleteCollection.answer',
      'deleteCollection.effect-selected',
      'deleteCollection.spares-other-namespaces',
      'deleteCollection.spares-unselected',
      'errors.not-acceptable',
    ],
    request: (passing) =>
      passing.method === 'DELETE' && isCollection(passing)
        ? { ...passing, path: passing.path.split('?')[0] ?? '' }
        : passing,
  },
  {
    name: 'does not list what is new',
    grep: 'create.effect-list',
    fails: ['create.effect-list'],
    reply: answering((body) => (isList(body) ? { ...body, items: [] } : body)),
  },
  {
    name: 'answers a replace with what was there before',
    grep: 'replace.answer › PUT /api/v1/namespaces/{namespace}/configmaps',
    fails: ['replace.answer'],
    reply: answering((body, { method }) =>
      method === 'PUT' ? { ...body, metadata: without(metadata(body), 'labels') } : body,
    ),
  },
  emptiesOthers(),
];

/** Servers that break the chapters that hold for every kind. */
export const generalFaults: readonly Fault[] = rows.map((fault) => ({ ...fault, chapters: generalChapters }));

/** After a delete, what has that name in another namespace reads as gone. */
function deletesElsewhere(): NonNullable<Fault['reply']> {
  const deleted = new Set<string>();
  return (returning, { method, path }) => {
    const name = path.split('?')[0]?.split('/').at(-1) ?? '';
    if (method === 'DELETE') deleted.add(name);
    return method === 'GET' && deleted.has(name) ? failure(404, 'NotFound') : returning;
  };
}

/** After the first delete, every other object reads as empty. */
function emptiesOthers(): Fault {
  let deleted = false;
  return {
    name: 'empties the other objects on a delete',
    grep: 'delete.spares-others › DELETE /api/v1/namespaces/{namespace}/configmaps',
    fails: ['delete.spares-others'],
    request: (passing) => {
      deleted ||= passing.method === 'DELETE' && passing.path.includes('/configmaps/');
      return passing;
    },
    reply: answering((body) => (deleted && body.kind === 'ConfigMap' ? without(body, 'data') : body)),
  };
}
