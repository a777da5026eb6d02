// Scale: a small object that shows and sets how many replicas a workload wants, and nothing else of it.
import type { Operation, Resource } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, holds, status, statusObject, success } from '../support/expect.js';
import { at, brief, essence, isObject, itemsOf, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { scaled } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';
import type { Context } from '../support/worker.js';
import { patchOf, sendBody } from '../support/writes.js';

/** No node has it, so that a live controller's pods stay pending. */
const nodeSelector = { 'kube-api-conformance/no-such-node': 'yes' };

/** The workload of a scale; the replicationcontrollers of the extensions are the core ones. */
const workloadOf = ({ resource }: Operation): Resource => scaled(resource ?? fail('a scale without a resource'));

async function makeScaled(scope: Scope, operation: Operation, replicas: number): Promise<Made> {
  const resource = workloadOf(operation);
  const made = await scope.make(resource);
  const path = pathTo(resource, 'patch', made.namespace, made.name);
  const change = { spec: { replicas, template: { spec: { nodeSelector } } } };
  const object = (await scope.attempt(`set the replicas of ${resource.plural}`, 'PATCH', path, change)).tryValue();
  return isObject(object) ? { ...made, object } : made;
}

const scaleBody = ({ name, namespace }: Made, replicas: number): JsonObject => ({
  apiVersion: 'extensions/v1beta1',
  kind: 'Scale',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  spec: { replicas },
});

/** Sets the replicas by the operation: the whole Scale, or a patch of it. */
function write(scope: Scope, { operation, mediaType = 'mergePatch' }: OperationSubject, made: Made, replicas: number) {
  const path = fill(operation.path, made.namespace, made.name);
  if (operation.method === 'PUT') return sendBody(scope, 'PUT', path, scaleBody(made, replicas));
  return sendBody(scope, 'PATCH', path, patchOf(mediaType, { spec: { replicas } }), mediaType);
}

async function setReplicas(subject: OperationSubject, { scope }: Context) {
  const made = await makeScaled(scope, subject.operation, 1);
  const reply = await write(scope, subject, made, 2);
  return { reply, made, after: await scope.current(made) };
}

export const scalePerformers = {
  scaleReads: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const made = await makeScaled(scope, operation, 2);
    const reply = await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) });
    return { reply, made };
  },
  scaleReplaces: setReplicas,
  scalePatches: setReplicas,
  scaleWrites: async (subject: OperationSubject, { scope }: Context) => {
    const made = await makeScaled(scope, subject.operation, 1);
    const before = await scope.current(made);
    const reply = await write(scope, subject, made, 2);
    return { reply, before, after: await scope.current(made) };
  },
  refusedScales: async ({ operation }: OperationSubject, { scope }: Context) => {
    const made = await makeScaled(scope, operation, 1);
    const path = fill(operation.path, made.namespace, made.name);
    let last = await scope.current(made);
    // Each is judged by what it left itself.
    const attempt = async (send: Promise<Reply>): Promise<Refused> => {
      const before = last;
      const reply = await send;
      last = await scope.current(made);
      return { reply, before, after: last };
    };
    const put = (change: JsonObject) => attempt(sendBody(scope, 'PUT', path, merge(scaleBody(made, 2), change)));
    return {
      otherVersion: await put({ apiVersion: 'autoscaling/v1' }),
      negative: await put({ spec: { replicas: -1 } }),
      negativePatch: await attempt(sendBody(scope, 'PATCH', path, { spec: { replicas: -1 } }, 'mergePatch')),
      stale: await put({ metadata: { resourceVersion: '1' } }),
      otherName: await put({ metadata: { name: scope.name() } }),
      noName: await put({ metadata: { name: '' } }),
    };
  },
  scalesOfAbsent: async (subject: OperationSubject, { client, scope }: Context) => {
    const { operation } = subject;
    const resource = workloadOf(operation);
    const made: Made = { resource, name: scope.name(), namespace: await scope.namespace(), sent: {}, object: {} };
    if (operation.method !== 'GET') return { reply: await write(scope, subject, made, 2) };
    return { reply: await client.send({ method: 'GET', path: fill(operation.path, made.namespace, made.name) }) };
  },
};

