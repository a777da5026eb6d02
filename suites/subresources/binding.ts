// Binding: assigns a pod to a node, once.

import { clientError, equal, fail, oneOf, Prerequisite, status, statusObject, success } from '../client/expect.js';
import { at, isObject, type JsonObject, merge, objectsIn } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { noted } from '../objects/callParts.js';
import {
  isChange,
  isRefused,
  isUntouched,
  makerAtRest,
  mergedWithout,
  type Observed,
  observe,
  observeVain,
  observeVains,
  placesOf,
  seenIn,
  stateIn,
} from '../objects/effects/index.js';
import { pods } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { putChanged, sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const node = 'kube-api-conformance-node';
const otherNode = 'kube-api-conformance-other-node';
const thirdNode = 'kube-api-conformance-third-node';

const bindingOf = (name: string, target: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target,
});
/** The Binding that a scheduler in Go sends: of this very pod, to a node without a version. */
const scheduled = ({ name, namespace = '', object }: CreatedObject): JsonObject =>
  merge(bindingOf(name, { kind: 'Node', name: node }), {
    metadata: { namespace, uid: at(object, 'metadata', 'uid'), creationTimestamp: null },
  });
const toNode = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', name });

/** Posts a binding to the collection, or to the pod of that name. */
const post = (
  sandbox: Sandbox,
  { operation }: OperationSubject,
  pod: CreatedObject,
  body: JsonObject,
): Promise<Reply> => sendBody(sandbox, 'POST', fill(operation.path, pod.namespace, pod.name), body);

/** A condition of a pod that others write. */
const ownCondition = { type: 'kube-api-conformance/Checked', status: 'True' };
const conditionsOf = (pod: unknown): JsonObject[] => objectsIn(at(pod, 'status', 'conditions'));

async function bound(subject: OperationSubject, { sandbox }: Context) {
  const pod = await sandbox.make(pods, { change: noted });
  // Where a status cannot be written, there is no condition to lose.
  await putChanged(sandbox, pod, pathTo(pods, 'replaceStatus', pod.namespace, pod.name), (object) =>
    merge(object, { status: { conditions: [...conditionsOf(object), ownCondition] } }),
  );
  const send = () => post(sandbox, subject, pod, scheduled(pod));
  const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'nodeName') === node;
  return observe(sandbox, pod, send, { isEffect });
}

function hasNode(pod: unknown, what: string, name = node): void {
  equal(at(pod, 'spec', 'nodeName'), name, `${what}: spec.nodeName of the pod`);
}

/** Returns the binding that succeeded, of two at once, and the name of its node. Throws Failure if none did. */
function winnerOf(replies: readonly Reply[]): { readonly reply: Reply; readonly name: string } {
  const [first = fail('no binding was sent')] = replies;
  const reply = replies.find(({ status }) => status < 300) ?? first;
  success(reply);
  return { reply, name: reply === first ? node : otherNode };
}

function isBound(observed: Observed): void {
  success(observed.reply);
  // The response is a Status or a Binding.
  for (const place of placesOf(observed))
    if (place !== 'answer') hasNode(stateIn(observed, place), seenIn(observed, place));
}

/** The condition that says that the pod has a node is the only other thing that a binding writes. */
function isOnlyBound(observed: Observed): void {
  success(observed.reply);
  const after = stateIn(observed, 'read');
  const types = conditionsOf(after).map(({ type }) => type);
  for (const { type } of conditionsOf(observed.before))
    oneOf(type, types, `${seenIn(observed, 'read')}: a condition of before`);
  const { conditions: _, ...status } = (isObject(after.status) ? after.status : {}) as JsonObject;
  const bare = (object: JsonObject): JsonObject => mergedWithout(object, { status: { conditions: undefined } });
  const change = (before: JsonObject): JsonObject => mergedWithout(bare(before), { spec: { nodeName: node } });
  isChange(observed.before, { ...after, status }, change, seenIn(observed, 'read'));
}

