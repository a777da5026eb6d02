// Writes that must be refused, and the checks of the refusal.

import { defined, type Resource, resourceId } from '../../matrix/api/index.js';
import { fail, nonEmptyString, status, statusObject, Unchecked } from '../client/expect.js';
import { at, brief, isObject, type Json, type JsonObject, merge, objectsIn } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mustKeepPods } from '../objects/changedPods.js';
import { binding } from '../objects/oneNamespace.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import type { invalidBodies, OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import * as config from './config.js';
import { anyObject, type Invalid, type InvalidBodies } from './invalid.js';
import * as network from './network.js';
import { pods } from './pods.js';
import * as templates from './templates.js';

const bodies: { readonly [R in keyof typeof invalidBodies]: InvalidBodies<R> } = {
  'core/configmaps': config.configMaps,
  'core/endpoints': network.endpoints,
  'core/events': config.events,
  'core/limitranges': config.limitRanges,
  'core/namespaces': anyObject,
  'core/nodes': anyObject,
  'core/persistentvolumeclaims': config.persistentVolumeClaims,
  'core/persistentvolumes': config.persistentVolumes,
  'core/pods': pods,
  'core/podtemplates': templates.podTemplates,
  'core/replicationcontrollers': templates.replicationControllers,
  'core/resourcequotas': config.resourceQuotas,
  'core/secrets': config.secrets,
  'core/serviceaccounts': anyObject,
  'core/services': network.services,
  'autoscaling/horizontalpodautoscalers': network.autoscalers,
  'batch/jobs': templates.jobs,
  'extensions/daemonsets': templates.daemonSets,
  'extensions/deployments': templates.deployments,
  'extensions/horizontalpodautoscalers': network.extensionsAutoscalers,
  'extensions/ingresses': network.ingresses,
  'extensions/networkpolicies': network.networkPolicies,
  'extensions/replicasets': templates.replicaSets,
  'extensions/thirdpartyresources': network.thirdPartyResources,
};

/** What a change of an object must not make of it, for each kind whose rules are not for the new objects alone. */
const badChanges: { readonly [R in keyof typeof invalidBodies]?: keyof (typeof invalidBodies)[R] } = {
  'core/configmaps': 'a key with a slash',
  'core/endpoints': 'a loopback address',
  'core/limitranges': 'a minimum above the maximum',
  'core/persistentvolumes': 'a capacity of zero',
  'core/pods': 'a deadline of zero',
  'core/podtemplates': 'an unknown restart policy',
  'core/replicationcontrollers': 'negative replicas',
  'core/resourcequotas': 'a negative quantity',
  'core/secrets': 'a key with a space',
  'core/services': 'a port of 65536',
  'autoscaling/horizontalpodautoscalers': 'bounds that cross',
  'batch/jobs': 'a negative parallelism',
  'extensions/daemonsets': 'an unknown restart policy',
  'extensions/deployments': 'negative replicas',
  'extensions/horizontalpodautoscalers': 'bounds that cross',
  'extensions/ingresses': 'a host in upper case',
  'extensions/networkpolicies': 'an unknown protocol',
  'extensions/replicasets': 'negative replicas',
  'extensions/thirdpartyresources': 'a version in upper case',
};

/** Returns a change that breaks a rule of the kind; undefined for a kind without such rules. */
export function badChangeOf(resource: Resource): Invalid | undefined {
  const id = resourceId(resource);
  const variant = (badChanges as Readonly<Record<string, string | undefined>>)[id];
  return variant === undefined ? undefined : invalidOf(id, variant);
}

const json = { 'content-type': 'application/json' };

/** The outcome of a write that must be refused. */
export interface Refusal {
  readonly reply: Reply;
  /** The field that the causes must name; one of several if servers differ. */
  readonly field: string | readonly string[];
  /** The object before the write; absent for a create. */
  readonly before?: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/**
 * Returns the namespace for objects that a faulty server may accept although they are wrong: one of their own for those
 * that bind the objects of later cases. Undefined for cluster-scoped kinds.
 */
export async function placeOf(sandbox: Sandbox, { plural, namespaced }: Resource): Promise<string | undefined> {
  return namespaced ? await sandbox.namespace(binding.has(plural) ? 'limited' : 'main') : undefined;
}

/** Returns a valid body with changes; `over` can remove fields. */
async function bodyWith(sandbox: Sandbox, resource: Resource, over: JsonObject, name = sandbox.name(resource)) {
  const namespace = await placeOf(sandbox, resource);
  return { name, namespace, body: merge(sandbox.body(resource, name, namespace), over) };
}

/** Creates an object that differs from the sample. Throws Prerequisite if the target refuses. */
export async function makeWith(sandbox: Sandbox, resource: Resource, over: JsonObject): Promise<CreatedObject> {
  const { name, namespace, body } = await bodyWith(sandbox, resource, over);
  const reply = await sandbox.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), body);
  const object = reply.value();
  if (!isObject(object)) fail(`${reply.request}: the answer is not an object`);
  return {
    resource,
    name,
    sent: body,
    object: object as JsonObject,
    ...defined({ namespace }),
  };
}

