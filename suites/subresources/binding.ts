// Binding: assigns a pod to a node, once.

import { clientError, equal, fail, status, statusObject, success } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { pods } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import { group, type Recorded } from '../run/group.js';
import type { Context } from '../run/worker.js';

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
  const reply = await post(sandbox, subject, pod, bindingOf(pod.name, toNode(node)));
  return { reply, after: await sandbox.current(pod) };
}

function hasNode(pod: unknown, what: string): void {
  equal(at(pod, 'spec', 'nodeName'), node, `${what}: spec.nodeName of the pod`);
}

function hasNone(pod: unknown, what: string): void {
  const name = at(pod, 'spec', 'nodeName');
  if (name !== undefined && name !== '') fail(`${what}: the pod has the node ${brief(name)}`);
}

function isBound({ reply, after }: Recorded<typeof bound>): void {
  success(reply);
  hasNode(after, `${reply.request}, then read`);
}

export const bindingGroups = [
  group({
    subjects: 'collectionBindings',
    setup: bound,
    checks: { binding: isBound },
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
