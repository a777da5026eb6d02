// Binding: assigns a pod to a node, once.

import { clientError, equal, fail, Prerequisite, status, statusObject, success } from '../client/expect.js';
import { at, isObject, itemsOf, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
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
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const node = 'kube-api-conformance-node';
const otherNode = 'kube-api-conformance-other-node';

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

async function bound(subject: OperationSubject, { sandbox }: Context) {
  const pod = await sandbox.make(pods);
  const send = () => post(sandbox, subject, pod, scheduled(pod));
  const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'nodeName') === node;
  return observe(sandbox, pod, send, { isEffect });
}

function hasNode(pod: unknown, what: string): void {
  equal(at(pod, 'spec', 'nodeName'), node, `${what}: spec.nodeName of the pod`);
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
      let bound: { readonly reply: Reply; readonly once: JsonObject | undefined } | undefined;
      const make = makerAtRest(sandbox, async () => {
        const pod = await sandbox.make(pods);
        const reply = await post(sandbox, subject, pod, bindingOf(pod.name, toNode(node)));
        const once = await sandbox.current(pod);
        bound = { reply, once };
        return { ...pod, object: once ?? pod.object };
      });
      const again = await observeVain(sandbox, async () => {
        const pod = await make();
        return { written: pod, send: () => post(sandbox, subject, pod, bindingOf(pod.name, toNode(otherNode))) };
      });
      return { ...(bound ?? fail('no binding was sent')), again };
    },
    checks: {
      'binding-scheduled': ({ reply, once }) => {
        success(reply);
        const conditions = itemsOf({ items: at(once, 'status', 'conditions') });
        const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
        equal(scheduled?.status, 'True', `${reply.request}, then read: status of the condition PodScheduled`);
      },
      'binding-twice': ({ reply, once, again }) => {
        success(reply);
        hasNode(once, `${reply.request}, then read`);
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
