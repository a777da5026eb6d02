// Every patch operation with every patch type: response and effect, repeated, concurrent, and with an unknown type.

import { mediaTypes } from '../../matrix/api/index.js';
import { equal, fail, holds, oneOf, Prerequisite, status, success } from '../client/expect.js';
import { at, brief, type JsonObject, merge, missing } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { findEarlierState } from '../objects/overwritten.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { objectsNamed } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import { group } from '../run/group.js';
import type { Context } from '../run/worker.js';
import { changeOf, makeFor, patchBody, pathOn, unchanged } from './target.js';

const writers = ['1', '2', '3', '4', '5', '6', '7', '8'];
const versionOf = (object: unknown) => at(object, 'metadata', 'resourceVersion');

/** Returns the current object. Throws Prerequisite if it is gone. */
async function present(sandbox: Sandbox, made: CreatedObject): Promise<JsonObject> {
  return (await sandbox.current(made)) ?? absent(made);
}

function absent({ name }: CreatedObject): never {
  throw new Prerequisite(`${name} is gone`);
}

async function patches({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const change = changeOf(operation, 'patched');
  for (let attempt = 1; ; attempt += 1) {
    const before = await present(sandbox, made);
    const reply = await client.send({
      method: 'PATCH',
      path: pathOn(operation, made),
      ...patchBody(mediaType, change, before),
    });
    const list = await sandbox.list(made.resource, made.namespace);
    const read = await present(sandbox, made);
    // If a controller wrote in between, it may have overwritten the change: the version of the read object shows that.
    const isChanged = versionOf(read) !== versionOf(reply.tryValue());
    if (isChanged && attempt < conflicts) continue;
    const seenInWatch =
      isChanged && missing(read, change) !== undefined ? await findEarlierState(sandbox, made, change) : undefined;
    return { reply, change, made, before, read: seenInWatch ?? read, list, seenInWatch: seenInWatch !== undefined };
  }
}

async function patchesAgain({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const made = await makeFor(operation, sandbox);
  const path = pathOn(operation, made);
  const send = (change: JsonObject, object: unknown) =>
    client.send({ method: 'PATCH', path, ...patchBody(mediaType, change, object) });
  const current = await retried(async () => {
    const object = await present(sandbox, made);
    const version = String(versionOf(object));
    return send(merge(changeOf(operation, 'current'), { metadata: { resourceVersion: version } }), object);
  });
  // The second patch may set values that exist already, and a controller may change the object between two reads.
  const label = operation.verb === 'patch' ? [changeOf(operation, 'current')] : [];
  const still: { reply: Reply; before: unknown; after: unknown }[] = [];
  for (const change of [{}, ...label]) {
    for (let attempt = 1; ; attempt += 1) {
      const object = await present(sandbox, made);
      const reply = await send(change, object);
      const [before, after] = [versionOf(object), versionOf(await present(sandbox, made))];
      if (before !== after && attempt < conflicts) continue;
      still.push({ reply, before, after });
      break;
    }
  }
  return { current, change: changeOf(operation, 'current'), still };
}

async function retried(send: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await send();
    if (reply.status !== 409 || attempt === conflicts) return reply;
  }
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
      answer: ({ reply, change, made }) => {
        status(reply, 200);
        holds(reply.value(), { ...change, metadata: merge({ name: made.name }, metadataOf(change)) }, reply.request);
      },
      'effect-read': ({ reply, change, before, read }) => {
        success(reply);
        isUnchanged(before, read, `${reply.request}, then read`, change);
      },
      'effect-list': ({ reply, change, made, list, seenInWatch }) => {
        success(reply);
        const items = objectsNamed(list, made.name);
        equal(items.length, 1, `${reply.request}, then list: items named ${made.name}`);
        if (!seenInWatch) holds(items[0], change, `${reply.request}, then list`);
      },
      identity: ({ reply, made, before, read }) => {
        success(reply);
        for (const field of ['uid', 'creationTimestamp']) {
          const [was, is] = [before, read].map((object) => at(object, 'metadata', field));
          equal(is, String(was), `metadata.${field} after ${reply.request}`);
        }
        // Compares with the created object: a patch that was sent again may have found its own change.
        if (versionOf(made.object) === versionOf(read))
          fail(`${reply.request}: metadata.resourceVersion is still ${brief(versionOf(read))}`);
      },
    },
  }),
  group({
    subjects: 'patchesAgain',
    setup: patchesAgain,
    checks: {
      'no-change': ({ still }) => {
        for (const { reply, before, after } of still) {
          success(reply);
          equal(after, String(before), `${reply.request} without a change: metadata.resourceVersion`);
          equal(
            versionOf(reply.value()),
            String(before),
            `${reply.request} without a change: resourceVersion answered`,
          );
        }
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

const metadataOf = ({ metadata }: JsonObject): JsonObject => Object(metadata ?? {}) as JsonObject;
