// Grace: a pod on a node is left its time to end; what is no pod, or on no node, goes at once.
import type { Operation } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, holds, nonEmptyString, success } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import { pods } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { type Made, pathTo, type Scope } from '../support/scope.js';
import { leaving } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import {
  type Deletion,
  endOf,
  group,
  makeLoose,
  optionsOf,
  type RecordOf,
  remove,
  resourceOf,
  sendDelete,
} from './calls.js';

const ofTheSpec = 40;
const nobodyRunsIt = {
  spec: { nodeName: 'kube-api-conformance-no-such-node', terminationGracePeriodSeconds: ofTheSpec },
};
const grace = (seconds: number): Deletion => ({ options: optionsOf({ gracePeriodSeconds: seconds }) });

/** A delete with the answer of its last step, and the pod afterwards. */
interface Graceful {
  readonly reply: Reply;
  readonly after: JsonObject | undefined;
}

/** Deletes a pod in those steps and, once it was looked at, for good. */
async function graceful(
  { client, scope }: Context,
  operation: Operation,
  change: JsonObject,
  ...steps: readonly [Deletion, ...Deletion[]]
): Promise<Graceful> {
  const pod = await scope.make(pods, { change });
  const [first, ...others] = steps;
  let reply = await remove(client, operation, pod, first);
  for (const step of others) reply = await remove(client, operation, pod, step);
  const after = await scope.current(pod);
  if (after !== undefined) await remove(client, operation, pod, grace(0));
  return { reply, after };
}

/** Deletes a pod by a delete-collection that names it. */
async function collected({ client, scope }: Context, operation: Operation, deletion: Deletion): Promise<Graceful> {
  await scope.selectorsAreRespected(pods);
  const labels = { [group]: scope.name() };
  const pod: Made = await scope.make(pods, { labels, change: nobodyRunsIt });
  const selector = `?labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}`;
  const query = selector + (deletion.query ?? '').replace('?', '&');
  const path = pathTo(pods, 'deleteCollection', pod.namespace);
  const reply = await sendDelete(client, path, { ...deletion, query });
  const after = await scope.current(pod);
  if (after !== undefined) await remove(client, operation, pod, grace(0));
  return { reply, after };
}

const inQuery = { query: '?gracePeriodSeconds=50' };

export const performers = {
  gracefulDeletes: async ({ operation }: OperationSubject, context: Context) => ({
    marks: await graceful(context, operation, nobodyRunsIt, grace(50)),
    ofSpec: await graceful(context, operation, nobodyRunsIt, { options: optionsOf() }),
    query: await graceful(context, operation, nobodyRunsIt, inQuery),
    zero: await graceful(context, operation, nobodyRunsIt, grace(0)),
    unscheduled: await graceful(context, operation, {}, grace(50)),
    shorter: await graceful(context, operation, nobodyRunsIt, grace(50), grace(20)),
    longer: await graceful(context, operation, nobodyRunsIt, grace(20), grace(50)),
    collections: [await collected(context, operation, grace(50)), await collected(context, operation, inQuery)],
  }),
  otherGraces: async (
    { operation }: OperationSubject,
    { client, scope }: { client: Context['client']; scope: Scope },
  ) => {
    const made = await makeLoose(scope, resourceOf(operation));
    const options = optionsOf({ gracePeriodSeconds: 50, orphanDependents: false });
    return { reply: await remove(client, operation, made, { options }), after: await scope.current(made) };
  },
};

/** The pod is there and has that many seconds. The end is compared with another time of the same server. */
function ends({ reply, after }: Graceful, seconds: number): void {
  success(reply);
  if (after === undefined) fail(`${reply.request}, then read: the Pod is gone, it had ${seconds} seconds`);
  equal(at(after, 'metadata', 'deletionGracePeriodSeconds'), seconds, `${reply.request}: deletionGracePeriodSeconds`);
  const end = Date.parse(nonEmptyString(endOf(after), `${reply.request}: metadata.deletionTimestamp`));
  const begin = Date.parse(String(at(after, 'metadata', 'creationTimestamp')));
  const lasts = (end - begin) / 1000;
  if (!(lasts >= seconds && lasts <= seconds + 120))
    fail(`${reply.request}: deletionTimestamp is ${lasts} s after creationTimestamp, the grace is ${seconds} s`);
}

function gone({ reply, after }: Graceful): void {
  success(reply);
  if (after !== undefined) fail(`${reply.request}, then read: the object is still there`);
}

type Pods = RecordOf<typeof performers.gracefulDeletes>;

export const checks = {
  'grace-marks': ({ marks }: Pods) => ends(marks, 50),
  'grace-default': ({ ofSpec }: Pods) => ends(ofSpec, ofTheSpec),
  'grace-query': ({ query }: Pods) => ends(query, 50),
  'grace-zero': ({ zero }: Pods) => gone(zero),
  'grace-unscheduled': ({ unscheduled }: Pods) => gone(unscheduled),
  'grace-shorter': ({ shorter }: Pods) => ends(shorter, 20),
  'grace-kept': ({ longer }: Pods) => ends(longer, 20),
  'grace-collection': ({ collections }: Pods) => {
    for (const collection of collections) ends(collection, 50);
  },
  'answer-pod': ({ marks, zero, unscheduled }: Pods) => {
    for (const { reply } of [marks, zero, unscheduled]) {
      success(reply);
      holds(reply.value(), { kind: 'Pod' }, `${reply.request}: the answer`);
      nonEmptyString(endOf(reply.value()), `${reply.request}: metadata.deletionTimestamp of the answer`);
    }
  },
  // A finalizer that the server puts on by itself, as on claims and volumes, holds it whatever the grace is.
  'grace-elsewhere': ({ reply, after }: RecordOf<typeof performers.otherGraces>) => {
    success(reply);
    if (!leaving(after)) fail(`${reply.request}, then read: the object is still there`);
  },
};
