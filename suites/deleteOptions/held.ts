// Finalizers: a deleted object stays while one is left, can take no new one, and goes with the last.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { withLabel } from '../support/callParts.js';
import { clientError, equal, fail, holds, nonEmptyString, success } from '../support/expect.js';
import { at, type JsonObject, merge } from '../support/json.js';
import { fill } from '../support/scope.js';
import { leaving } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import {
  bodyFor,
  endOf,
  finalizersOf,
  group,
  held,
  optionsOf,
  type RecordOf,
  remove,
  resourceOf,
  rewrite,
  sendDelete,
  setFinalizers,
} from './calls.js';

const second = 'kube-api-conformance/held-too';
const late = 'kube-api-conformance/late';

export const performers = {
  heldDeletes: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const resource = resourceOf(operation);
    const made = await scope.make(resource, { change: { metadata: { finalizers: [held, second] } } });
    const reply = await remove(client, operation, made, bodyFor(operation, optionsOf()));
    const deleted = await scope.current(made);
    if (deleted === undefined) return { resource, reply, deleted };
    const added = await setFinalizers(scope, made, [...finalizersOf(deleted), late]);
    const afterAdded = await scope.current(made);
    const unmarked = await rewrite(scope, made, (object) => withLabel(withoutEnd(object), 'unmarked'));
    const afterUnmarked = await scope.current(made);
    const one = await setFinalizers(scope, made, [second]);
    const afterOne = await scope.current(made);
    const none = await setFinalizers(scope, made, []);
    const further = { added, afterAdded, unmarked, afterUnmarked, one, afterOne, none };
    return { resource, reply, deleted, further: { ...further, afterNone: await scope.current(made) } };
  },
  heldCollections: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const resource = resourceOf(operation);
    await scope.selectorsAreRespected(resource);
    const labels = { [group]: scope.name() };
    const bound = await scope.make(resource, { labels, change: { metadata: { finalizers: [held] } } });
    const free = await scope.make(resource, { labels });
    const query = `?labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}`;
    const reply = await sendDelete(client, fill(operation.path, bound.namespace), { query });
    const afterBound = await scope.current(bound);
    if (afterBound !== undefined) await setFinalizers(scope, bound, []);
    return { reply, afterBound, afterFree: await scope.current(free) };
  },
};

function withoutEnd(object: JsonObject): JsonObject {
  return merge(object, { metadata: { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined } });
}

type Held = RecordOf<typeof performers.heldDeletes>;

const furtherOf = ({ reply, further }: Held) =>
  further ?? fail(`${reply.request} of an object with finalizers, then read: it is gone`);

export const checks = {
  'answer-object': ({ resource, reply }: Held) => {
    success(reply);
    holds(reply.value(), { kind: resource.kind }, `${reply.request}: the answer`);
    nonEmptyString(endOf(reply.value()), `${reply.request}: metadata.deletionTimestamp of the answer`);
  },
  'finalizer-holds': ({ reply, deleted }: Held) => {
    success(reply);
    if (deleted === undefined) fail(`${reply.request} of an object with finalizers, then read: it is gone`);
    nonEmptyString(endOf(deleted), `${reply.request}, then read: metadata.deletionTimestamp`);
    for (const finalizer of [held, second])
      equal(finalizersOf(deleted).includes(finalizer), true, `${reply.request}, then read: finalizer ${finalizer}`);
  },
  'finalizer-late': (record: Held) => {
    const { added, afterAdded } = furtherOf(record);
    clientError(added);
    equal(finalizersOf(afterAdded).includes(late), false, `${added.request}, then read: the new finalizer is there`);
  },
  'timestamp-kept': (record: Held) => {
    const { unmarked, afterUnmarked } = furtherOf(record);
    const before = nonEmptyString(endOf(record.deleted), 'metadata.deletionTimestamp after the delete');
    equal(endOf(afterUnmarked), before, `${unmarked.request} without it, then read: metadata.deletionTimestamp`);
  },
  'finalizer-last': (record: Held) => {
    const { one, afterOne, none, afterNone } = furtherOf(record);
    success(one);
    if (afterOne === undefined) fail(`${one.request}: one of two finalizers is taken away, and the object is gone`);
    equal(finalizersOf(afterOne).includes(second), true, `${one.request}, then read: the other finalizer`);
    success(none);
    // The contents of a namespace hold it too.
    const gone = record.resource.kind === 'Namespace' ? leaving(afterNone) : afterNone === undefined;
    equal(gone, true, `${none.request} without finalizers, then read: the object is gone`);
  },
  'finalizer-collection': ({ reply, afterBound, afterFree }: RecordOf<typeof performers.heldCollections>) => {
    success(reply);
    if (afterBound === undefined) fail(`${reply.request}: an object with a finalizer is gone`);
    nonEmptyString(endOf(afterBound), `${reply.request}: metadata.deletionTimestamp of an object with a finalizer`);
    equal(leaving(afterFree), true, `${reply.request}: an object without finalizers is gone or leaving`);
    equal(at(afterBound, 'metadata', 'finalizers', 0) !== undefined, true, `${reply.request}: the finalizer is there`);
  },
};
