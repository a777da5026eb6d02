// Grace: a pod on a node gets time to end; other objects, and pods without a node, are deleted at once.

import type { Operation } from '../../matrix/api/index.js';
import { equal, fail, holds, nonEmptyString, success } from '../client/expect.js';
import { at, endOf, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { pods } from '../objects/related.js';
import type { CreatedObject } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { leaving } from '../objects/validCalls.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { type Deletion, makeWithoutFinalizers, optionsOf, remove, sendDelete } from './calls.js';

const ofTheSpec = 40;
/** A pod on a node that is absent, whose name is new: a controller deletes the pods of a node that it knows to be absent. */
const nobodyRunsIt = ({ sandbox }: Context) => ({
  spec: { nodeName: sandbox.name(), terminationGracePeriodSeconds: ofTheSpec },
});
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
async function collected(context: Context, operation: Operation, deletion: Deletion): Promise<Graceful> {
  const { client, sandbox } = context;
  await sandbox.selectorsAreRespected(pods);
  const labels = { [groupLabel]: sandbox.name() };
  const pod: CreatedObject = await sandbox.make(pods, { labels, change: nobodyRunsIt(context) });
  const selector = `?labelSelector=${encodeURIComponent(`${groupLabel}=${labels[groupLabel]}`)}`;
  const query = selector + (deletion.query ?? '').replace('?', '&');
  const path = pathTo(pods, 'deleteCollection', pod.namespace);
  const reply = await sendDelete(client, path, { ...deletion, query });
  const after = await sandbox.current(pod);
  if (after !== undefined) await remove(client, operation, pod, grace(0));
  return { reply, after };
}

const inQuery = { query: '?gracePeriodSeconds=50' };

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

export const graceGroups = [
  group({
    subjects: 'gracefulDeletes',
    setup: async ({ operation }, context) => ({
      marks: await graceful(context, operation, nobodyRunsIt(context), grace(50)),
      ofSpec: await graceful(context, operation, nobodyRunsIt(context), { options: optionsOf() }),
      query: await graceful(context, operation, nobodyRunsIt(context), inQuery),
      zero: await graceful(context, operation, nobodyRunsIt(context), grace(0)),
      unscheduled: await graceful(context, operation, {}, grace(50)),
      shorter: await graceful(context, operation, nobodyRunsIt(context), grace(50), grace(20)),
      longer: await graceful(context, operation, nobodyRunsIt(context), grace(20), grace(50)),
      collections: [await collected(context, operation, grace(50)), await collected(context, operation, inQuery)],
    }),
    checks: {
      'grace-marks': ({ marks }) => ends(marks, 50),
      'grace-default': ({ ofSpec }) => ends(ofSpec, ofTheSpec),
      'grace-query': ({ query }) => ends(query, 50),
      'grace-zero': ({ zero }) => gone(zero),
      'grace-unscheduled': ({ unscheduled }) => gone(unscheduled),
      'grace-shorter': ({ shorter }) => ends(shorter, 20),
      'grace-kept': ({ longer }) => ends(longer, 20),
      'grace-collection': ({ collections }) => {
        for (const collection of collections) ends(collection, 50);
      },
      'answer-pod': ({ marks, zero, unscheduled }) => {
        for (const { reply } of [marks, zero, unscheduled]) {
          success(reply);
          holds(reply.value(), { kind: 'Pod' }, `${reply.request}: the answer`);
          nonEmptyString(endOf(reply.value()), `${reply.request}: metadata.deletionTimestamp of the answer`);
        }
      },
    },
  }),
  group({
    subjects: 'otherGraces',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await makeWithoutFinalizers(sandbox, resourceOf(operation));
      const options = optionsOf({ gracePeriodSeconds: 50, orphanDependents: false });
      return { reply: await remove(client, operation, made, { options }), after: await sandbox.current(made) };
    },
    checks: {
      // A finalizer that the server itself sets, as on claims and volumes, holds the object for any grace period.
      'grace-elsewhere': ({ reply, after }) => {
        success(reply);
        if (!leaving(after)) fail(`${reply.request}, then read: the object is still there`);
      },
    },
  }),
];
