// Servers that break what a delete is told and what it answers; `deletionEffects.ts` has those that break what it does.
import { at, isObject, itemsOf, type JsonObject } from '../../support/json.js';
import { deletionEffectsFaults } from './deletionEffects.js';
import { answering, asking, type Fault, failure, type Passing, without } from './parts.js';

const configMap = 'DELETE /api/v1/namespaces/{namespace}/configmaps/{name}';
const pod = 'DELETE /api/v1/namespaces/{namespace}/pods/{name}';
const ofCollection = (name: string): string =>
  `deleteOptions.${name} › DELETE /api/v1/namespaces/{namespace}/configmaps`;

/** Without the body: as if there were no options. */
const unread = (passing: Passing): Passing => ({ ...passing, body: '' });
const isDelete = ({ method, path }: Passing): boolean => method === 'DELETE' && /\/(configmaps|pods)/.test(path);
const decodes = ({ body }: Passing): boolean => {
  try {
    return isObject(JSON.parse(body));
  } catch {
    return false;
  }
};
const typeOf = ({ headers }: Passing): string => headers['content-type'] ?? '';

/** Changes the options of a delete, as far as they are JSON. */
const options = (change: (body: JsonObject) => JsonObject) => asking('DELETE', change);

/** Takes a part out of the query of a delete. */
const withoutQuery =
  (part: RegExp): NonNullable<Fault['request']> =>
  (passing) =>
    isDelete(passing) ? { ...passing, path: passing.path.replace(part, '').replace(/[?&]$/, '') } : passing;

