// Replace: the whole object is written anew; a refused replace changes nothing.
import { resourceId } from '../matrix/api/index.js';
import { carriesLabel, withLabel } from './support/callParts.js';
import { defineChapter } from './support/chapter.js';
import { equal, fail, status, statusObject, success } from './support/expect.js';
import { at, brief, isObject, type JsonObject, merge } from './support/json.js';
import type { Reply } from './support/reply.js';
import { fill, type Made } from './support/scope.js';
import { isUntouched } from './support/untouched.js';
import { named } from './support/validCalls.js';

const json = { 'content-type': 'application/json' };
const leftOut = 'kube-api-conformance/left-out';

/** Kinds of which servers create the object that a replace names (recorded on real servers). */
const mayBeCreated = new Set(['core/endpoints', 'core/events', 'core/limitranges']);

defineChapter(
  'replace',
  {
    replaces: async ({ operation }, { scope }) => {
      const resource = operation.resource ?? fail('a replace without a resource');
      const made = await scope.make(resource, { labels: { [leftOut]: 'yes' } });
      const reply = await scope.put(made, (object) => withoutLabel(withLabel(object, 'replaced'), leftOut));
      return { reply, made, read: await scope.current(made), list: await scope.list(resource, made.namespace) };
    },
    refusedReplaces: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a replace without a resource');
      const path = (target: Pick<Made, 'namespace' | 'name'>) => fill(operation.path, target.namespace, target.name);
      const put = (target: Made, body: JsonObject) =>
        client.send({ method: 'PUT', path: path(target), headers: json, body: JSON.stringify(body) });
      const made = await scope.make(resource);
      const moved = await scope.put(made, (object) => withLabel(object, 'moved'));
      /** A replace that must be refused, with the object before and after it. */
      const refused = async (label: string, body: (before: JsonObject) => JsonObject) => {
        const before = await scope.current(made);
        const reply = await put(made, withLabel(body(before ?? made.object), label));
        return { reply, before, after: await scope.current(made) };
      };
      const otherName = scope.name(resource);
      const otherUid = '11111111-2222-3333-4444-555555555555';
      const name = scope.name(resource);
      return {
        id: resourceId(resource),
        moved,
        stale: await refused('stale', () => made.object),
        otherName: await refused('other-name', (before) => merge(before, { metadata: { name: otherName } })),
        otherUid: await refused('other-uid', (before) => merge(before, { metadata: { uid: otherUid } })),
        absent: await put({ ...made, name }, scope.body(resource, name, made.namespace)),
      };
    },
  },
  {
    answer: ({ reply }) => {
      success(reply);
      carriesLabel(reply.value(), 'replaced', reply.request);
    },
    'effect-read': ({ reply, read }) => {
      success(reply);
      carriesLabel(read, 'replaced', `${reply.request}, then read`);
      const kept = at(read, 'metadata', 'labels', leftOut);
      if (kept !== undefined)
        fail(`${reply.request}, then read: the label that was left out is still there: ${brief(kept)}`);
    },
    'effect-list': ({ reply, made, list }) => {
      success(reply);
      const items = named(list, made.name);
      equal(items.length, 1, `${reply.request}, then list: items named ${made.name}`);
      carriesLabel(items[0], 'replaced', `${reply.request}, then list`);
    },
    identity: ({ reply, made, read }) => {
      success(reply);
      for (const field of ['uid', 'creationTimestamp']) {
        equal(
          at(read, 'metadata', field),
          String(at(made.object, 'metadata', field)),
          `metadata.${field} after ${reply.request}`,
        );
      }
      const [before, after] = [made.object, read].map((object) => at(object, 'metadata', 'resourceVersion'));
      if (before === after) fail(`${reply.request}: metadata.resourceVersion is still ${brief(before)}`);
    },
    stale: ({ moved, stale }) => {
      success(moved);
      refusedWith(stale, [409], ['Conflict']);
    },
    'name-mismatch': ({ otherName }) => refusedWith(otherName, [400], ['BadRequest']),
    'other-uid': ({ otherUid }) => refusedWith(otherUid, [409, 422], ['Conflict', 'Invalid']),
    absent: ({ absent, id }) => {
      if (mayBeCreated.has(id) && absent.status >= 200 && absent.status < 300) return;
      status(absent, 404);
      statusObject(absent, 'NotFound');
    },
  },
);

function withoutLabel(object: JsonObject, label: string): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !isObject(metadata.labels)) return object;
  const { [label]: _, ...labels } = metadata.labels;
  return { ...object, metadata: { ...metadata, labels } };
}

interface Refused {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

function refusedWith({ reply, before, after }: Refused, codes: readonly number[], reasons: readonly string[]): void {
  status(reply, ...codes);
  statusObject(reply, ...reasons);
  isUntouched(before, after, `${reply.request}: the object afterwards`);
}
