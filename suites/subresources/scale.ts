// Scale: an object that shows and sets only the number of replicas of a workload.
import { defined, type Operation, type Resource } from '../../matrix/api/index.js';
import { clientError, equal, fail, holds, Prerequisite, status, statusObject, success } from '../client/expect.js';
import { at, brief, isObject, itemsOf, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { readAtRest } from '../objects/atRest.js';
import { noted } from '../objects/callParts.js';
import {
  isChange,
  isRefused,
  isUntouched,
  makerAtRest,
  mergedWithout,
  observe,
  observeVains,
  placesOf,
  seenIn,
  stateIn,
} from '../objects/effects/index.js';
import { scaled, scaleVersionOf } from '../objects/related.js';
import { noNode } from '../objects/samples/sample.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { patchOf, sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';

/** Returns the workload of a scale: for replicationcontrollers of extensions, the resource of the core group. */
const workloadOf = (operation: Operation): Resource => scaled(resourceOf(operation));

/** Names an account that does not exist: admission refuses the pods of a controller, and fewer are there than wanted. */
const noAccount = { serviceAccountName: 'kube-api-conformance' };

/** Creates a workload, and sets its replicas by a patch or by a replace of the object. */
async function makeScaled(
  sandbox: Sandbox,
  operation: Operation,
  replicas: number,
  by: 'patch' | 'replace' = 'patch',
  template: JsonObject = {},
): Promise<CreatedObject> {
  const resource = workloadOf(operation);
  const made = await sandbox.make(resource, { change: noted });
  const path = pathTo(resource, 'patch', made.namespace, made.name);
  const hasPods = at(made.sent, 'spec', 'template') !== undefined;
  const change = { spec: { replicas, ...(hasPods && { template: { spec: { nodeSelector: noNode, ...template } } }) } };
  if (by === 'replace') {
    const reply = await sandbox.put(made, (object) => merge(object, change));
    if (reply.status > 299)
      throw new Prerequisite(
        `set the replicas of ${resource.plural}: ${reply.request}: ${reply.status} ${reply.excerpt()}`,
      );
    return made;
  }
  const object = (await sandbox.attempt(`set the replicas of ${resource.plural}`, 'PATCH', path, change)).tryValue();
  return isObject(object) ? { ...made, object } : made;
}

const scaleBody = ({ name, namespace, resource }: CreatedObject, replicas: number): JsonObject => ({
  apiVersion: scaleVersionOf(resource),
  kind: 'Scale',
  metadata: { name, ...defined({ namespace }) },
  spec: { replicas },
});

/** Sets the replicas by the operation, with a whole Scale or a patch. */
function write(
  sandbox: Sandbox,
  { operation, mediaType = 'mergePatch' }: OperationSubject,
  made: CreatedObject,
  replicas: number,
) {
  const path = fill(operation.path, made.namespace, made.name);
  if (operation.method === 'PUT') return sendBody(sandbox, 'PUT', path, scaleBody(made, replicas));
  return sendBody(sandbox, 'PATCH', path, patchOf(mediaType, { spec: { replicas } }), mediaType);
}

async function setReplicas(subject: OperationSubject, { sandbox }: Context) {
  const made = await makeScaled(sandbox, subject.operation, 1);
  const reply = await write(sandbox, subject, made, 2);
  const after = await sandbox.current(made);
  const none = await scaleDown(subject, sandbox, made);
  return { reply, made, after, none, afterNone: await sandbox.current(made) };
}

/** Sets the replicas to 0. A whole Scale is sent as clients in Go send it: the one that they read, without the zero. */
async function scaleDown(subject: OperationSubject, sandbox: Sandbox, made: CreatedObject): Promise<Reply> {
  const { method, path: template } = subject.operation;
  if (method !== 'PUT') return write(sandbox, subject, made, 0);
  const path = fill(template, made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const scale = (await sandbox.client.send({ method: 'GET', path })).tryValue();
    const body = mergedWithout(isObject(scale) ? scale : scaleBody(made, 2), { spec: { replicas: undefined } });
    const reply = await sendBody(sandbox, 'PUT', path, body);
    // A controller wrote in between.
    if (reply.status !== 409 || attempt === conflicts) return reply;
  }
}

function replicasSet({ reply, made, after, none, afterNone }: Recorded<typeof setReplicas>): void {
  success(reply);
  holds(
    reply.value(),
    { kind: 'Scale', metadata: { name: made.name }, spec: { replicas: 2 } },
    `${reply.request}: the Scale`,
  );
  equal(at(after, 'spec', 'replicas'), 2, `${reply.request}, then read: spec.replicas of the object`);
  success(none);
  // A Scale may leave the zero out.
  equal(at(none.value(), 'spec', 'replicas') ?? 0, 0, `${none.request} to 0: spec.replicas of the Scale`);
  equal(at(afterNone, 'spec', 'replicas'), 0, `${none.request} to 0, then read: spec.replicas of the object`);
}

export const scaleGroups = [
  group({
    subjects: 'scaleReads',
    setup: async ({ operation }, { client, sandbox }) => {
      const made = await makeScaled(sandbox, operation, 2, 'replace', noAccount);
      const path = pathTo(made.resource, 'read', made.namespace, made.name);
      const get = (from: string) => client.send({ method: 'GET', path: from });
      const getScale = () => get(fill(operation.path, made.namespace, made.name));
      // What a cache has of this path is old after the next write.
      await getScale();
      // A controller may undo it, and no pod is there then either.
      await sendBody(sandbox, 'PATCH', `${path}/status`, { status: { replicas: 1 } }, 'mergePatch');
      const { scale: reply, object } = await readAtRest(async () => ({
        object: await get(path),
        scale: await getScale(),
      }));
      return { reply, made, object };
    },
    checks: {
      'scale-read': ({ reply, made }) => {
        status(reply, 200);
        holds(reply.value(), { kind: 'Scale', metadata: { name: made.name }, spec: { replicas: 2 } }, reply.request);
      },
      'scale-version': ({ reply }) => {
        status(reply, 200);
        equal(at(reply.value(), 'apiVersion'), 'extensions/v1beta1', `${reply.request}: apiVersion`);
      },
      'scale-observed': ({ reply, object }) => {
        status(reply, 200);
        const { uid = null, resourceVersion = null } = Object(at(object.value(), 'metadata')) as JsonObject;
        holds(reply.value(), { metadata: { uid, resourceVersion } }, `${reply.request}, against the object`);
        const there = Number(at(object.value(), 'status', 'replicas') ?? 0);
        equal(at(reply.value(), 'status', 'replicas'), there, `${reply.request}, against the object: status.replicas`);
        const found = at(reply.value(), 'status');
        holds(found, { selector: { app: 'conformance' } }, `${reply.request}: status`);
        const selector = at(found, 'targetSelector');
        if (!String(selector).split(',').includes('app=conformance'))
          fail(`${reply.request}: status.targetSelector is ${brief(selector)}, without app=conformance`);
      },
    },
  }),
  group({
    subjects: 'scaleReplaces',
    setup: setReplicas,
    checks: { 'scale-replace': replicasSet },
  }),
  group({
    subjects: 'scalePatches',
    setup: setReplicas,
    checks: { 'scale-patch': replicasSet },
  }),
  group({
    subjects: 'scaleWrites',
    setup: async (subject, { sandbox }) => {
      const made = await makeScaled(sandbox, subject.operation, 1);
      const isEffect = (object: JsonObject): boolean => at(object, 'spec', 'replicas') === 2;
      return { observed: await observe(sandbox, made, () => write(sandbox, subject, made, 2), { isEffect }) };
    },
    checks: {
      'scale-keeps-rest': ({ observed }) => {
        success(observed.reply);
        for (const place of placesOf(observed)) {
          // The response is a Scale.
          if (place === 'answer') continue;
          isChange(observed.before, stateIn(observed, place), { spec: { replicas: 2 } }, seenIn(observed, place));
        }
      },
    },
  }),
  group({
    subjects: 'refusedScales',
    setup: async ({ operation }, { sandbox }) => {
      const make = makerAtRest(sandbox, () => makeScaled(sandbox, operation, 1));
      const makeOther = makerAtRest(sandbox, () => makeScaled(sandbox, operation, 1));
      return observeVains(sandbox, async () => {
        const [made, other] = await Promise.all([make(), makeOther()]);
        const path = fill(operation.path, made.namespace, made.name);
        const put = (change: JsonObject) => () => sendBody(sandbox, 'PUT', path, merge(scaleBody(made, 2), change));
        return {
          written: made,
          sends: {
            otherVersion: put({ apiVersion: 'autoscaling/v1' }),
            negative: put({ spec: { replicas: -1 } }),
            negativePatch: () => sendBody(sandbox, 'PATCH', path, { spec: { replicas: -1 } }, 'mergePatch'),
            stale: put({ metadata: { resourceVersion: '1' } }),
            otherName: put({ metadata: { name: other.name } }),
            noName: put({ metadata: { name: '' } }),
          },
          beside: other,
        };
      });
    },
    checks: {
      'scale-other-version': ({ otherVersion }) => {
        clientError(otherVersion.reply);
        isUntouched(otherVersion);
      },
      'scale-negative': ({ negative, negativePatch }) => {
        for (const refused of [negative, negativePatch]) {
          const { reply } = refused;
          status(reply, 422);
          statusObject(reply, 'Invalid');
          const fields = itemsOf({ items: at(reply.value(), 'details', 'causes') }).map(({ field }) => field);
          // Servers of custom resources name the path as the definition does, with a dot.
          if (!fields.some((field) => field === 'spec.replicas' || field === '.spec.replicas'))
            fail(`${reply.request}: the causes name ${brief(fields)}, not spec.replicas`);
          isUntouched(refused);
        }
      },
      'scale-stale': ({ stale }) => isRefused(stale, [409], ['Conflict']),
      'scale-name-mismatch': ({ otherName, noName }) => {
        for (const refused of [otherName, noName]) isRefused(refused, [400], ['BadRequest']);
      },
    },
  }),
  group({
    subjects: 'scalesOfAbsent',
    setup: async (subject, { client, sandbox }) => {
      const { operation } = subject;
      const resource = workloadOf(operation);
      const made: CreatedObject = {
        resource,
        name: sandbox.name(),
        namespace: await sandbox.namespace(),
        sent: {},
        object: {},
      };
      if (operation.method !== 'GET') return { reply: await write(sandbox, subject, made, 2) };
      return { reply: await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) }) };
    },
    checks: {
      'scale-absent': ({ reply }) => {
        status(reply, 404);
        statusObject(reply, 'NotFound');
      },
    },
  }),
];
