// Parameters: the effect of each query parameter, on every operation that states it.

import { clientError, equal, fail, nonEmptyString, oneOf, status, statusObject, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { isUntouched } from '../objects/effects/index.js';
import { validCall } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import {
  callByName,
  callWithUnknownParameters,
  deleteWatching,
  get,
  leavesAlone,
  listedNames,
  sendJson,
  withQuery,
} from './calls.js';
import { hasSameComponents, listComponents, watchComponents, endsInTime as watchEndsInTime } from './components.js';
import { claim, isFree, tryOut } from './dryRuns.js';
import { continueAfterExpiry, expires } from './expired.js';
import {
  exportStatus,
  keeps,
  lacks,
  leavesOutAssigned,
  leavesOutStatus,
  readAssigned,
  readExports,
} from './exports.js';
import {
  completes,
  continueTokenOf,
  endsInTime,
  listAhead,
  listExactly,
  listPages,
  lists,
  listWithParameters,
  showsNothingOlder,
} from './lists.js';
import { hasSameContent, isCompact, isIndented, isPretty, readPretty } from './pretty.js';
import { hasSameEvents, watchPretty } from './prettyWatches.js';

/** Returns a name with every character percent-encoded. */
const encoded = (name: string): string =>
  [...name].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

defineChapter('parameters', [
  group({
    subjects: 'prettyAnswers',
    setup: async ({ operation }, { client, sandbox }) =>
      sendJson(client, withQuery(await validCall(operation, sandbox), 'pretty=true')),
    checks: { 'pretty-true': (reply) => isPretty(reply) },
  }),
  group({
    subjects: 'prettyReads',
    setup: ({ operation }, { client, sandbox }) => readPretty(operation, client, sandbox),
    checks: {
      'pretty-same-object': ({ plain, pretty }) => hasSameContent(plain, pretty),
      'pretty-false': ({ plain, compact }) => {
        isCompact(plain);
        isCompact(compact);
      },
    },
  }),
  group({
    subjects: 'prettyWatches',
    setup: ({ operation }, context) => watchPretty(operation, context),
    checks: { 'pretty-watch': (record) => hasSameEvents(record) },
  }),
  group({
    subjects: 'unknownParameters',
    setup: ({ operation }, { client, sandbox }) => callWithUnknownParameters(operation, client, sandbox),
    checks: {
      'unknown-ignored': ({ reply, lack, watches }) => {
        success(reply);
        if (lack !== undefined) fail(lack);
        if (watches === undefined) return;
        const [plain, unknown] = watches;
        equal(unknown.status, plain.status, `${unknown.request}: status, against the watch without the parameters`);
      },
    },
  }),
  group({
    subjects: 'parameterLists',
    setup: ({ operation }, { client, sandbox }) => listWithParameters(operation, client, sandbox),
    checks: {
      'watch-false': ({ notWatched, first }) => {
        for (const reply of notWatched) lists(reply, first);
      },
      'timeout-int32': ({ timeouts, second }) => {
        for (const reply of timeouts) lists(reply, second);
      },
      'timeout-malformed': ({ badTimeouts }) => badTimeouts.forEach(clientError),
      'resource-version-malformed': ({ badVersions }) => badVersions.forEach(clientError),
      'resource-version-not-older': ({ sinceAny, sinceFirst, sinceSecond, first, second }) => {
        status(sinceAny, 200);
        const version = at(sinceAny.value(), 'metadata', 'resourceVersion');
        if (version === '0') fail(`${sinceAny.request}: its version is 0, from which no watch goes on`);
        lists(sinceFirst, first);
        lists(sinceSecond, first);
        lists(sinceSecond, second);
      },
      'limit-malformed': ({ badLimits }) => badLimits.forEach(clientError),
      'continue-malformed': ({ badTokens }) => badTokens.forEach(clientError),
    },
  }),
  group({
    subjects: 'aheadLists',
    setup: ({ operation }, { client, sandbox }) => listAhead(operation, client, sandbox),
    checks: {
      'timeout-bounds-list': ({ ordinary, ahead }) => {
        endsInTime(ordinary);
        endsInTime(ahead);
      },
      'resource-version-ahead': ({ ahead, wanted }) => showsNothingOlder(ahead.reply, wanted),
    },
  }),
  group({
    subjects: 'queriedComponents',
    setup: ({ operation }, { client }) => listComponents(operation, client),
    checks: { 'component-statuses': (record) => hasSameComponents(record) },
  }),
  group({
    subjects: 'watchedComponents',
    setup: ({ operation }, { client }) => watchComponents(operation, client),
    checks: { 'component-statuses-watched': (record) => watchEndsInTime(record) },
  }),
  group({
    subjects: 'exactLists',
    setup: ({ operation }, { client, sandbox }) => listExactly(operation, client, sandbox),
    checks: {
      'resource-version-match': ({ reply, first, second }) => {
        status(reply, 200, 410);
        if (reply.status === 410) return statusObject(reply, 'Expired', 'Gone');
        lists(reply, first);
        equal(listedNames(reply).includes(second.name), false, `${reply.request}: an object that came later is listed`);
      },
    },
  }),
  group({
    subjects: 'pages',
    setup: ({ operation }, { client, sandbox }) => listPages(operation, client, sandbox),
    checks: {
      'limit-pages': ({ made, two, unlimited }) => {
        status(two, 200);
        equal(listedNames(two).length, 2, `${two.request}: items`);
        nonEmptyString(continueTokenOf(two), `${two.request}: metadata.continue`);
        status(unlimited, 200);
        equal(listedNames(unlimited).length, made.length, `${unlimited.request}: items`);
      },
      'continue-complete': (record) => completes(record),
    },
  }),
  group({
    subjects: 'expiredPages',
    setup: ({ operation }, { client, sandbox }) => continueAfterExpiry(operation, client, sandbox),
    checks: { 'continue-expired': (record) => expires(record) },
  }),
  group({
    subjects: 'watchedDeleteCollections',
    setup: ({ operation }, { client, sandbox }) => deleteWatching(operation, client, sandbox),
    checks: {
      'delete-collection-never-watches': ({ reply, kind, gone }) => {
        success(reply);
        oneOf(at(reply.value(), 'kind'), ['Status', `${kind}List`], `${reply.request}: kind of the answer`);
        equal(gone, true, `${reply.request}: the selected object is gone or leaving`);
      },
    },
  }),
  group({
    subjects: 'exports',
    setup: ({ operation }, { client, sandbox }) => readExports(operation, client, sandbox),
    checks: {
      'export-strips-identity': ({ exported, exact }) => {
        for (const reply of [exported, exact]) {
          for (const field of ['uid', 'resourceVersion', 'creationTimestamp']) lacks(reply, 'metadata', field);
        }
      },
      'export-strips-generation': ({ exported, exact }) => {
        for (const reply of [exported, exact]) lacks(reply, 'metadata', 'generation');
      },
      'export-keeps': ({ exported, exact, made }) => {
        for (const reply of [exported, exact]) keeps(reply, made.sent, made.name);
      },
      'export-creatable': ({ exported, created }) => {
        success(exported);
        success(created);
      },
      'export-false': ({ whole, made }) => {
        for (const reply of whole) {
          status(reply, 200);
          const [found, uid] = [reply.value(), made.object].map((object) => at(object, 'metadata', 'uid'));
          equal(found, String(uid), `${reply.request}: metadata.uid`);
          nonEmptyString(
            at(reply.value(), 'metadata', 'resourceVersion'),
            `${reply.request}: metadata.resourceVersion`,
          );
        }
      },
      'export-absent': ({ absent }) => {
        status(absent, 404);
        statusObject(absent, 'NotFound');
      },
    },
  }),
  group({
    subjects: 'statusExports',
    setup: ({ operation }, { client, sandbox }) => exportStatus(operation, client, sandbox),
    checks: { 'export-strips-status': (record) => leavesOutStatus(record) },
  }),
  group({
    subjects: 'namespacedExports',
    setup: ({ operation }, { client, sandbox }) => readExports(operation, client, sandbox),
    checks: {
      'export-strips-namespace': ({ exported }) => lacks(exported, 'metadata', 'namespace'),
      'export-exact': ({ exact, made }) => {
        status(exact, 200);
        equal(at(exact.value(), 'metadata', 'namespace'), made.namespace ?? '', `${exact.request}: metadata.namespace`);
      },
    },
  }),
  group({
    subjects: 'assignedExports',
    setup: ({ operation }, { client, sandbox }) => readAssigned(operation, client, sandbox),
    checks: { 'export-assigned-fields': (record) => leavesOutAssigned(record) },
  }),
  group({
    subjects: 'names',
    setup: ({ operation }, { client, sandbox }) => callByName(operation, 'another name', client, sandbox),
    checks: {
      'name-selects': (call) => {
        leavesAlone(call);
        if (call.read) equal(at(call.reply.value(), 'metadata', 'name'), call.name, 'metadata.name');
      },
    },
  }),
  group({
    subjects: 'namespacedNames',
    setup: ({ operation }, { client, sandbox }) => callByName(operation, 'another namespace', client, sandbox),
    checks: {
      'namespace-selects': (call) => {
        leavesAlone(call);
        if (call.read)
          equal(at(call.reply.value(), 'metadata', 'namespace'), call.namespace ?? '', 'metadata.namespace');
      },
    },
  }),
  group({
    subjects: 'reads',
    setup: async ({ operation }, { client, sandbox }) => {
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
    checks: {
      'pretty-error': ({ absent }) => {
        status(absent, 404);
        isIndented(absent);
      },
      'path-decoded': ({ once, twice, made }) => {
        status(once, 200);
        equal(at(once.value(), 'metadata', 'name'), made.name, `${once.request}: metadata.name`);
        clientError(twice);
      },
    },
  }),
  group({
    subjects: 'dryRuns',
    setup: ({ operation }, context) => tryOut(operation, context),
    checks: { 'dry-run': (untouched) => isUntouched(untouched) },
  }),
  group({
    subjects: 'dryClaims',
    setup: ({ operation }, { client, sandbox }) => claim(operation, client, sandbox),
    checks: { 'dry-run-claims': (claims) => isFree(claims) },
  }),
]);
