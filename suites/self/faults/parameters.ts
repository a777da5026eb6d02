// Servers that break the parameters chapter.
import { answering, eachEvent, type Fault, failure, isList, metadata, reply, without } from './parts.js';
import { asks } from './selectors.js';

const map = '/api/v1/namespaces/{namespace}/configmaps';
const list = `› GET ${map}`;
const read = `› GET ${map}/{name}`;
const secrets = '› GET /api/v1/watch/namespaces/{namespace}/secrets';

/** A server that breaks one requirement on one operation of the config maps. */
const on = (requirement: string, where: string, name: string, broken: Pick<Fault, 'request' | 'reply'>): Fault => ({
  name,
  grep: `parameters.${requirement} ${where}`,
  fails: [`parameters.${requirement}`],
  ...broken,
});

/** Does not see a parameter; the values that it sees all the same can be named. */
const blind = (parameter: string, sees: RegExp = /^\b$/, method = 'GET'): Pick<Fault, 'request'> => ({
  request: asks(method, (query) => {
    if (query.has(parameter) && !sees.test(query.get(parameter) ?? '')) query.delete(parameter);
  }),
});

const nothing = reply(200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [] });
const event = reply(200, { type: 'ADDED', object: {} });
const indented = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);
const asking = (path: string, parameter: string): boolean => new RegExp(`[?&]${parameter}`).test(path);

/** Takes every token but the last one that it gave for too old, and gives that again. */
function forgetful(): Fault {
  let last = '';
  return {
    name: 'has forgotten a token and gives another',
    grep: `parameters.continue-expired ${list}`,
    fails: [],
    request: (passing) => {
      const token = new URL(passing.path, 'http://server').searchParams.get('continue') ?? last;
      if (token === last) return passing;
      return reply(410, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: { continue: last },
        status: 'Failure',
        reason: 'Expired',
        code: 410,
      });
    },
    reply: answering((body) => {
      last = String(metadata(body).continue ?? last);
      return body;
    }),
  };
}

