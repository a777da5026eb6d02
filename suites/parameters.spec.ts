// Parameters: what each query parameter does, on every operation that states it.
import {
  callByName,
  callWithNonsense,
  deleteWatching,
  get,
  leavesAlone,
  namesIn,
  resourceOf,
  sendJson,
  tryOut,
  withQuery,
} from './parameters/calls.js';
import {
  listComponents,
  listsTheSame,
  watchComponents,
  endsInTime as watchEndsInTime,
} from './parameters/components.js';
import { expires, goOnTooLate } from './parameters/expired.js';
import {
  exportStatus,
  keeps,
  lacks,
  leavesOutAssigned,
  leavesOutStatus,
  readAssigned,
  readExports,
} from './parameters/exports.js';
import {
  completes,
  endsInTime,
  listAhead,
  listExactly,
  listPages,
  lists,
  listWithParameters,
  tokenOf,
} from './parameters/lists.js';
import { isCompact, isIndented, isPretty, readPretty, saysTheSame } from './parameters/pretty.js';
import { tellsTheSame, watchPretty } from './parameters/prettyWatches.js';
import { defineChapter } from './support/chapter.js';
import { clientError, equal, fail, nonEmptyString, oneOf, status, statusObject, success } from './support/expect.js';
import { at } from './support/json.js';
import { fill } from './support/scope.js';
import { validCall } from './support/validCalls.js';

/** Every character of a name as `%` and its number. */
const encoded = (name: string): string =>
  [...name].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

