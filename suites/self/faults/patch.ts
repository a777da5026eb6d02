// Servers that patch wrongly.
import { isObject, itemsOf, type JsonObject, merge } from '../../support/json.js';
import { answering, asking, type Fault, failure, isList, metadata, type Passing, reply, without } from './parts.js';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const onConfigMaps = 'PATCH /api/v1/namespaces/{namespace}/configmaps/{name}';

const typeOf = ({ headers }: Passing): string => headers['content-type'] ?? '';
const isPatch = ({ method }: Passing): boolean => method === 'PATCH';
const withType = (passing: Passing, type: string): Passing => ({
  ...passing,
  headers: { ...passing.headers, 'content-type': type },
});
const nothing = (passing: Passing): Passing => ({ ...passing, body: typeOf(passing) === jsonPatch ? '[]' : '{}' });

/** Replaces the data of an object where a merge should change it. */
const replacingData = asking('PATCH', (body) =>
  isObject(body.data) ? { ...body, data: { $patch: 'replace', ...body.data } } : body,
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const patchFaults: readonly Fault[] = [
  {
    name: 'reports a patch and does not do it',
    grep: `${onConfigMaps}, application/`,
    fails: [
      'patch.answer',
      'patch.concurrent',
      'patch.current',
      'patch.effect-list',
      'patch.effect-read',
      'patch.identity',
      'patch.invalid-result',
      'patch.other-kind',
      'patch.other-uid',
      'patch.rename',
      'patch.stale',
      'patch.type-parameters',
    ],
    request: (passing) => (isPatch(passing) && typeOf(passing).includes('patch+json') ? nothing(passing) : passing),
  },
  {
    name: 'answers a patch with what was there before',
    grep: `${onConfigMaps}, application/`,
    fails: ['patch.answer', 'patch.current', 'patch.type-parameters'],
    reply: answering((body, passing) =>
      isPatch(passing) ? { ...body, metadata: without(metadata(body), 'labels') } : body,
    ),
  },
  {
    name: 'forgets the data of what is patched',
    grep: `patch.effect-read › ${onConfigMaps}`,
    fails: ['patch.effect-read'],
    request: (passing) =>
      isPatch(passing) && typeOf(passing) === mergePatch
        ? { ...passing, body: JSON.stringify(merge(JSON.parse(passing.body), { data: null })) }
        : passing,
  },
  {
    name: 'lists what was patched twice',
    grep: `patch.effect-list › ${onConfigMaps}`,
    fails: ['patch.effect-list'],
    reply: answering((body) => (isList(body) ? { ...body, items: [...itemsOf(body), ...itemsOf(body)] } : body)),
  },
  {
    name: 'says that the object moved though nothing changed',
    grep: `patch.no-change › ${onConfigMaps}`,
    fails: ['patch.no-change'],
    reply: answering((body, passing) =>
      isPatch(passing) ? merge(body, { metadata: { resourceVersion: '999999999' } }) : body,
    ),
  },
  {
    name: 'does not know a patch type that has a parameter',
    grep: `${onConfigMaps}, application/`,
    fails: ['patch.type-parameters'],
    request: (passing) =>
      isPatch(passing) && typeOf(passing).includes(';') ? failure(415, 'UnsupportedMediaType') : passing,
  },
  {
    name: 'takes every body for a merge patch',
    grep: `patch.without-type › ${onConfigMaps}`,
    fails: ['patch.without-type'],
    request: (passing) => (isPatch(passing) ? withType(passing, mergePatch) : passing),
  },
  {
    name: 'leaves out of a patch what it cannot change',
    grep: `${onConfigMaps}, ${mergePatch}`,
    fails: ['patch.invalid-result', 'patch.other-kind', 'patch.other-uid', 'patch.rename', 'patch.stale'],
    request: asking('PATCH', (body) => ({
      ...without(body, 'kind', 'apiVersion'),
      metadata: {
        ...without(metadata(body), 'name', 'namespace', 'uid', 'resourceVersion'),
        ...(isObject(metadata(body).labels) ? { labels: without(metadata(body).labels as JsonObject, '-') } : {}),
      },
    })),
  },
  {
    name: 'does what a patch says and reports an error',
    grep: `patch.rename › ${onConfigMaps}, ${mergePatch}`,
    fails: ['patch.rename'],
    request: asking('PATCH', (body) => ({ ...body, metadata: without(metadata(body), 'name', 'namespace') })),
    reply: (returning, passing) => (isPatch(passing) ? failure(400, 'BadRequest') : returning),
  },
  {
    name: 'finds what is absent',
    grep: `patch.absent › ${onConfigMaps}`,
    fails: ['patch.absent'],
    reply: (returning, passing) =>
      isPatch(passing) && returning.status === 404 ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : returning,
  },
  {
    name: 'loses a patch that ran with others',
    grep: `patch.concurrent › ${onConfigMaps}`,
    fails: ['patch.concurrent'],
    request: (passing) => (isPatch(passing) && passing.body.includes('writer-3') ? nothing(passing) : passing),
  },
  {
    name: 'does not try a patch again',
    grep: `patch.concurrent › ${onConfigMaps}`,
    fails: ['patch.concurrent'],
    request: (passing) => (isPatch(passing) && passing.body.includes('writer-3') ? failure(409, 'Conflict') : passing),
  },
  {
    name: 'breaks on a prototype',
    grep: 'patch.hostile › server, __proto__',
    fails: ['patch.hostile'],
    request: (passing) => (passing.body.includes('__proto__') ? failure(500, 'InternalError') : passing),
  },
  {
    name: 'does the first operation only',
    grep: 'patch.json-patch',
    fails: ['patch.json-patch', 'patch.json-patch-all-or-nothing', 'patch.json-patch-pointers'],
    request: (passing) => {
      const operations = isPatch(passing) && typeOf(passing) === jsonPatch ? parsed(passing.body) : undefined;
      return Array.isArray(operations) ? { ...passing, body: JSON.stringify(operations.slice(0, 1)) } : passing;
    },
  },
  {
    name: 'skips operations that fail',
    grep: 'patch.json-patch',
    fails: [
      'patch.json-patch-all-or-nothing',
      'patch.json-patch-malformed',
      'patch.json-patch-missing-path',
      'patch.json-patch-test',
    ],
    reply: (returning, passing) =>
      isPatch(passing) && returning.status > 399 ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : returning,
  },
  {
    name: 'answers 500 for what fails of a JSON patch',
    grep: 'patch.json-patch',
    fails: [
      'patch.json-patch-all-or-nothing-answer',
      'patch.json-patch-malformed-answer',
      'patch.json-patch-missing-path-answer',
      'patch.json-patch-test-answer',
    ],
    conformant: true,
    reply: (returning, passing) =>
      isPatch(passing) && returning.status > 399 ? failure(500, 'InternalError') : returning,
  },
  {
    name: 'keeps what a JSON patch did before it failed',
    grep: 'patch.json-patch-all-or-nothing › ',
    fails: ['patch.json-patch-all-or-nothing'],
    conformant: false,
    request: (passing) => {
      const operations = isPatch(passing) ? parsed(passing.body) : undefined;
      return Array.isArray(operations) ? { ...passing, body: JSON.stringify(operations.slice(0, 1)) } : passing;
    },
    reply: (returning, passing) => (isPatch(passing) ? failure(422, 'Invalid') : returning),
  },
  {
    name: 'takes what is no patch for an empty one',
    grep: '-malformed › ',
    fails: ['patch.json-patch-malformed', 'patch.merge-patch-malformed', 'patch.strategic-malformed'],
    request: (passing) => {
      if (!isPatch(passing)) return passing;
      const patch = parsed(passing.body);
      return (typeOf(passing) === jsonPatch ? Array.isArray(patch) : isObject(patch)) ? passing : nothing(passing);
    },
  },
  {
    name: 'replaces the maps that a merge patch names',
    grep: `patch.merge-patch › ${onConfigMaps}`,
    fails: ['patch.merge-patch'],
    request: (passing) => (isPatch(passing) ? withType(replacingData(passing), strategicPatch) : passing),
  },
  {
    name: 'does not see a null in a merge patch',
    grep: 'patch.merge-patch',
    fails: ['patch.merge-patch-null'],
    conformant: false,
    request: (passing) => ({ ...passing, body: passing.body.replace(/"[^"]+":null,?/g, '') }),
  },
  {
    name: 'takes a merge patch for a strategic one',
    grep: 'patch.merge-patch',
    fails: ['patch.merge-patch-lists'],
    conformant: false,
    request: (passing) => (typeOf(passing) === mergePatch ? withType(passing, strategicPatch) : passing),
  },
  {
    name: 'replaces the maps that a strategic merge patch names',
    grep: `patch.strategic-patch › ${onConfigMaps}`,
    fails: ['patch.strategic-patch'],
    request: replacingData,
  },
  {
    name: 'takes a strategic merge patch for a merge patch',
    grep: 'patch.strategic-',
    fails: [
      'patch.strategic-delete',
      'patch.strategic-delete-primitives',
      'patch.strategic-malformed',
      'patch.strategic-merge',
      'patch.strategic-merge-key',
      'patch.strategic-null',
      'patch.strategic-order',
      'patch.strategic-primitive-list',
      'patch.strategic-replace',
      'patch.strategic-retain-keys',
      'patch.strategic-unknown-directive',
      'patch.strategic-whole-list',
      'patch.strategic-without-key',
    ],
    request: (passing) => (typeOf(passing) === strategicPatch ? withType(passing, mergePatch) : passing),
  },
];