export const parametersFaults: readonly Fault[] = [
  on('pretty-true', read, 'does not know pretty', blind('pretty')),
  on('pretty-error', read, 'is pretty only when all is well', {
    reply: (returning) =>
      returning.status > 399 ? { ...returning, body: JSON.stringify(JSON.parse(returning.body)) } : returning,
  }),
  on('pretty-false', read, 'is always pretty', {
    reply: (returning) => ({ ...returning, body: indented(returning.body) }),
  }),
  on('pretty-same-object', read, 'leaves out what is not pretty', {
    reply: answering((body, { path }) => (asking(path, 'pretty=true') ? without(body, 'data') : body)),
  }),
  on('pretty-watch', secrets, 'refuses a watch that should be pretty', {
    request: (passing) => (asking(passing.path, 'pretty=true') ? failure(400, 'BadRequest') : passing),
  }),
  {
    name: 'leaves out of an event what is not pretty',
    grep: `parameters.pretty-watch ${secrets}`,
    fails: ['parameters.pretty-watch'],
    watch: eachEvent((event, { path }) =>
      asking(path, 'pretty=true') ? { ...event, object: without(event.object, 'data') } : event,
    ),
  },
  on('watch-false', list, 'takes every watch for true', {
    request: (passing) => (asking(passing.path, 'watch=') ? event : passing),
  }),
  on('delete-collection-never-watches', `› DELETE ${map}`, 'watches when it should delete', {
    request: (passing) => (passing.method === 'DELETE' && asking(passing.path, 'watch=') ? event : passing),
  }),
  // The watch is a way of taking three seconds.
  on('timeout-bounds-list', list, 'lists for longer than it may', {
    request: (passing) =>
      /resourceVersion=\d{5}/.test(passing.path)
        ? { ...passing, path: `${passing.path.split('?')[0]}?watch=true&timeoutSeconds=3` }
        : passing,
  }),
  on('timeout-int32', list, 'has a longest timeout', {
    request: (passing) => (asking(passing.path, 'timeoutSeconds=2147483647') ? failure(400, 'BadRequest') : passing),
  }),
  on('timeout-malformed', list, 'does not mind a timeout that is none', blind('timeoutSeconds', /^\d{1,10}$/)),
  on('resource-version-malformed', list, 'does not mind a version that is none', blind('resourceVersion', /^\d+$/)),
  on('continue-expired', list, 'knows no way to go on with an old token', {
    request: (passing) => (asking(passing.path, 'continue=') ? failure(410, 'Expired') : passing),
  }),
  // The token of the first page stands for any that is not too old.
  forgetful(),
  on('limit-malformed', list, 'does not mind a limit that is none', blind('limit', /^\d{1,10}$/)),
  on('continue-malformed', list, 'begins anew with a token that it does not know', blind('continue')),
  on('resource-version-not-older', list, 'lists what there was before', {
    request: (passing) => (asking(passing.path, 'resourceVersion=[1-9]') ? nothing : passing),
  }),
  on('resource-version-ahead', list, 'does not wait for a version', blind('resourceVersion')),
  on('resource-version-match', list, 'lists the newest version for any', {
    request: asks('GET', (query) => {
      query.delete('resourceVersion');
      query.delete('resourceVersionMatch');
    }),
  }),
  on('limit-pages', list, 'does not know limit', blind('limit')),
  on('continue-complete', list, 'skips what is on the later pages', {
    reply: answering((body, { path }) => (isList(body) && asking(path, 'continue=') ? { ...body, items: [] } : body)),
  }),
  {
    name: 'does not know export',
    grep: read,
    chapters: ['parameters'],
    fails: ['parameters.export-creatable', 'parameters.export-strips-identity', 'parameters.export-strips-namespace'],
    ...blind('export'),
  },
  on(
    'export-strips-generation',
    '› GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}',
    'exports the generation',
    {
      reply: answering((body, { path }) =>
        asking(path, 'export=true') ? { ...body, metadata: { ...metadata(body), generation: 1 } } : body,
      ),
    },
  ),
  on(
    'export-strips-status',
    '› GET /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}',
    'exports the status',
    { request: asks('GET', (query) => query.delete('export')) },
  ),
  on('component-statuses', '› GET /api/v1/componentstatuses', 'lists no components within a time', {
    reply: answering((body, { path }) =>
      isList(body) && asking(path, 'timeoutSeconds') ? { ...body, items: [] } : body,
    ),
  }),
  on('component-statuses-watched', '› GET /api/v1/componentstatuses', 'fails when components are to be watched', {
    request: (passing) => (asking(passing.path, 'watch=true') ? failure(500, 'InternalError') : passing),
  }),
  on('export-keeps', read, 'exports nothing but the name', {
    reply: answering((body, { path }) => (asking(path, 'export=true') ? without(body, 'data') : body)),
  }),
  on('export-exact', read, 'does not know exact', blind('exact')),
  on(
    'export-assigned-fields',
    '› GET /api/v1/namespaces/{namespace}/services/{name}',
    'exports the address of a service',
    { request: asks('GET', (query) => query.has('export') && query.set('exact', 'true')) },
  ),
  on('export-false', read, 'exports whatever export says', {
    request: asks('GET', (query) => query.has('export') && query.set('export', 'true')),
  }),
  on('export-absent', read, 'exports what is absent', {
    reply: (returning) => (returning.status === 404 ? reply(200, { kind: 'ConfigMap', apiVersion: 'v1' }) : returning),
  }),
  on('namespace-selects', `› DELETE ${map}/{name}`, 'deletes in another namespace', {
    request: (passing) =>
      passing.method === 'DELETE' ? { ...passing, path: passing.path.replace('-main/', '-other/') } : passing,
  }),
  // The suite counts its names, so that the next one is the one beside.
  on('name-selects', `› DELETE ${map}/{name}`, 'deletes the object beside', {
    request: (passing) =>
      passing.method === 'DELETE'
        ? { ...passing, path: passing.path.replace(/\d+$/, (count) => String(Number(count) + 1)) }
        : passing,
  }),
  on('path-decoded', read, 'decodes a name twice', {
    request: (passing) => ({ ...passing, path: passing.path.replaceAll('%25', '%') }),
  }),
  on('unknown-ignored', read, 'refuses what it does not know', {
    request: (passing) => (asking(passing.path, 'unknown=') ? failure(400, 'BadRequest') : passing),
  }),
  on('dry-run', `› DELETE ${map}`, 'ignores dryRun=All', blind('dryRun', /^N/, 'DELETE')),
  on(
    'dry-run-unknown',
    `› PUT ${map}/{name}`,
    'ignores a dryRun that it does not know',
    blind('dryRun', /^All$/, 'PUT'),
  ),
];
