// Replace: the whole object is replaced; a refused replace changes nothing.
import { equal, fail, holds, status, statusObject, success } from '../client/expect.js';
import { at, brief, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { changedLabel, hostileText, withLabel } from '../objects/callParts.js';
import { sampleOf } from '../objects/samples/index.js';
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
      const change = { metadata: { annotations: { [leftOut]: 'yes' } } };
      const made = await sandbox.make(resource, { labels: { [leftOut]: 'yes' }, change });
      const labels = { [changedLabel]: 'replaced', [leftOut]: undefined };
      const annotations = { [changedLabel]: hostileText, [leftOut]: undefined };
      const expected = merge(sampleOf(resource).replaced, { metadata: { labels, annotations } });
      const reply = await sandbox.put(made, (object) => merge(object, expected));
      const read = await sandbox.current(made);
      return { reply, made, expected, read, list: await sandbox.list(resource, made.namespace) };
    },
    checks: {
      answer: ({ reply, expected }) => {
        success(reply);
        holds(reply.value(), expected, reply.request);
      },
      'effect-read': ({ reply, read, expected }) => {
        success(reply);
        holds(read, expected, `${reply.request}, then read`);
      },
      'effect-list': ({ reply, made, list, expected }) => {
        success(reply);
        const items = objectsNamed(list, made.name);
        equal(items.length, 1, `${reply.request}, then list: items named ${made.name}`);
        holds(items[0], expected, `${reply.request}, then list`);
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