const rows: readonly Omit<Fault, 'chapters'>[] = [
  {
    name: 'takes no delete options in YAML',
    grep: configMap,
    fails: ['deleteOptions.options'],
    request: (passing) =>
      isDelete(passing) && typeOf(passing) === 'application/yaml' ? failure(415, 'UnsupportedMediaType') : passing,
  },
  {
    name: 'takes no empty delete options',
    grep: configMap,
    fails: ['deleteOptions.options-empty'],
    request: (passing) =>
      isDelete(passing) && passing.body === '{}' && typeOf(passing) === 'application/json'
        ? failure(400, 'BadRequest')
        : passing,
  },
  {
    name: 'takes malformed delete options for none',
    grep: configMap,
    fails: ['deleteOptions.options-malformed'],
    request: (passing) =>
      isDelete(passing) && typeOf(passing) === 'application/json' && !decodes(passing) ? unread(passing) : passing,
  },
  {
    name: 'takes any kind for delete options',
    grep: configMap,
    fails: ['deleteOptions.options-wrong-kind'],
    request: options((body) => ({ ...body, kind: 'DeleteOptions' })),
  },
  {
    name: 'reads delete options of any type',
    grep: configMap,
    fails: ['deleteOptions.options-type'],
    request: (passing) =>
      isDelete(passing) && typeOf(passing) !== 'application/yaml'
        ? { ...passing, headers: { ...passing.headers, 'content-type': 'application/json' } }
        : passing,
  },
  {
    name: 'ignores a grace period that is no number',
    grep: configMap,
    fails: ['deleteOptions.query-malformed'],
    request: withoutQuery(/gracePeriodSeconds=soon/),
  },
  {
    name: 'ignores the uid of a precondition',
    grep: configMap,
    fails: ['deleteOptions.precondition-uid'],
    request: options((body) =>
      isObject(body.preconditions) ? { ...body, preconditions: without(body.preconditions, 'uid') } : body,
    ),
  },
  {
    name: 'ignores the resourceVersion of a precondition',
    grep: configMap,
    fails: ['deleteOptions.precondition-version'],
    request: options((body) =>
      isObject(body.preconditions) ? { ...body, preconditions: without(body.preconditions, 'resourceVersion') } : body,
    ),
  },
  {
    name: 'takes every precondition for unmet',
    grep: configMap,
    fails: ['deleteOptions.precondition-met'],
    request: (passing) =>
      isDelete(passing) && passing.body.includes('"preconditions":{') ? failure(409, 'Conflict') : passing,
  },
  {
    name: 'ignores a dry run in the query of a delete',
    grep: configMap,
    fails: ['deleteOptions.dry-run'],
    request: withoutQuery(/dryRun=All/),
  },
  {
    name: 'ignores a dry run in delete options',
    grep: configMap,
    fails: ['deleteOptions.dry-run', 'deleteOptions.dry-run-unknown'],
    request: options((body) => without(body, 'dryRun')),
  },
  {
    name: 'names another object in the Status of a delete',
    grep: configMap,
    fails: ['deleteOptions.answer-status'],
    reply: answering((body, { method }) =>
      method === 'DELETE' && isObject(body.details) ? { ...body, details: { ...body.details, name: 'other' } } : body,
    ),
  },
  {
    name: 'answers a Status to a delete that is put off',
    grep: configMap,
    fails: ['deleteOptions.answer-object'],
    reply: answering((body, { method }) =>
      method === 'DELETE' && body.kind === 'ConfigMap' ? { kind: 'Status', apiVersion: 'v1', status: 'Success' } : body,
    ),
  },
  {
    name: 'answers a Status to the delete of a Pod',
    grep: pod,
    // Finalizers put it off too.
    fails: ['deleteOptions.answer-object', 'deleteOptions.answer-pod'],
    reply: answering((body, { method }) =>
      method === 'DELETE' && body.kind === 'Pod' ? { kind: 'Status', apiVersion: 'v1', status: 'Success' } : body,
    ),
  },
  {
    name: 'answers every object twice to a delete-collection',
    grep: ofCollection('answer-list'),
    fails: ['deleteOptions.answer-list'],
    reply: answering((body, { method }) =>
      method === 'DELETE' && body.kind === 'ConfigMapList'
        ? { ...body, items: [...itemsOf(body), ...itemsOf(body)] }
        : body,
    ),
  },
  {
    name: 'takes an unknown propagation for Background',
    grep: configMap,
    fails: ['deleteOptions.propagation-unknown'],
    request: options((body) =>
      body.propagationPolicy === 'Sideways' ? { ...body, propagationPolicy: 'Background' } : body,
    ),
  },
  {
    name: 'lets a propagation win over orphanDependents',
    grep: configMap,
    fails: ['deleteOptions.propagation-twice'],
    request: options((body) => (body.propagationPolicy === undefined ? body : without(body, 'orphanDependents'))),
  },
  {
    name: 'takes no options for a delete-collection',
    grep: ofCollection('collection-options'),
    fails: ['deleteOptions.collection-options'],
    request: (passing) => (isDelete(passing) && passing.body !== '' ? failure(400, 'BadRequest') : passing),
  },
  ...['collection-dry-run', 'collection-malformed', 'collection-propagation', 'collection-precondition'].map(
    (name) => ({
      name: `does not read the options of a delete-collection (${name})`,
      grep: ofCollection(name),
      fails: [`deleteOptions.${name}`],
      request: (passing: Passing) => (isDelete(passing) ? unread(passing) : passing),
    }),
  ),
  {
    name: 'never gives a name free',
    grep: configMap,
    fails: ['deleteOptions.name-free'],
    request: neverFree(),
  },
];

/** Refuses to create what was deleted before. */
function neverFree(): NonNullable<Fault['request']> {
  const deleted = new Set<string>();
  return (passing) => {
    if (isDelete(passing)) deleted.add(passing.path.split(/[/?]/).at(-1) ?? '');
    if (passing.method !== 'POST') return passing;
    const name = at(JSON.parse(passing.body), 'metadata', 'name');
    return deleted.has(String(name)) ? failure(409, 'AlreadyExists') : passing;
  };
}

export const deleteOptionsFaults: readonly Fault[] = [
  ...rows.map((row) => ({ ...row, chapters: ['deleteOptions'] as const })),
  ...deletionEffectsFaults,
];
