// Allowed and forbidden changes in an update: fixed fields, the pod's spec, the generation, invalid updates.
import { defined, type Resource, resourceId, type Verb } from '../../matrix/api/index.js';
import { equal, fail, holds, success } from '../client/expect.js';
import { at, brief, essence, isObject, type JsonObject, merge, objectsIn } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { releaseAnyhow } from '../objects/anyhow.js';
import { marksOf } from '../objects/marks.js';
import { scaleVersionOf } from '../objects/related.js';
import { sampleOf } from '../objects/samples/index.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import { sendBody } from '../objects/writes.js';
import type { fixedFields, OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { freeAddress } from './allocation.js';
import { badChangeOf, makeWith, pathOf, type Refusal, refusedAsInvalid, tryReplace } from './refusals.js';

type Change = (object: JsonObject) => JsonObject;
interface Fixed {
  readonly change: JsonObject | ((sandbox: Sandbox, resource: Resource) => Promise<JsonObject>);
  readonly field: string | readonly string[];
}

const over =
  (change: JsonObject): Change =>
  (object) =>
    merge(object, change);

const fixed: { readonly [R in keyof typeof fixedFields]: Readonly<Record<(typeof fixedFields)[R][number], Fixed>> } = {
  'core/secrets': { 'the type': { change: { type: 'example.com/other' }, field: 'type' } },
  'core/services': {
    'the cluster IP': {
      // An address that no Service can have would be refused for that.
      async change(sandbox, resource) {
        const address = (await freeAddress(sandbox, resource)) ?? null;
        return { spec: { clusterIP: address, clusterIPs: [address] } };
      },
      field: ['spec.clusterIP', 'spec.clusterIPs[0]'],
    },
  },
  'core/persistentvolumeclaims': {
    'the access modes': { change: { spec: { accessModes: ['ReadWriteMany'] } }, field: 'spec' },
    'the size': {
      change: { spec: { resources: { requests: { storage: '2Gi' } } } },
      field: ['spec', 'spec.resources.requests.storage'],
    },
  },
  'core/resourcequotas': {
    'the scopes': { change: { spec: { scopes: ['Terminating'] } }, field: 'spec.scopes' },
  },
  'batch/jobs': {
    'the completions': { change: { spec: { completions: 2 } }, field: 'spec.completions' },
    'the template': {
      change: { spec: { template: { metadata: { annotations: { some: 'other' } } } } },
      field: 'spec.template',
    },
    'the selector': {
      change: { spec: { selector: { matchLabels: { app: 'conformance' } } } },
      field: 'spec.selector',
    },
  },
};

/** Replaces or patches an object, by the subject's operation, and reads it before and afterwards. */
async function tryUpdate(subject: OperationSubject, sandbox: Sandbox, made: CreatedObject, change: JsonObject) {
  if (subject.operation.verb === 'replace') return tryReplace(sandbox, made, over(change));
  const before = (await sandbox.current(made)) ?? made.object;
  const reply = await sendBody(sandbox, 'PATCH', pathOf(subject, made), change, 'mergePatch');
  return { reply, before, after: await sandbox.current(made) };
}

/** Writes a change of a fixed field of an object. */
export async function changeFixed(subject: OperationSubject, { sandbox }: Context): Promise<Refusal> {
  const resource = resourceOf(subject.operation);
  const table = fixed as Readonly<Record<string, Readonly<Record<string, Fixed>>>>;
  const { change, field } = table[resourceId(resource)]?.[subject.variant ?? ''] ?? fail(`no change for ${subject.id}`);
  const made = await sandbox.make(resource);
  const changed = typeof change === 'function' ? await change(sandbox, resource) : change;
  return { field, ...(await tryUpdate(subject, sandbox, made, changed)) };
}

/** Writes an object with another creationTimestamp, with none, as many manifests have it, and with a deletionTimestamp. */
export async function changeTimes(subject: OperationSubject, { sandbox }: Context) {
  const resource = resourceOf(subject.operation);
  const made = await sandbox.make(resource);
  const updates = [];
  for (const metadata of [{ creationTimestamp: past }, { creationTimestamp: null }, { deletionTimestamp: past }])
    updates.push(await tryUpdate(subject, sandbox, made, { metadata }));
  return updates;
}

const past = '2001-02-03T04:05:06Z';

/** Sends replaces or patches that give an object an invalid label, and that break a rule of its kind. */
export async function updateBadly(subject: OperationSubject, { sandbox }: Context): Promise<Refusal[]> {
  const resource = resourceOf(subject.operation);
  const made = await sandbox.make(resource);
  const wrongLabel = { over: { metadata: { labels: { 'not a key': 'some' } } }, field: 'metadata.labels' };
  const refusals: Refusal[] = [];
  for (const { over: wrong, field } of [wrongLabel, badChangeOf(resource) ?? []].flat())
    refusals.push({ field, ...(await tryUpdate(subject, sandbox, made, wrong)) });
  return refusals;
}

interface PodChange {
  /** Merged into the sample before the pod is created. */
  readonly first?: JsonObject;
  readonly change: Change;
  /** The field that a refusal must name; absent for an allowed change. */
  readonly field?: string;
}

const spec = (change: JsonObject): Change => over({ spec: change });
const deadline = (seconds: number | undefined): JsonObject => ({ spec: { activeDeadlineSeconds: seconds } });
const container =
  (change: JsonObject): Change =>
  (object) => {
    const [first, ...others] = containersOf(object);
    return merge(object, { spec: { containers: [merge(first ?? {}, change), ...others] } });
  };
const addTo =
  (list: 'containers' | 'volumes', item: JsonObject): Change =>
  (object) => {
    const before = at(object, 'spec', list);
    return merge(object, { spec: { [list]: [...(Array.isArray(before) ? before : []), item] } });
  };

const podChanges: Readonly<Record<string, PodChange>> = {
  'the image': { change: container({ image: 'registry.example/conformance:2' }) },
  'a deadline': { change: over(deadline(600)) },
  'a shorter deadline': { first: deadline(600), change: over(deadline(300)) },
  'a longer deadline': { first: deadline(600), change: over(deadline(900)), field: 'spec.activeDeadlineSeconds' },
  'no deadline any more': {
    first: deadline(600),
    change: over(deadline(undefined)),
    field: 'spec.activeDeadlineSeconds',
  },
  'the command': { change: container({ command: ['sleep', '1'] }), field: 'spec' },
  'the environment': { change: container({ env: [{ name: 'SOME', value: 'some' }] }), field: 'spec' },
  'another container': {
    change: addTo('containers', { name: 'other', image: 'registry.example/conformance:1' }),
    field: 'spec.containers',
  },
  'the restart policy': { change: spec({ restartPolicy: 'OnFailure' }), field: 'spec' },
  'a volume': { change: addTo('volumes', { name: 'other', emptyDir: {} }), field: 'spec' },
  'the service account': {
    change: spec({ serviceAccountName: 'other', serviceAccount: 'other' }),
    field: 'spec',
  },
  'the grace period': { change: spec({ terminationGracePeriodSeconds: 31 }), field: 'spec' },
  'the host name': { change: spec({ hostname: 'other' }), field: 'spec' },
};

/** Writes a pod with the variant's change; a patch sends the whole spec. */
export async function changePod(subject: OperationSubject, { sandbox }: Context) {
  const row = podChanges[subject.variant ?? ''] ?? fail(`no change for ${subject.id}`);
  const made = await makeWith(sandbox, resourceOf(subject.operation), row.first ?? {});
  const object = (await sandbox.current(made)) ?? made.object;
  const patch = { spec: at(row.change(object), 'spec') ?? null };
  const tried =
    subject.operation.verb === 'replace'
      ? tryReplace(sandbox, made, row.change)
      : tryUpdate(subject, sandbox, made, patch);
  return { ...row, ...(await tried) };
}

/** Throws Failure unless an allowed change is stored and a forbidden one is refused. */
export function podChangeIsJudged({
  field,
  change,
  reply,
  before,
  after,
}: Awaited<ReturnType<typeof changePod>>): void {
  if (field !== undefined) {
    refusedAsInvalid({ field, reply, before, after });
  } else {
    success(reply);
    holds(after, { spec: at(change(before), 'spec') ?? null }, `${reply.request}, then read`);
  }
}

const containersOf = (object: JsonObject): JsonObject[] => objectsIn(at(object, 'spec', 'containers'));

/** Changes of the spec of each kind with a generation, by a word. */
const specChanges: Readonly<Record<string, (word: string) => JsonObject>> = {
  'extensions/ingresses': (word) => ({ backend: { serviceName: `${word}-service`, servicePort: 81 } }),
  'extensions/networkpolicies': (word) => ({ podSelector: { matchLabels: { app: word } } }),
};
const templateChange = (word: string): JsonObject => ({ template: { metadata: { annotations: { some: word } } } });

/** The generation before a write and after it. */
interface Step {
  readonly reply: Reply;
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the generation of a new object, and its changes by writes of the labels, the status and the spec, and by a
 * delete, after which a finalizer holds it. Controllers may change the generation in between, so each step reads the
 * object first, and writes at its version.
 */
export async function countGenerations(subject: OperationSubject, { sandbox }: Context) {
  const resource = resourceOf(subject.operation);
  const made = await sandbox.make(resource, { change: { metadata: { generation: 77, finalizers: [held] } } });
  const { namespace, name } = made;
  // The Scale of a version that came later is another one.
  const has = (verb: Verb): boolean =>
    resource.stated.includes(verb) || (verb !== 'replaceScale' && resource.unstated.includes(verb));
  const step = async (verb: Verb, bodyOf: (object: JsonObject) => JsonObject): Promise<Step | undefined> => {
    if (!has(verb)) return undefined;
    const path = pathTo(resource, verb, namespace, name);
    for (let attempt = 1; ; attempt += 1) {
      const object = (await sandbox.current(made)) ?? made.object;
      const isPatch = verb === 'patch' || verb === 'patchStatus';
      const method = isPatch ? 'PATCH' : verb === 'delete' ? 'DELETE' : 'PUT';
      const reply = await sendBody(sandbox, method, path, bodyOf(object), isPatch ? 'mergePatch' : 'json');
      if (reply.status === 409 && attempt < conflicts) continue;
      const after = verb === 'replaceScale' || verb === 'delete' ? await sandbox.current(made) : reply.tryValue();
      return isObject(after) ? { reply, before: generationOf(object), after: generationOf(after) } : undefined;
    }
  };
  const specOf = specChanges[resourceId(resource)] ?? templateChange;
  const version = (object: JsonObject) => ({ resourceVersion: at(object, 'metadata', 'resourceVersion') });
  const remarked = (object: JsonObject) => {
    const { status, patched = status } = marksOf(resource);
    return { metadata: version(object), status: patched };
  };
  // Real servers count the annotations of a Deployment.
  const noted = (object: JsonObject) => ({ metadata: { ...version(object), annotations: { some: 'note' } } });
  const counted = {
    first: generationOf(made.object),
    labels: await step('replace', over({ metadata: { labels: { some: 'change' } } })),
    annotations: resource.kind === 'Deployment' ? undefined : await step('patch', noted),
    status: await step('replaceStatus', over({ status: sampleOf(resource).status })),
    statusPatch: resource.stated.includes('patchStatus') ? await step('patchStatus', remarked) : undefined,
    spec: await step('replace', over({ spec: specOf('change') })),
    patch: await step('patch', (object) => ({ metadata: version(object), spec: specOf('patch') })),
    scale: await step('replaceScale', (object) => ({
      ...{ apiVersion: scaleVersionOf(resource), kind: 'Scale', spec: { replicas: 3 } },
      metadata: { name, ...defined({ namespace }), ...version(object) },
    })),
    removal: await step('delete', (object) => ({ ...background, preconditions: version(object) })),
    what: `${resource.plural} ${name}`,
  };
  await releaseAnyhow(sandbox.client, pathTo(resource, 'patch', namespace, name));
  return counted;
}

const held = 'kube-api-conformance/held';
const background = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };

const generationOf = (object: unknown): number => Number(at(object, 'metadata', 'generation'));

/** Throws Failure unless the generation starts at 1, increases by one with the spec, and does not change otherwise. */
export function generationsAreCounted(record: Awaited<ReturnType<typeof countGenerations>>): void {
  const { what, first, labels, annotations, status, statusPatch, spec: changed, patch, scale, removal } = record;
  equal(first, 1, `${what}: metadata.generation of a new object`);
  const moves = (step: Step | undefined, by: number, part: string): void => {
    if (step === undefined) return;
    success(step.reply);
    equal(step.after, step.before + by, `${what}: metadata.generation after a change of the ${part}`);
  };
  moves(labels, 0, 'labels');
  moves(annotations, 0, 'annotations');
  moves(status, 0, 'status');
  moves(statusPatch, 0, 'status by a patch');
  moves(changed, 1, 'spec');
  moves(patch, 1, 'spec by a patch');
  moves(scale, 1, 'scale');
  moves(removal, 1, 'deletionTimestamp');
}

/** Replaces an object that does not exist. */
export async function replaceAbsent(subject: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(subject.operation);
  const namespace = await sandbox.namespace();
  const name = sandbox.name(resource);
  const body = sandbox.body(resource, name, namespace);
  const headers = { 'content-type': 'application/json' };
  const path = pathOf(subject, { name, namespace });
  const reply = await client.send({ method: 'PUT', path, headers, body: JSON.stringify(body) });
  return { reply, body, read: await sandbox.current({ resource, name, namespace }) };
}

/** Throws Failure unless the object exists, has a uid, and has the content that was sent. */
export function wasCreated({ reply, body, read }: Awaited<ReturnType<typeof replaceAbsent>>): void {
  success(reply);
  holds(read, essence(body), `${reply.request}, then read`);
  if (typeof at(read, 'metadata', 'uid') !== 'string') fail(`${reply.request}: metadata.uid is ${brief(undefined)}`);
}
