// Finalizers: a deleted object remains while it has one, accepts no new one, and is removed with the last.

import { clientError, equal, fail, holds, nonEmptyString, success } from '../client/expect.js';
import { at, itemsOf, type Json, type JsonObject, merge } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { withLabel } from '../objects/callParts.js';
import { whenControlled } from '../objects/controllers.js';
import { groupLabel } from '../objects/sandbox.js';
import { leaving, ownGroup } from '../objects/validCalls.js';
import { group } from '../run/group.js';
import { bodyFor, endOf, finalizersOf, held, optionsOf, remove, rewrite, sendDelete, setFinalizers } from './calls.js';

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

export const finalizerGroups = [
  group({
    subjects: 'heldDeletes',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const { labels, selector } = ownGroup(sandbox);
      const made = await sandbox.make(resource, { labels, change: { metadata: { finalizers: [held, second] } } });
      const reply = await remove(client, operation, made, bodyFor(operation, optionsOf()));
      const deleted = await sandbox.current(made);
      const [listed] = itemsOf(await sandbox.list(resource, made.namespace, selector));
      if (deleted === undefined) return { resource, reply, deleted, listed };
      const again = await remove(client, operation, made, bodyFor(operation, optionsOf()));
      const afterAgain = await sandbox.current(made);
      const added = await setFinalizers(sandbox, made, [...finalizersOf(deleted), late]);
      const afterAdded = await sandbox.current(made);
      const unmarked = await rewrite(sandbox, made, (object) => withLabel(withoutEnd(object), 'unmarked'));
      const afterUnmarked = await sandbox.current(made);
      const one = await setFinalizers(sandbox, made, [second]);
      const afterOne = await sandbox.current(made);
      const none = await setFinalizers(sandbox, made, []);
      // The controller that empties a namespace may remove it, and may run on another server.
      const look = () => sandbox.current(made);
      const afterNone = await (resource.kind === 'Namespace' ? whenControlled(sandbox, look, leaving) : look());
      const further = { again, afterAgain, added, afterAdded, unmarked, afterUnmarked, one, afterOne, none, afterNone };
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
        for (const finalizer of [held, second])
          equal(finalizersOf(deleted).includes(finalizer), true, `${reply.request}, then read: finalizer ${finalizer}`);
        const { again, afterAgain } = furtherOf(record);
        if (afterAgain === undefined) fail(`${again.request} again, then read: the object with finalizers is gone`);
        // Servers may refuse the second delete of a namespace.
        if (again.status !== 409 || resource.kind !== 'Namespace') success(again);
      },
      'finalizer-late': (record) => {
        const { added, afterAdded } = furtherOf(record);
        clientError(added);
        equal(
          finalizersOf(afterAdded).includes(late),
          false,
          `${added.request}, then read: the new finalizer is there`,
        );
      },
      'timestamp-kept': (record) => {
        const { unmarked, afterUnmarked } = furtherOf(record);
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
      const deleted = await remove(client, operation, made, bodyFor(operation, optionsOf()));
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