/** Sends a create and reads the object afterwards. */
export async function tryCreate({ client, sandbox }: Context, resource: Resource, over: JsonObject, as?: string) {
  const { name, namespace, body } = await bodyWith(sandbox, resource, over, as);
  const path = pathTo(resource, 'create', namespace);
  const reply = await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
  const place = { resource, name, ...defined({ namespace }) };
  return { reply, name, after: await sandbox.current(place) };
}

/** Replaces a new object with a change of it, and reads the object before and afterwards. */
export async function tryReplace(sandbox: Sandbox, made: CreatedObject, change: (object: JsonObject) => JsonObject) {
  const before = (await sandbox.current(made)) ?? made.object;
  return { reply: await sandbox.put(made, change), before, after: await sandbox.current(made) };
}

/** Sends the invalid body of the subject's variant: a create, or a replace if the document states no create. */
export async function sendInvalid(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject.operation);
  const { over, field, name, younger } = invalidBody(subject, context);
  if (subject.operation.verb === 'replace') {
    const namespace = await placeOf(context.sandbox, resource);
    const made = await context.sandbox.make(resource, defined({ namespace }));
    return { field, ...(await tryReplace(context.sandbox, made, (object) => merge(object, over))) };
  }
  const own = name?.(context.sandbox.name(resource));
  const named = own === undefined ? over : merge(over, { metadata: { name: own } });
  const outcome = await tryCreate(context, resource, named, own);
  if (younger !== undefined && outcome.after !== undefined && at(outcome.after, ...younger) === undefined)
    throw new Unchecked('not-supported', `${outcome.reply.request}: the server drops ${younger.join('.')}`);
  if (resource.kind === 'Pod' && (outcome.after !== undefined || !isNamed(outcome.reply, field))) {
    const isReplaced = [field].flat().some((name) => name.endsWith('.imagePullPolicy'));
    await mustKeepPods(context.sandbox, 'order', ...(isReplaced ? ['imagePullPolicy' as const] : []));
  }
  return { field, ...outcome };
}

function invalidOf(id: string, variant: string): Invalid {
  const table = bodies as Readonly<Record<string, Readonly<Record<string, Invalid>>>>;
  return table[id]?.[variant] ?? fail(`no invalid body for ${id}, ${variant}`);
}

function invalidBody({ operation, variant = '' }: OperationSubject, { client }: Context): Invalid {
  const { over, field, ...rest } = invalidOf(resourceId(resourceOf(operation)), variant);
  const placed = (text: string): string => text.replaceAll('<domain>', client.target.domains.secretType);
  return { ...rest, over: replaced(over, placed) as JsonObject, field: [field].flat().map(placed) };
}

function replaced(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, change) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, change)]));
}

/** Throws Failure unless the response is 422 with the reason Invalid. */
export function isInvalid({ reply }: { readonly reply: Reply }): void {
  status(reply, 422);
  statusObject(reply, 'Invalid');
}

/** Throws Failure unless the causes name the field, with a reason and a message. */
export function namesField({ reply, field }: Pick<Refusal, 'reply' | 'field'>): void {
  const cause = causesOf(reply).find((cause) => [field].flat().includes(String(cause.field)));
  if (cause !== undefined) {
    for (const part of ['reason', 'message'])
      nonEmptyString(cause[part], `${reply.request}: ${part} of the cause ${String(cause.field)}`);
    return;
  }
  const wanted = [field].flat().join(' or ');
  fail(`${reply.request}: the causes name ${brief(fieldsOf(reply))}, not ${wanted}: ${reply.excerpt()}`);
}

const causesOf = (reply: Reply): readonly JsonObject[] => objectsIn(at(reply.tryValue(), 'details', 'causes'));
const fieldsOf = (reply: Reply): readonly (Json | undefined)[] => causesOf(reply).map(({ field }) => field);

const isNamed = (reply: Reply, field: Refusal['field']): boolean =>
  [field].flat().some((name) => fieldsOf(reply).includes(name));

/** Throws Failure unless nothing was created or the object is unchanged. */
export function didNothing({ reply, before, after }: Refusal): void {
  if (before !== undefined) isUnchanged(before, after, `${reply.request}: the object afterwards`);
  else if (after !== undefined) fail(`${reply.request}: the object was created: ${brief(after)}`);
}

/** Throws Failure unless the response is 422, the causes name the field, and nothing changed. */
export function refusedAsInvalid(refusal: Refusal): void {
  isInvalid(refusal);
  namesField(refusal);
  didNothing(refusal);
}

export const pathOf = ({ operation }: OperationSubject, made: Pick<CreatedObject, 'name' | 'namespace'>): string =>
  fill(operation.path, made.namespace, made.name);
