// Invalid patches of every type: another name, uid or kind, a stale version, an invalid object.

import type { Operation } from '../../matrix/api/index.js';
import { clientError, equal, fail, isStill, Prerequisite, status, statusObject, success } from '../client/expect.js';
import { at, type JsonObject, merge, missing } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { changedLabel, withLabel } from '../objects/callParts.js';
import { type Past, statesInWatch, versionOf } from '../objects/effects/index.js';
import { namesObject } from '../objects/refused.js';
import { conflicts } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { changeOf, isNotApplied, makeFor, patchBody, pathOn, unchanged } from './target.js';

interface Attempt {
  readonly reply: Reply;
  readonly change: JsonObject;
  /** The object before the first try and before the last one. */
  readonly origin: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject | undefined;
}

async function refusedPatches({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const moved = await sandbox.put(made, (object) => withLabel(object, 'moved'));
  let last = await sandbox.current(made);
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
      last = await sandbox.current(made);
      // If a controller wrote in between, it may have changed the rest of the object.
      const moved = at(before, 'metadata', 'resourceVersion') !== at(last, 'metadata', 'resourceVersion');
      if (!moved || count === conflicts) return { reply, change, origin, before, after: last };
    }
  };
  const metadata = (fields: JsonObject, as: string) => attempt({ metadata: fields }, changeOf(operation, as));
  const refused = {
    rename: await metadata({ name: sandbox.name(made.resource) }, 'renamed'),
    ...(made.namespace === undefined
      ? {}
      : { move: await metadata({ namespace: 'some-other-namespace' }, 'moved-on') }),
    otherUid: await metadata({ uid: '11111111-2222-3333-4444-555555555555' }, 'other-uid'),
    stale: await metadata({ resourceVersion: String(at(made.object, 'metadata', 'resourceVersion')) }, 'stale'),
    invalid: await attempt(invalid(operation), operation.verb === 'patch' ? changeOf(operation, 'invalid') : {}),
    otherKind: await attempt({ kind: 'Binding' }, {}),
    otherVersion: await attempt({ apiVersion: 'v9' }, {}),
  };
  const end = await sandbox.put(made, (object) => withLabel(object, 'end'));
  const isEnd = ({ object }: Past): boolean => at(object, 'metadata', 'labels', changedLabel) === 'end';
  const { states, lack } = await statesInWatch(sandbox, made, versionOf(moved.tryValue()), (told) => told.some(isEnd));
  return {
    moved,
    mediaType,
    ...refused,
    attempts: Object.values(refused),
    watched: { end, lack: states.some(isEnd) ? undefined : lack, states },
    absent: await send(sandbox.name(made.resource), changeOf(operation, 'absent')),
  };
}

/** Returns a change that makes any object invalid. */
function invalid({ verb }: Operation): JsonObject {
  if (verb === 'patchScale') return { spec: { replicas: -1 } };
  return verb === 'patchStatus' ? { status: 'no object' } : { metadata: { labels: { '-': 'no label' } } };
}

/** The checks of patches that every kind refuses. */
export const refusedGroups = [
  group({
    subjects: 'refusedPatches',
    setup: refusedPatches,
    checks: {
      rename: ({ rename, move }) => {
        for (const attempt of move === undefined ? [rename] : [rename, move]) {
          clientError(attempt.reply);
          left(attempt);
        }
      },
      'other-uid': ({ otherUid }, { operation }) => {
        if (ignoresMetadata(operation) && otherUid.reply.status < 300) return keepsIdentity(otherUid);
        status(otherUid.reply, 409, 422);
        statusObject(otherUid.reply, 'Conflict', 'Invalid');
        left(otherUid);
      },
      stale: ({ moved, stale }, { operation }) => {
        success(moved);
        status(stale.reply, 409);
        statusObject(stale.reply, 'Conflict');
        // Of a scale, servers name the kind that they like.
        if (operation.verb !== 'patchScale')
          namesObject(stale.reply, resourceOf(operation), at(stale.origin, 'metadata', 'name'));
        left(stale);
      },
      'invalid-result': ({ invalid }) => {
        status(invalid.reply, 422);
        statusObject(invalid.reply, 'Invalid');
        left(invalid);
      },
      'other-kind': ({ otherKind, otherVersion, mediaType }, { operation }) => {
        for (const attempt of [otherKind, otherVersion]) {
          if (ignoresMetadata(operation) && attempt.reply.status < 300) {
            keepsIdentity(attempt);
            continue;
          }
          if (mediaType !== 'strategicMergePatch' || attempt.reply.status > 299) clientError(attempt.reply);
          for (const field of ['kind', 'apiVersion']) {
            equal(
              at(attempt.after, field),
              String(at(attempt.before, field)),
              `${attempt.reply.request}, then ${field}`,
            );
          }
          left(attempt);
        }
      },
      'refused-watch': ({ attempts, watched: { end, lack, states } }) => {
        success(end);
        if (lack !== undefined) fail(`${end.request}, then a watch: ${lack}`);
        const [accepted, refused] = [true, false].map((is) =>
          attempts.filter(({ reply }) => reply.status < 300 === is),
        );
        for (const { reply, origin, change } of refused ?? []) {
          // An attempt that was accepted may have made the same change.
          if (accepted?.some(({ after }) => missing(after, change) === undefined)) continue;
          for (const { object } of states) isNotApplied(`${reply.request}, then a watch`, origin, object, change);
        }
      },
      absent: ({ absent }) => {
        status(absent, 404);
        statusObject(absent, 'NotFound');
      },
    },
  }),
];

/**
 * Reports whether a patch may succeed although its metadata is wrong: a status or a scale of a custom resource takes
 * nothing but its own part from the body.
 */
const ignoresMetadata = ({ verb, resource }: Operation): boolean => resource?.found !== undefined && verb !== 'patch';

/** Throws Failure unless the object has the uid, the kind and the version that it had before. */
function keepsIdentity({ reply, before, after }: Attempt): void {
  for (const path of [['metadata', 'uid'], ['kind'], ['apiVersion']])
    isStill({ before: at(before, ...path), after: at(after, ...path) }, `${reply.request}, then ${path.join('.')}`);
}

function left({ reply, origin, before, after, change }: Attempt): void {
  unchanged(reply.request, before, after);
  isNotApplied(reply.request, origin, after, change);
}
