// Replace: the whole object is replaced; a refused replace changes nothing.
import { equal, fail, status, statusObject, success } from '../client/expect.js';
import { at, brief, isObject, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { carriesLabel, withLabel } from '../objects/callParts.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { objectsNamed } from '../objects/validCalls.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';

const json = { 'content-type': 'application/json' };
const leftOut = 'kube-api-conformance/left-out';

/** The kinds whose objects servers create by a replace (recorded on real servers), in every version of their group. */
const mayBeCreated = new Set([
  ...['core/endpoints', 'core/events', 'core/limitranges', 'events.k8s.io/events', 'coordination.k8s.io/leases'],
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
    (plural) => `rbac.authorization.k8s.io/${plural}`,
  ),
]);

defineChapter('replace', [
  group({
    subjects: 'replaces',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const made = await sandbox.make(resource, { labels: { [leftOut]: 'yes' } });
      const reply = await sandbox.put(made, (object) => withoutLabel(withLabel(object, 'replaced'), leftOut));
      return { reply, made, read: await sandbox.current(made), list: await sandbox.list(resource, made.namespace) };
    },
    checks: {
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
        const items = objectsNamed(list, made.name);
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
    },
  }),
  group({
    subjects: 'refusedReplaces',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const path = (target: Pick<CreatedObject, 'namespace' | 'name'>) =>
        fill(operation.path, target.namespace, target.name);
      const put = (target: CreatedObject, body: JsonObject) =>
        client.send({ method: 'PUT', path: path(target), headers: json, body: JSON.stringify(body) });
      const made = await sandbox.make(resource);
      const moved = await sandbox.put(made, (object) => withLabel(object, 'moved'));
      /** Sends a replace that must be refused, and returns it with the object before and after it. */
      const refused = async (label: string, body: (before: JsonObject) => JsonObject) => {
        const before = await sandbox.current(made);
        const reply = await put(made, withLabel(body(before ?? made.object), label));
        return { reply, before, after: await sandbox.current(made) };
      };
      const otherName = sandbox.name(resource);
      const otherUid = '11111111-2222-3333-4444-555555555555';
      const name = sandbox.name(resource);
      return {
        id: `${resource.groupVersion.group || 'core'}/${resource.plural}`,
        moved,
        stale: await refused('stale', () => made.object),
        otherName: await refused('other-name', (before) => merge(before, { metadata: { name: otherName } })),
        otherUid: await refused('other-uid', (before) => merge(before, { metadata: { uid: otherUid } })),
        absent: await put({ ...made, name }, sandbox.body(resource, name, made.namespace)),
      };
    },
    checks: {
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
  }),
]);

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
  isUnchanged(before, after, `${reply.request}: the object afterwards`);
}
