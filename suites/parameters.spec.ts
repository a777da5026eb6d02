// Parameters: the effect of each query parameter, on every operation that states it.
import {
  callByName,
  callWithUnknownParameters,
  deleteWatching,
  get,
  leavesAlone,
  namesIn,
  sendJson,
  tryOut,
  withQuery,
} from './parameters/calls.js';
import {
  hasSameComponents,
  listComponents,
  watchComponents,
  endsInTime as watchEndsInTime,
} from './parameters/components.js';
import { continueAfterExpiry, expires } from './parameters/expired.js';
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
import { hasSameContent, isCompact, isIndented, isPretty, readPretty } from './parameters/pretty.js';
import { hasSameEvents, watchPretty } from './parameters/prettyWatches.js';
import {
  clientError,
  equal,
  fail,
  nonEmptyString,
  oneOf,
  status,
  statusObject,
  success,
} from './support/http/expect.js';
import { at } from './support/http/json.js';
import { fill, resourceOf } from './support/http/paths.js';
import { validCall } from './support/objects/validCalls.js';
import { defineChapter } from './support/run/chapter.js';

/** Returns a name with every character percent-encoded. */
const encoded = (name: string): string =>
  [...name].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

defineChapter(
  'parameters',
  {
    prettyAnswers: async ({ operation }, { client, sandbox }) =>
      sendJson(client, withQuery(await validCall(operation, sandbox), 'pretty=true')),
    prettyReads: ({ operation }, { client, sandbox }) => readPretty(operation, client, sandbox),
    prettyWatches: ({ operation }, context) => watchPretty(operation, context),
    unknownParameters: ({ operation }, { client, sandbox }) => callWithUnknownParameters(operation, client, sandbox),
    parameterLists: ({ operation }, { client, sandbox }) => listWithParameters(operation, client, sandbox),
    aheadLists: ({ operation }, { client, sandbox }) => listAhead(operation, client, sandbox),
    queriedComponents: ({ operation }, { client }) => listComponents(operation, client),
    watchedComponents: ({ operation }, { client }) => watchComponents(operation, client),
    exactLists: ({ operation }, { client, sandbox }) => listExactly(operation, client, sandbox),
    pages: ({ operation }, { client, sandbox }) => listPages(operation, client, sandbox),
    expiredPages: ({ operation }, { client, sandbox }) => continueAfterExpiry(operation, client, sandbox),
    watchedDeleteCollections: ({ operation }, { client, sandbox }) => deleteWatching(operation, client, sandbox),
    exports: ({ operation }, { client, sandbox }) => readExports(operation, client, sandbox),
    statusExports: ({ operation }, { client, sandbox }) => exportStatus(operation, client, sandbox),
    namespacedExports: ({ operation }, { client, sandbox }) => readExports(operation, client, sandbox),
    assignedExports: ({ operation }, { client, sandbox }) => readAssigned(operation, client, sandbox),
    names: ({ operation }, { client, sandbox }) => callByName(operation, 'another name', client, sandbox),
    namespacedNames: ({ operation }, { client, sandbox }) =>
      callByName(operation, 'another namespace', client, sandbox),
    reads: async ({ operation }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation));
      const at = (change: (text: string) => string): string =>
        operation.path.replace('{namespace}', change(made.namespace ?? '')).replace('{name}', change(made.name));
      return {
        made,
        once: await get(client, at(encoded)),
        twice: await get(client, fill(operation.path, made.namespace, encoded(made.name))),
        absent: await get(client, fill(operation.path, made.namespace, sandbox.name()), 'pretty=true'),
      };
    },
    dryRuns: async ({ operation }, { client, sandbox }) => ({
      all: await tryOut(operation, 'All', client, sandbox),
      unknown: await tryOut(operation, 'NoSuchValue', client, sandbox),
    }),
  },
  {
    'pretty-true': (reply) => isPretty(reply),
    'pretty-same-object': ({ plain, pretty }) => hasSameContent(plain, pretty),
    'pretty-watch': (record) => hasSameEvents(record),
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
    'component-statuses': (record) => hasSameComponents(record),
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
