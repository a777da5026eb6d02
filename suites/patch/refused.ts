// Patches of every kind that say what cannot be: another name, uid or kind, a stale version, an invalid object.
import type { Operation } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { withLabel } from '../support/callParts.js';
import { clientError, equal, Prerequisite, status, statusObject, success } from '../support/expect.js';
import { at, type JsonObject, merge } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { conflicts } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { changeOf, isNotDone, makeFor, patchBody, pathOn, unchanged } from './target.js';

interface Attempt {
  readonly reply: Reply;
  readonly change: JsonObject;
  /** Before the first try, and before the last. */
  readonly origin: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}

async function refusedPatches({ operation, mediaType }: OperationSubject, { client, scope }: Context) {
  const made = await makeFor(operation, scope);
  const moved = await scope.put(made, (object) => withLabel(object, 'moved'));
  let last = await scope.current(made);
  const send = (name: string, change: JsonObject) => {
    const path = pathOn(operation, { ...made, name });
    return client.send({ method: 'PATCH', path, ...patchBody(mediaType, change, last) });
  };
  const attempt = async (wrong: JsonObject, change: JsonObject): Promise<Attempt> => {
    const origin = last;
    for (let count = 1; ; count += 1) {
      if (last === undefined || origin === undefined) throw new Prerequisite(`${made.name} is gone`);
      const before: JsonObject = last;
      const reply = await send(made.name, merge(change, wrong));
      last = await scope.current(made);
      // A controller that wrote in between may have moved the rest of the object.
      const moved = at(before, 'metadata', 'resourceVersion') !== at(last, 'metadata', 'resourceVersion');
      if (!moved || count === conflicts) return { reply, change, origin, before, after: last };
    }
  };
  const metadata = (fields: JsonObject, as: string) => attempt({ metadata: fields }, changeOf(operation, as));
  return {
    moved,
    mediaType,
    rename: await metadata({ name: scope.name(made.resource) }, 'renamed'),
    ...(made.namespace === undefined
      ? {}
      : { move: await metadata({ namespace: 'some-other-namespace' }, 'moved-on') }),
    otherUid: await metadata({ uid: '11111111-2222-3333-4444-555555555555' }, 'other-uid'),
    stale: await metadata({ resourceVersion: String(at(made.object, 'metadata', 'resourceVersion')) }, 'stale'),
    invalid: await attempt(invalid(operation), operation.verb === 'patch' ? changeOf(operation, 'invalid') : {}),
    otherKind: await attempt({ kind: 'Binding' }, {}),
    otherVersion: await attempt({ apiVersion: 'v9' }, {}),
    absent: await send(scope.name(made.resource), changeOf(operation, 'absent')),
  };
}

/** What no valid object holds. */
function invalid({ verb }: Operation): JsonObject {
  if (verb === 'patchScale') return { spec: { replicas: -1 } };
  return verb === 'patchStatus' ? { status: 'no object' } : { metadata: { labels: { '-': 'no label' } } };
}

/** What every kind refuses of every patch type. */
export const refusedPerformers = { refusedPatches };

type Refused = Awaited<ReturnType<typeof refusedPatches>>;

/** The checks of what it returns. */
export const refusedChecks = {
  rename: ({ rename, move }: Refused) => {
    for (const attempt of move === undefined ? [rename] : [rename, move]) {
      clientError(attempt.reply);
      left(attempt);
    }
  },
  'other-uid': ({ otherUid }: Refused) => {
    status(otherUid.reply, 409, 422);
    statusObject(otherUid.reply, 'Conflict', 'Invalid');
    left(otherUid);
  },
  stale: ({ moved, stale }: Refused) => {
    success(moved);
    status(stale.reply, 409);
    statusObject(stale.reply, 'Conflict');
    left(stale);
  },
  'invalid-result': ({ invalid }: Refused) => {
    status(invalid.reply, 422);
    statusObject(invalid.reply, 'Invalid');
    left(invalid);
  },
  'other-kind': ({ otherKind, otherVersion, mediaType }: Refused) => {
    for (const attempt of [otherKind, otherVersion]) {
      if (mediaType !== 'strategicMergePatch' || attempt.reply.status > 299) clientError(attempt.reply);
      for (const field of ['kind', 'apiVersion']) {
        equal(at(attempt.after, field), String(at(attempt.before, field)), `${attempt.reply.request}, then ${field}`);
      }
      left(attempt);
    }
  },
  absent: ({ absent }: Refused) => {
    status(absent, 404);
    statusObject(absent, 'NotFound');
  },
};

function left({ reply, origin, before, after, change }: Attempt): void {
  unchanged(reply.request, before, after);
  isNotDone(reply.request, origin, after, change);
}
