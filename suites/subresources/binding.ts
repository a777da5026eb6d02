// Binding: assigns a pod to a node, once.

import { clientError, equal, fail, status, statusObject, success } from '../client/expect.js';
import { at, brief, isObject, itemsOf, type JsonObject } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import {
  isChange,
  mergedWithout,
  type Observed,
  observe,
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
  const send = () => post(sandbox, subject, pod, bindingOf(pod.name, toNode(node)));
  const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'nodeName') === node;
  return observe(sandbox, pod, send, { isEffect });
}

function hasNode(pod: unknown, what: string): void {
  equal(at(pod, 'spec', 'nodeName'), node, `${what}: spec.nodeName of the pod`);
}

function hasNone(pod: unknown, what: string): void {
  const name = at(pod, 'spec', 'nodeName');
  if (name !== undefined && name !== '') fail(`${what}: the pod has the node ${brief(name)}`);
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
      const pod = await sandbox.make(pods);
      const reply = await post(sandbox, subject, pod, bindingOf(pod.name, toNode(node)));
      const once = await sandbox.current(pod);
      const again = await post(sandbox, subject, pod, bindingOf(pod.name, toNode(otherNode)));
      return { reply, once, again, twice: await sandbox.current(pod) };
    },
    checks: {
      'binding-scheduled': ({ reply, once }) => {
        success(reply);
        const conditions = itemsOf({ items: at(once, 'status', 'conditions') });
        const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
        equal(scheduled?.status, 'True', `${reply.request}, then read: status of the condition PodScheduled`);
      },
      'binding-twice': ({ reply, again, twice }) => {
        success(reply);
        status(again, 409);
        statusObject(again, 'Conflict');
        hasNode(twice, `${again.request} again, then read`);
      },
    },
  }),
  group({
    subjects: 'refusedBindings',
    setup: async (subject, { sandbox }) => {
      const pod = await sandbox.make(pods);
      const name = sandbox.name();
      const absent = await post(sandbox, subject, { ...pod, name }, bindingOf(name, toNode(node)));
      const targets = [
        { apiVersion: 'v1', kind: 'Pod', name: node },
        { apiVersion: 'v1', kind: 'Node' },
      ];
      const replies: Reply[] = [];
      for (const target of targets) replies.push(await post(sandbox, subject, pod, bindingOf(pod.name, target)));
      return { absent, replies, after: await sandbox.current(pod) };
    },
    checks: {
      'binding-absent': ({ absent }) => {
        status(absent, 404);
        statusObject(absent, 'NotFound');
      },
      'binding-target': ({ replies, after }) => {
        for (const reply of replies) {
          clientError(reply);
          hasNone(after, `${reply.request}, then read`);
        }
      },
    },
  }),
  group({
    subjects: 'strayBindings',
    setup: async (subject, { sandbox }) => {
      const [pod, other] = [await sandbox.make(pods), await sandbox.make(pods)];
      const reply = await post(sandbox, subject, pod, bindingOf(other.name, toNode(node)));
      return { reply, after: [await sandbox.current(pod), await sandbox.current(other)] };
    },
    checks: {
      'binding-name-mismatch': ({ reply, after }) => {
        clientError(reply);
        for (const pod of after) hasNone(pod, `${reply.request}, then read`);
      },
    },
  }),
];