defineChapter(
  'parameters',
  {
    prettyAnswers: async ({ operation }, { client, scope }) =>
      sendJson(client, withQuery(await validCall(operation, scope), 'pretty=true')),
    prettyReads: ({ operation }, { client, scope }) => readPretty(operation, client, scope),
    prettyWatches: ({ operation }, context) => watchPretty(operation, context),
    unknownParameters: ({ operation }, { client, scope }) => callWithNonsense(operation, client, scope),
    parameterLists: ({ operation }, { client, scope }) => listWithParameters(operation, client, scope),
    aheadLists: ({ operation }, { client, scope }) => listAhead(operation, client, scope),
    queriedComponents: ({ operation }, { client }) => listComponents(operation, client),
    watchedComponents: ({ operation }, { client }) => watchComponents(operation, client),
    exactLists: ({ operation }, { client, scope }) => listExactly(operation, client, scope),
    pages: ({ operation }, { client, scope }) => listPages(operation, client, scope),
    expiredPages: ({ operation }, { client, scope }) => goOnTooLate(operation, client, scope),
    watchedDeleteCollections: ({ operation }, { client, scope }) => deleteWatching(operation, client, scope),
    exports: ({ operation }, { client, scope }) => readExports(operation, client, scope),
    statusExports: ({ operation }, { client, scope }) => exportStatus(operation, client, scope),
    namespacedExports: ({ operation }, { client, scope }) => readExports(operation, client, scope),
    assignedExports: ({ operation }, { client, scope }) => readAssigned(operation, client, scope),
    names: ({ operation }, { client, scope }) => callByName(operation, 'another name', client, scope),
    namespacedNames: ({ operation }, { client, scope }) => callByName(operation, 'another namespace', client, scope),
    reads: async ({ operation }, { client, scope }) => {
      const made = await scope.make(resourceOf(operation));
      const at = (change: (text: string) => string): string =>
        operation.path.replace('{namespace}', change(made.namespace ?? '')).replace('{name}', change(made.name));
      return {
        made,
        once: await get(client, at(encoded)),
        twice: await get(client, fill(operation.path, made.namespace, encoded(made.name))),
        absent: await get(client, fill(operation.path, made.namespace, scope.name()), 'pretty=true'),
      };
    },
    dryRuns: async ({ operation }, { client, scope }) => ({
      all: await tryOut(operation, 'All', client, scope),
      unknown: await tryOut(operation, 'NoSuchValue', client, scope),
    }),
  },
  {
    'pretty-true': (reply) => isPretty(reply),
    'pretty-same-object': ({ plain, pretty }) => saysTheSame(plain, pretty),
    'pretty-watch': (record) => tellsTheSame(record),
    'pretty-false': ({ plain, compact }) => {
      isCompact(plain);
      isCompact(compact);
    },
    'pretty-error': ({ absent }) => {
      status(absent, 404);
      isIndented(absent);
    },
    'watch-false': ({ notWatched, first }) => {
      for (const reply of notWatched) lists(reply, first);
    },
    'delete-collection-never-watches': ({ reply, kind, gone }) => {
      success(reply);
      oneOf(at(reply.value(), 'kind'), ['Status', `${kind}List`], `${reply.request}: kind of the answer`);
      equal(gone, true, `${reply.request}: the selected object is gone or leaving`);
    },
    'timeout-bounds-list': ({ ordinary, ahead }) => {
      endsInTime(ordinary);
      endsInTime(ahead);
    },
    'timeout-int32': ({ timeouts, second }) => {
      for (const reply of timeouts) lists(reply, second);
    },
    'component-statuses': (record) => listsTheSame(record),
    'component-statuses-watched': (record) => watchEndsInTime(record),
    'timeout-malformed': ({ badTimeouts }) => badTimeouts.forEach(clientError),
    'resource-version-malformed': ({ badVersions }) => badVersions.forEach(clientError),
    'resource-version-not-older': ({ sinceAny, sinceFirst, sinceSecond, first, second }) => {
      status(sinceAny, 200);
      lists(sinceFirst, first);
      lists(sinceSecond, first);
      lists(sinceSecond, second);
    },
    'resource-version-ahead': ({ ahead: { reply } }) => {
      if (reply !== undefined && reply.status < 400)
        fail(`${reply.request}: a list of a version that is still to come`);
    },
    'resource-version-match': ({ reply, first, second }) => {
      status(reply, 200, 410);
      if (reply.status === 410) return statusObject(reply, 'Expired', 'Gone');
      lists(reply, first);
      equal(namesIn(reply).includes(second.name), false, `${reply.request}: an object that came later is listed`);
    },
    'limit-pages': ({ two }) => {
      status(two, 200);
      equal(namesIn(two).length, 2, `${two.request}: items`);
      nonEmptyString(tokenOf(two), `${two.request}: metadata.continue`);
    },
    'limit-malformed': ({ badLimits }) => badLimits.forEach(clientError),
    'continue-complete': (record) => completes(record),
    'continue-expired': (record) => expires(record),
    'continue-malformed': ({ badTokens }) => badTokens.forEach(clientError),
    'export-strips-identity': ({ exported, exact }) => {
      for (const reply of [exported, exact]) {
        for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) lacks(reply, 'metadata', field);
      }
    },
    'export-strips-generation': ({ exported, exact }) => {
      for (const reply of [exported, exact]) lacks(reply, 'metadata', 'generation');
    },
    'export-strips-status': (record) => leavesOutStatus(record),
    'export-keeps': ({ exported, exact, made }) => {
      for (const reply of [exported, exact]) keeps(reply, made.sent, made.name);
    },
    'export-strips-namespace': ({ exported }) => lacks(exported, 'metadata', 'namespace'),
    'export-exact': ({ exact, made }) => {
      status(exact, 200);
      equal(at(exact.value(), 'metadata', 'namespace'), made.namespace ?? '', `${exact.request}: metadata.namespace`);
    },
    'export-assigned-fields': (record) => leavesOutAssigned(record),
    'export-creatable': ({ exported, created }) => {
      success(exported);
      success(created);
    },
    'export-false': ({ whole, made }) => {
      for (const reply of whole) {
        status(reply, 200);
        const [found, uid] = [reply.value(), made.object].map((object) => at(object, 'metadata', 'uid'));
        equal(found, String(uid), `${reply.request}: metadata.uid`);
        nonEmptyString(at(reply.value(), 'metadata', 'resourceVersion'), `${reply.request}: metadata.resourceVersion`);
      }
    },
    'export-absent': ({ absent }) => {
      status(absent, 404);
      statusObject(absent, 'NotFound');
    },
    'namespace-selects': (call) => {
      leavesAlone(call);
      if (call.read) equal(at(call.reply.value(), 'metadata', 'namespace'), call.namespace ?? '', 'metadata.namespace');
    },
    'name-selects': (call) => {
      leavesAlone(call);
      if (call.read) equal(at(call.reply.value(), 'metadata', 'name'), call.name, 'metadata.name');
    },
    'path-decoded': ({ once, twice, made }) => {
      status(once, 200);
      equal(at(once.value(), 'metadata', 'name'), made.name, `${once.request}: metadata.name`);
      clientError(twice);
    },
    'unknown-ignored': ({ reply, lack }) => {
      success(reply);
      if (lack !== undefined) fail(lack);
    },
    'dry-run': ({ all }) => equal(all.done, false, `${all.reply.request} was done`),
    'dry-run-unknown': ({ unknown }) => equal(unknown.done, false, `${unknown.reply.request} was done`),
  },
);
