// Binding: gives a pod its node, once.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, status, statusObject, success } from '../support/expect.js';
import { at, brief, itemsOf, type JsonObject } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { pods } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, type Scope } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { sendBody } from '../support/writes.js';

const node = 'kube-api-conformance-node';
const otherNode = 'kube-api-conformance-other-node';

const bindingOf = (name: string, target: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target,
});
const toNode = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Node', name });

/** Posts a binding by the operation: to the collection, or to the pod of that name. */
const post = (scope: Scope, { operation }: OperationSubject, pod: Made, body: JsonObject): Promise<Reply> =>
  sendBody(scope, 'POST', fill(operation.path, pod.namespace, pod.name), body);

async function bound(subject: OperationSubject, { scope }: Context) {
  const pod = await scope.make(pods);
  const reply = await post(scope, subject, pod, bindingOf(pod.name, toNode(node)));
  return { reply, after: await scope.current(pod) };
}

export const bindingPerformers = {
  collectionBindings: bound,
  podBindings: bound,
  bindings: async (subject: OperationSubject, { scope }: Context) => {
    const pod = await scope.make(pods);
    const reply = await post(scope, subject, pod, bindingOf(pod.name, toNode(node)));
    const once = await scope.current(pod);
    const again = await post(scope, subject, pod, bindingOf(pod.name, toNode(otherNode)));
    return { reply, once, again, twice: await scope.current(pod) };
  },
  refusedBindings: async (subject: OperationSubject, { scope }: Context) => {
    const pod = await scope.make(pods);
    const name = scope.name();
    const absent = await post(scope, subject, { ...pod, name }, bindingOf(name, toNode(node)));
    const targets = [
      { apiVersion: 'v1', kind: 'Pod', name: node },
      { apiVersion: 'v1', kind: 'Node' },
    ];
    const replies: Reply[] = [];
    for (const target of targets) replies.push(await post(scope, subject, pod, bindingOf(pod.name, target)));
    return { absent, replies, after: await scope.current(pod) };
  },
  strayBindings: async (subject: OperationSubject, { scope }: Context) => {
    const [pod, other] = [await scope.make(pods), await scope.make(pods)];
    const reply = await post(scope, subject, pod, bindingOf(other.name, toNode(node)));
    return { reply, after: [await scope.current(pod), await scope.current(other)] };
  },
};

type Performers = typeof bindingPerformers;

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

export const bindingChecks = {
  binding: isBound,
  'binding-of-pod': isBound,
  'binding-scheduled': ({ reply, once }: Recorded<Performers['bindings']>) => {
    success(reply);
    const conditions = itemsOf({ items: at(once, 'status', 'conditions') });
    const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
    equal(scheduled?.status, 'True', `${reply.request}, then read: status of the condition PodScheduled`);
  },
  'binding-twice': ({ reply, again, twice }: Recorded<Performers['bindings']>) => {
    success(reply);
    status(again, 409);
    statusObject(again, 'Conflict');
    hasNode(twice, `${again.request} again, then read`);
  },
  'binding-absent': ({ absent }: Recorded<Performers['refusedBindings']>) => {
    status(absent, 404);
    statusObject(absent, 'NotFound');
  },
  'binding-target': ({ replies, after }: Recorded<Performers['refusedBindings']>) => {
    for (const reply of replies) {
      clientError(reply);
      hasNone(after, `${reply.request}, then read`);
    }
  },
  'binding-name-mismatch': ({ reply, after }: Recorded<Performers['strayBindings']>) => {
    clientError(reply);
    for (const pod of after) hasNone(pod, `${reply.request}, then read`);
  },
};