export const bindingGroups = [
  group({
    subjects: 'collectionBindings',
    setup: bound,
    checks: { binding: isBound, 'binding-keeps-rest': isOnlyBound },
  }),
  group({
    subjects: 'podBindings',
    setup: bound,
    checks: { 'binding-of-pod': isBound },
  }),
  group({
    subjects: 'bindings',
    setup: async (subject, { sandbox }) => {
      let bound: { readonly replies: readonly Reply[]; readonly once: JsonObject | undefined } | undefined;
      const make = makerAtRest(sandbox, async () => {
        const pod = await sandbox.make(pods);
        const bind = (name: string) => post(sandbox, subject, pod, bindingOf(pod.name, toNode(name)));
        const replies = await Promise.all([node, otherNode].map(bind));
        const once = await sandbox.current(pod);
        bound = { replies, once };
        return { ...pod, object: once ?? pod.object };
      });
      const again = await observeVain(sandbox, async () => {
        const pod = await make();
        return { written: pod, send: () => post(sandbox, subject, pod, bindingOf(pod.name, toNode(thirdNode))) };
      });
      return { ...(bound ?? fail('no binding was sent')), again };
    },
    checks: {
      'binding-scheduled': ({ replies, once }) => {
        const { request } = winnerOf(replies).reply;
        const scheduled = conditionsOf(once).find(({ type }) => type === 'PodScheduled');
        equal(scheduled?.status, 'True', `${request}, then read: status of the condition PodScheduled`);
      },
      'binding-twice': ({ replies, once, again }) => {
        const { reply, name } = winnerOf(replies);
        hasNode(once, `${reply.request}, twice at once, then read`, name);
        for (const other of replies) if (other !== reply) status(other, 409);
        isRefused(again, [409], ['Conflict']);
      },
    },
  }),
  group({
    subjects: 'refusedBindings',
    setup: async (subject, { sandbox }) => {
      const make = makerAtRest(sandbox, () => sandbox.make(pods));
      const makeOther = makerAtRest(sandbox, () => sandbox.make(pods));
      const makeLeaving = makerAtRest(sandbox, async () => {
        const pod = await sandbox.make(pods, { change: { metadata: { finalizers: ['kube-api-conformance/held'] } } });
        await sandbox.attempt('delete a pod', 'DELETE', pathTo(pods, 'delete', pod.namespace, pod.name));
        const object = await sandbox.current(pod);
        if (object === undefined) throw new Prerequisite(`delete a pod: ${pod.name} has a finalizer, and is gone`);
        return { ...pod, object };
      });
      const deleted = await observeVain(sandbox, async () => {
        const pod = await makeLeaving();
        return { written: pod, send: () => post(sandbox, subject, pod, bindingOf(pod.name, toNode(node))) };
      });
      const name = sandbox.name();
      const pod = await sandbox.make(pods);
      const absent = await post(sandbox, subject, { ...pod, name }, bindingOf(name, toNode(node)));
      const refused = await observeVains(sandbox, async () => {
        const [pod, other] = await Promise.all([make(), makeOther()]);
        const to = (target: JsonObject) => () => post(sandbox, subject, pod, bindingOf(pod.name, target));
        return {
          written: pod,
          sends: {
            'to a pod': to({ apiVersion: 'v1', kind: 'Pod', name: other.name }),
            'to nothing': to({ apiVersion: 'v1', kind: 'Node' }),
          },
          beside: other,
        };
      });
      return { absent, refused, deleted };
    },
    checks: {
      'binding-deleted': ({ deleted }) => isRefused(deleted, [409], ['Conflict']),
      'binding-absent': ({ absent }) => {
        status(absent, 404);
        statusObject(absent, 'NotFound');
      },
      'binding-target': ({ refused }) => {
        for (const untouched of Object.values(refused)) {
          clientError(untouched.reply);
          isUntouched(untouched);
        }
      },
    },
  }),
  group({
    subjects: 'strayBindings',
    setup: async (subject, { sandbox }) => {
      const make = makerAtRest(sandbox, () => sandbox.make(pods));
      const makeOther = makerAtRest(sandbox, () => sandbox.make(pods));
      return observeVains(sandbox, async () => {
        const [pod, other] = await Promise.all([make(), makeOther()]);
        const sends = { stray: () => post(sandbox, subject, pod, bindingOf(other.name, toNode(node))) };
        return { written: pod, sends, beside: other };
      });
    },
    checks: {
      'binding-name-mismatch': ({ stray }) => {
        clientError(stray.reply);
        isUntouched(stray);
      },
    },
  }),
];
