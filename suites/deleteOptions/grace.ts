// Grace: a pod on a node gets time to end; other objects, and pods without a node, are deleted at once.

import type { Operation } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, holds, nonEmptyString, success } from '../support/http/expect.js';
import { at, type JsonObject } from '../support/http/json.js';
import { pathTo, resourceOf } from '../support/http/paths.js';
import type { Reply } from '../support/http/reply.js';
import { pods } from '../support/objects/related.js';
import type { CreatedObject, Sandbox } from '../support/objects/sandbox.js';
import { leaving } from '../support/objects/validCalls.js';
import type { Recorded } from '../support/run/group.js';
import type { Context } from '../support/run/worker.js';
import { type Deletion, endOf, group, makeWithoutFinalizers, optionsOf, remove, sendDelete } from './calls.js';

const ofTheSpec = 40;
const nobodyRunsIt = {
  spec: { nodeName: 'kube-api-conformance-no-such-node', terminationGracePeriodSeconds: ofTheSpec },
};
const grace = (seconds: number): Deletion => ({ options: optionsOf({ gracePeriodSeconds: seconds }) });

/** The response to the last delete, and the pod afterwards. */
interface Graceful {
  readonly reply: Reply;
  readonly after: JsonObject | undefined;
}

/** Deletes a pod in these steps, reads it, and then deletes it for good. */
async function graceful(
  { client, sandbox }: Context,
  operation: Operation,
  change: JsonObject,
  ...steps: readonly [Deletion, ...Deletion[]]
): Promise<Graceful> {
  const pod = await sandbox.make(pods, { change });
  const [first, ...others] = steps;
  let reply = await remove(client, operation, pod, first);
  for (const step of others) reply = await remove(client, operation, pod, step);
  const after = await sandbox.current(pod);
  if (after !== undefined) await remove(client, operation, pod, grace(0));
  return { reply, after };
}

/** Deletes a pod by a delete-collection that selects it. */
async function collected({ client, sandbox }: Context, operation: Operation, deletion: Deletion): Promise<Graceful> {
  await sandbox.selectorsAreRespected(pods);
  const labels = { [group]: sandbox.name() };
  const pod: CreatedObject = await sandbox.make(pods, { labels, change: nobodyRunsIt });
  const selector = `?labelSelector=${encodeURIComponent(`${group}=${labels[group]}`)}`;
  const query = selector + (deletion.query ?? '').replace('?', '&');
  const path = pathTo(pods, 'deleteCollection', pod.namespace);
  const reply = await sendDelete(client, path, { ...deletion, query });
  const after = await sandbox.current(pod);
  if (after !== undefined) await remove(client, operation, pod, grace(0));
  return { reply, after };
}

const inQuery = { query: '?gracePeriodSeconds=50' };

export const setups = {
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
    { client, sandbox }: { client: Context['client']; sandbox: Sandbox },
  ) => {
    const made = await makeWithoutFinalizers(sandbox, resourceOf(operation));
    const options = optionsOf({ gracePeriodSeconds: 50, orphanDependents: false });
    return { reply: await remove(client, operation, made, { options }), after: await sandbox.current(made) };
  },
};

/** Throws Failure unless the pod exists and has that many seconds, compared with another time of the same server. */
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

type Pods = Recorded<typeof setups.gracefulDeletes>;

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
  // A finalizer that the server itself sets, as on claims and volumes, holds the object for any grace period.
  'grace-elsewhere': ({ reply, after }: Recorded<typeof setups.otherGraces>) => {
    success(reply);
    if (!leaving(after)) fail(`${reply.request}, then read: the object is still there`);
  },
};
