// Every patch operation with every patch type: response and effect, repeated, concurrent, and with an unknown type.

import { mediaTypes } from '../../matrix/api/index.js';
import { fail, holds, oneOf, Prerequisite, status, success } from '../client/expect.js';
import { at, type JsonObject, merge, missing } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import {
  completed,
  isChange,
  isSame,
  isUntouched,
  observe,
  observeVain,
  type Place,
  seenIn,
  stateIn,
} from '../objects/effects/index.js';
import { atRest, makerAtRest } from '../objects/effects/settled.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { changeOf, makeFor, patchBody, pathOn, unchanged, wholeChangeOf } from './target.js';

const writers = ['1', '2', '3', '4', '5', '6', '7', '8'];
/** What stands beside the change of a patch, in the same maps. */
const beside: JsonObject = {
  metadata: { annotations: { 'kube-api-conformance/beside': 'kept', 'example.com/beside': '' } },
};
const versionOf = (object: unknown) => at(object, 'metadata', 'resourceVersion');

/** Returns the current object. Throws Prerequisite if it is gone. */
async function present(sandbox: Sandbox, made: CreatedObject): Promise<JsonObject> {
  const object = await sandbox.current(made);
  if (object === undefined) throw new Prerequisite(`${made.name} is gone`);
  return object;
}

async function patches({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const make = makerAtRest(sandbox, () => makeFor(operation, sandbox, beside));
  const sent = wholeChangeOf(operation, mediaType, 'patched');
  for (let attempt = 1; ; attempt += 1) {
    const made = await make();
    let used: JsonObject = {};
    const send = (current: JsonObject): Promise<Reply> => {
      used = current;
      return client.send({ method: 'PATCH', path: pathOn(operation, made), ...patchBody(mediaType, sent, current) });
    };
    const isEffect = (object: JsonObject): boolean => missing(object, sent) === undefined;
    const observed = await observe(sandbox, made, send, { isEffect });
    // The body of a JSON patch depends on the object: if a controller wrote in between, it is another change.
    if (versionOf(observed.before) !== versionOf(used) && attempt < conflicts) continue;
    const change = operation.verb === 'patch' ? await completed(sandbox, made.resource, observed, sent) : sent;
    return { observed, sent, change, made };
  }
}

/** Sends patches that change nothing: without a field, and with the values that the object has. */
async function patchesAgain({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const make = makerAtRest(sandbox, () => makeFor(operation, sandbox));
  const change = changeOf(operation, 'current');
  let replies: { readonly current: Reply; readonly still: Reply[] } | undefined;
  let round = 0;
  const untouched = await observeVain(sandbox, async () => {
    const made = await make();
    const path = pathOn(operation, made);
    const send = (body: JsonObject, object: unknown) =>
      client.send({ method: 'PATCH', path, ...patchBody(mediaType, body, object) });
    let object = made.object;
    const patchNow = async (attempt = 1): Promise<Reply> => {
      const resourceVersion = String(versionOf(object));
      const reply = await send(merge(change, { metadata: { resourceVersion } }), object);
      if (reply.status !== 409 || attempt === conflicts) return reply;
      object = await present(sandbox, made);
      return patchNow(attempt + 1);
    };
    const current = await patchNow();
    round += 1;
    // A controller may soon set another status.
    object = (round > 1 && (await atRest(sandbox, { ...made, object }, round))) || (await present(sandbox, made));
    const isSet = missing(object, change) === undefined;
    return {
      written: { ...made, object },
      send: async () => {
        const still = [await send({}, object), ...(isSet ? [await send(change, object)] : [])];
        replies = { current, still };
        return still.find((reply) => reply.status > 299) ?? current;
      },
    };
  });
  return { ...(replies ?? fail('no patch was sent')), change, untouched };
}

async function concurrentPatches({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const path = pathOn(operation, made);
  const labels = Object.fromEntries(writers.map((writer) => [`kube-api-conformance/writer-${writer}`, writer]));
  const replies = await Promise.all(
    Object.entries(labels).map(([label, value]) => {
      const change = { metadata: { labels: { [label]: value } } };
      return client.send({ method: 'PATCH', path, ...patchBody(mediaType, change, made.object) });
    }),
  );
  return { replies, labels, after: await present(sandbox, made) };
}

async function patchTypesRefused({ operation, variant }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const change = changeOf(operation, 'untyped');
  const before = await present(sandbox, made);
  const headers: Record<string, string> = variant === 'no Content-Type' ? {} : { 'content-type': variant ?? '' };
  const reply = await client.send({
    method: 'PATCH',
    path: pathOn(operation, made),
    headers,
    body: JSON.stringify(change),
  });
  return { reply, change, before, after: await present(sandbox, made) };
}

async function patchTypeParameters({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const change = changeOf(operation, 'charset');
  const { body } = patchBody(mediaType, change, await present(sandbox, made));
  const headers = { 'content-type': `${mediaType === undefined ? '' : mediaTypes[mediaType]}; charset=utf-8` };
  return { change, reply: await client.send({ method: 'PATCH', path: pathOn(operation, made), headers, body }) };
}

/** The checks for every kind and every patch type. */
export const gridGroups = [
  group({
    subjects: 'patches',
    setup: patches,
    checks: {
      answer: ({ observed, sent, change, made }, { operation }) => {
        const { reply, before } = observed;
        status(reply, 200);
        const named = { ...sent, metadata: merge({ name: made.name }, metadataOf(sent)) };
        if (operation.verb === 'patchScale') holds(reply.value(), named, reply.request);
        else isChange(before, stateIn(observed, 'answer'), change, reply.request);
      },
      'effect-read': (record) => shows(record, 'read'),
      'effect-list': (record) => shows(record, 'list'),
      'effect-watch': (record) => shows(record, 'watch'),
    },
  }),
  group({
    subjects: 'patchesAgain',
    setup: patchesAgain,
    checks: {
      'no-change': ({ still, untouched }, { operation }) => {
        still.forEach(success);
        isUntouched(untouched);
        if (operation.verb === 'patchScale') return;
        for (const reply of still) isSame(reply.value(), untouched.before, `${reply.request} without a change`);
      },
      current: ({ current, change }) => {
        success(current);
        holds(current.value(), change, current.request);
      },
    },
  }),
  group({
    subjects: 'concurrentPatches',
    setup: concurrentPatches,
    checks: {
      concurrent: ({ replies, labels, after }) => {
        for (const reply of replies) success(reply);
        holds(at(after, 'metadata', 'labels'), labels, `${replies[0]?.request} eight times at once: the labels`);
      },
    },
  }),
  group({
    subjects: 'patchTypesRefused',
    setup: patchTypesRefused,
    checks: {
      'without-type': ({ reply, change, before, after }) => {
        status(reply, 415);
        oneOf(at(reply.value(), 'kind'), ['Status'], `${reply.request}: kind`);
        unchanged(reply.request, before, after, change);
      },
    },
  }),
  group({
    subjects: 'patchTypeParameters',
    setup: patchTypeParameters,
    checks: {
      'type-parameters': ({ reply, change }) => {
        success(reply);
        holds(reply.value(), change, reply.request);
      },
    },
  }),
];

/** Throws Failure unless the patch succeeded, and a place shows the object with the change and nothing else changed. */
function shows({ observed, change }: Recorded<typeof patches>, place: Place): void {
  success(observed.reply);
  isChange(observed.before, stateIn(observed, place), change, seenIn(observed, place));
}

const metadataOf = ({ metadata }: JsonObject): JsonObject => Object(metadata ?? {}) as JsonObject;