type Performers = typeof scalePerformers;
type Refusals = Recorded<Performers['refusedScales']>;

/** A write that should be refused, and the object before and after it. */
interface Refused {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

function replicasSet({ reply, made, after }: Recorded<typeof setReplicas>): void {
  success(reply);
  holds(
    reply.value(),
    { kind: 'Scale', metadata: { name: made.name }, spec: { replicas: 2 } },
    `${reply.request}: the Scale`,
  );
  equal(at(after, 'spec', 'replicas'), 2, `${reply.request}, then read: spec.replicas of the object`);
}

function unchanged({ reply, before, after }: Refused): void {
  isUntouched(before, after, `${reply.request}: the object afterwards`);
}

export const scaleChecks = {
  'scale-read': ({ reply, made }: Recorded<Performers['scaleReads']>) => {
    status(reply, 200);
    holds(reply.value(), { kind: 'Scale', metadata: { name: made.name }, spec: { replicas: 2 } }, reply.request);
  },
  'scale-version': ({ reply }: Recorded<Performers['scaleReads']>) => {
    status(reply, 200);
    equal(at(reply.value(), 'apiVersion'), 'extensions/v1beta1', `${reply.request}: apiVersion`);
  },
  'scale-observed': ({ reply }: Recorded<Performers['scaleReads']>) => {
    status(reply, 200);
    const observed = at(reply.value(), 'status', 'replicas');
    if (typeof observed !== 'number') fail(`${reply.request}: status.replicas is ${brief(observed)}, not a number`);
    const found = at(reply.value(), 'status');
    holds(found, { selector: { app: 'conformance' } }, `${reply.request}: status`);
    const selector = at(found, 'targetSelector');
    if (!String(selector).split(',').includes('app=conformance'))
      fail(`${reply.request}: status.targetSelector is ${brief(selector)}, without app=conformance`);
  },
  'scale-replace': replicasSet,
  'scale-patch': replicasSet,
  'scale-keeps-rest': ({ reply, before, after }: Recorded<Performers['scaleWrites']>) => {
    success(reply);
    isUntouched(before, after, `${reply.request}, then read`, { spec: { replicas: 2 } });
    const [fields, left] = [before, after].map((object) => Object.keys(essence(object).spec ?? {}).sort());
    equal(brief(left), brief(fields), `${reply.request}, then read: the fields of the spec`);
  },
  'scale-other-version': ({ otherVersion }: Refusals) => {
    clientError(otherVersion.reply);
    unchanged(otherVersion);
  },
  'scale-negative': ({ negative, negativePatch }: Refusals) => {
    for (const refused of [negative, negativePatch]) {
      const { reply } = refused;
      status(reply, 422);
      statusObject(reply, 'Invalid');
      const fields = itemsOf({ items: at(reply.value(), 'details', 'causes') }).map(({ field }) => field);
      if (!fields.includes('spec.replicas'))
        fail(`${reply.request}: the causes name ${brief(fields)}, not spec.replicas`);
      unchanged(refused);
    }
  },
  'scale-stale': ({ stale }: Refusals) => {
    status(stale.reply, 409);
    statusObject(stale.reply, 'Conflict');
    unchanged(stale);
  },
  'scale-name-mismatch': ({ otherName, noName }: Refusals) => {
    for (const refused of [otherName, noName]) {
      status(refused.reply, 400);
      statusObject(refused.reply, 'BadRequest');
      unchanged(refused);
    }
  },
  'scale-absent': ({ reply }: Recorded<Performers['scalesOfAbsent']>) => {
    status(reply, 404);
    statusObject(reply, 'NotFound');
  },
};
