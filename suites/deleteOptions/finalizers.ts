// Finalizers: a deleted object remains while it has one, can be written, accepts no new one, and is removed with the last.

import type { Client } from '../client/client.js';
import { clientError, equal, fail, holds, nonEmptyString, status, success } from '../client/expect.js';
import { at, endOf, itemsOf, type Json, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { withLabel } from '../objects/callParts.js';
import { whenControlled } from '../objects/controllers.js';
import { sampleOf } from '../objects/samples/index.js';
import { type CreatedObject, groupLabel, type Sandbox } from '../objects/sandbox.js';
import { leaving, ownGroup } from '../objects/validCalls.js';
import { putChanged, sendBody } from '../objects/writes.js';
import { group } from '../run/group.js';
import { bodyFor, finalizersOf, held, optionsOf, remove, rewrite, sendDelete, setFinalizers } from './calls.js';

const second = 'kube-api-conformance/held-too';
const late = 'kube-api-conformance/late';

function withoutEnd(object: JsonObject): JsonObject {
  return merge(object, { metadata: { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined } });
}

/** Returns what happened after the delete, for an object that is still there. */
const furtherOf = <F>({ reply, further }: { readonly reply: Reply; readonly further?: F }): F =>
  further ?? fail(`${reply.request} of an object with finalizers, then read: it is gone`);

const path = '/metadata/finalizers';
/** Patches that remove the finalizer `held`, by the variant of the subject. */
const patches: Readonly<Record<string, { readonly type: string; readonly body: Json }>> = {
  'a null in a merge patch': { type: 'merge-patch', body: { metadata: { finalizers: null } } },
  'an empty list in a merge patch': { type: 'merge-patch', body: { metadata: { finalizers: [] } } },
  'a removal in a JSON patch': { type: 'json-patch', body: [{ op: 'remove', path }] },
  'an empty list in a JSON patch': { type: 'json-patch', body: [{ op: 'replace', path, value: [] }] },
  'a null in a strategic merge patch': { type: 'strategic-merge-patch', body: { metadata: { finalizers: null } } },
};

/** Watches the collection of an object that is being deleted from any version, until its event says so. */
async function watchFromAny(client: Client, { resource, name, namespace }: CreatedObject) {
  if (resource.found?.watchable === false) return undefined;
  const query = { resourceVersion: '0', fieldSelector: `metadata.name=${name}` };
  return watching(client, pathTo(resource, 'list', namespace), query, async (stream) => {
    const isTold = (): boolean => eventsOf(stream).some(({ object }) => endOf(object) !== undefined);
    // A watch that the server refuses or ends says nothing: the chapter watch judges that.
    const isSilent = !(await stream.until(isTold)) && stream.end === undefined;
    return { request: stream.request, isSilent };
  });
}

/** Writes the status of an object; undefined for a kind of which no status is known. */
async function noteStatus(sandbox: Sandbox, made: CreatedObject): Promise<Reply | undefined> {
  const { resource, namespace, name } = made;
  const { status } = sampleOf(resource);
  if (status === undefined || !resource.stated.includes('replaceStatus')) return undefined;
  // A namespace that is being deleted has one phase.
  const change = resource.kind === 'Namespace' ? {} : { status };
  return putChanged(sandbox, made, pathTo(resource, 'replaceStatus', namespace, name), (now) => merge(now, change));
}

export const finalizerGroups = [
  group({
    subjects: 'heldDeletes',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const { labels, selector } = ownGroup(sandbox);
      const finalizers = [held, second];
      const made = await sandbox.make(resource, { labels, statusToCome: true, change: { metadata: { finalizers } } });
      const reply = await remove(client, operation, made, bodyFor(operation, optionsOf()));
      const deleted = await sandbox.current(made);
      const [listed] = itemsOf(await sandbox.list(resource, made.namespace, selector));
      if (deleted === undefined) return { resource, reply, deleted, listed };
      const watched = await watchFromAny(client, made);
      const foreground = optionsOf({ propagationPolicy: 'Foreground' });
      const again = await remove(client, operation, made, bodyFor(operation, foreground));
      const afterAgain = await sandbox.current(made);
      const { name, namespace } = made;
      const body = sandbox.body(resource, name, namespace);
      const taken = await sendBody(sandbox, 'POST', pathTo(resource, 'create', namespace), body);
      const afterTaken = await sandbox.current(made);
      const withLate = [...finalizersOf(deleted), late];
      const added = await setFinalizers(sandbox, made, withLate);
      const patch = { metadata: { finalizers: withLate } };
      const patched = await sendBody(sandbox, 'PATCH', pathTo(resource, 'patch', namespace, name), patch, 'mergePatch');
      const afterAdded = await sandbox.current(made);
      const unmarked = await rewrite(sandbox, made, (object) => withLabel(withoutEnd(object), 'unmarked'));
      const noted = await noteStatus(sandbox, made);
      const afterUnmarked = await sandbox.current(made);
      const one = await setFinalizers(sandbox, made, [second]);
      const afterOne = await sandbox.current(made);
      const none = await setFinalizers(sandbox, made, []);
      // The controller that empties a namespace may remove it, and may run on another server.
      const look = () => sandbox.current(made);
      const afterNone = await (resource.kind === 'Namespace' ? whenControlled(sandbox, look, leaving) : look());
      const further = {
        ...{ watched, again, afterAgain, taken, afterTaken, added, patched, afterAdded },
        ...{ unmarked, noted, afterUnmarked, one, afterOne, none, afterNone },
      };
      return { resource, reply, deleted, listed, further };
    },
    checks: {
      'answer-object': ({ resource, reply }) => {
        success(reply);
        holds(reply.value(), { kind: resource.kind }, `${reply.request}: the answer`);
        nonEmptyString(endOf(reply.value()), `${reply.request}: metadata.deletionTimestamp of the answer`);
      },
      'finalizer-holds': (record) => {
        const { resource, reply, deleted, listed } = record;
        success(reply);
        if (deleted === undefined) fail(`${reply.request} of an object with finalizers, then read: it is gone`);
        nonEmptyString(endOf(deleted), `${reply.request}, then read: metadata.deletionTimestamp`);
        nonEmptyString(endOf(listed), `${reply.request}, then list: metadata.deletionTimestamp`);
        const { watched, again, afterAgain, taken, afterTaken } = furtherOf(record);
        if (watched?.isSilent) fail(`${watched.request}: no event of the object with a deletionTimestamp`);
        if (afterAgain === undefined) fail(`${again.request} again, then read: the object with finalizers is gone`);
        for (const [{ request }, object] of [
          [reply, deleted],
          [again, afterAgain],
        ] as const)
          for (const finalizer of [held, second])
            equal(finalizersOf(object).includes(finalizer), true, `${request}, then read: finalizer ${finalizer}`);
        // Servers may refuse the second delete of a namespace.
        if (again.status !== 409 || resource.kind !== 'Namespace') success(again);
        status(taken, 409);
        const uid = at(deleted, 'metadata', 'uid') ?? null;
        holds(afterTaken, { metadata: { uid } }, `${taken.request} of the same name, then read`);
      },
      'finalizer-late': (record) => {
        const { added, patched, afterAdded } = furtherOf(record);
        for (const reply of [added, patched]) clientError(reply);
        const isThere = finalizersOf(afterAdded).includes(late);
        equal(isThere, false, `${added.request}, ${patched.request}, then read: the new finalizer is there`);
      },
      'timestamp-kept': (record) => {
        const { unmarked, noted, afterUnmarked } = furtherOf(record);
        for (const reply of [unmarked, noted ?? []].flat()) success(reply);
        const before = nonEmptyString(endOf(record.deleted), 'metadata.deletionTimestamp after the delete');
        equal(endOf(afterUnmarked), before, `${unmarked.request} without it, then read: metadata.deletionTimestamp`);
      },
      'finalizer-last': (record) => {
        const { one, afterOne, none, afterNone } = furtherOf(record);
        success(one);
        if (afterOne === undefined) fail(`${one.request}: one of two finalizers is taken away, and the object is gone`);
        equal(finalizersOf(afterOne).includes(second), true, `${one.request}, then read: the other finalizer`);
        success(none);
        // The contents of a namespace hold it as well.
        const gone = record.resource.kind === 'Namespace' ? leaving(afterNone) : afterNone === undefined;
        equal(gone, true, `${none.request} without finalizers, then read: the object is gone`);
      },
    },
  }),
  group({
    subjects: 'patchedFinalizers',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const made = await sandbox.make(resourceOf(operation), { change: { metadata: { finalizers: [held] } } });
      const orphan = optionsOf({ propagationPolicy: 'Orphan' });
      const deleted = await remove(client, operation, made, bodyFor(operation, orphan));
      const { type, body } = (variant !== undefined && patches[variant]) || fail(`no patch for ${variant}`);
      const headers = { 'content-type': `application/${type}+json` };
      const call = { method: 'PATCH', path: fill(operation.path, made.namespace, made.name), headers } as const;
      const reply = await client.send({ ...call, body: JSON.stringify(body) });
      const after = await sandbox.current(made);
      if (after !== undefined) await setFinalizers(sandbox, made, []);
      return { deleted, reply, after };
    },
    checks: {
      'finalizer-patched': ({ deleted, reply, after }) => {
        success(deleted);
        success(reply);
        equal(after === undefined, true, `${deleted.request}, then ${reply.request}, then read: the object is gone`);
      },
    },
  }),
  group({
    subjects: 'heldCollections',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      await sandbox.selectorsAreRespected(resource);
      const labels = { [groupLabel]: sandbox.name() };
      const bound = await sandbox.make(resource, { labels, change: { metadata: { finalizers: [held] } } });
      const free = await sandbox.make(resource, { labels });
      const query = `?labelSelector=${encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`)}`;
      const reply = await sendDelete(client, fill(operation.path, bound.namespace), { query });
      const afterBound = await sandbox.current(bound);
      if (afterBound !== undefined) await setFinalizers(sandbox, bound, []);
      return { reply, afterBound, afterFree: await sandbox.current(free) };
    },
    checks: {
      'finalizer-collection': ({ reply, afterBound, afterFree }) => {
        success(reply);
        if (afterBound === undefined) fail(`${reply.request}: an object with a finalizer is gone`);
        nonEmptyString(endOf(afterBound), `${reply.request}: metadata.deletionTimestamp of an object with a finalizer`);
        equal(leaving(afterFree), true, `${reply.request}: an object without finalizers is gone or leaving`);
        equal(
          at(afterBound, 'metadata', 'finalizers', 0) !== undefined,
          true,
          `${reply.request}: the finalizer is there`,
        );
      },
    },
  }),
];
