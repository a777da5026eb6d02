// Quotas: a row for each limited resource, with an object that fits and an object that exceeds the quota.
import type { Resource } from '../../matrix/api/index.js';
import { fail, Prerequisite } from '../client/expect.js';
import { at, isObject, type Json, type JsonObject } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mustKeepPods } from '../objects/changedPods.js';
import { absenceOf, whenControlledBy } from '../objects/controllers.js';
import { eventually } from '../objects/eventually.js';
import { byId } from '../objects/related.js';
import type { Sandbox } from '../objects/sandbox.js';
import {
  type Attempt,
  attempt,
  claimOf,
  claims,
  countOf,
  isSuccess,
  listedNames,
  mustKeepResources,
  need,
  pause,
  podOf,
  pods,
  quotas,
  services,
  settled,
  total,
} from './objects.js';

interface Limiting {
  readonly resource: Resource;
  /** The limit of the quota. */
  readonly room: string;
  readonly within: JsonObject;
  /** The usage with the object `within`. */
  readonly used: string;
  readonly beyond: JsonObject;
}

/** A quota with room for one more object. */
const pieces = (resource: Resource, fields: JsonObject = {}): Limiting => ({
  resource,
  room: '1',
  within: fields,
  used: '1',
  beyond: fields,
});

const asking = (name: string, amount: string): JsonObject => podOf({ requests: { [name]: amount } });
const limited = (name: string, amount: string): JsonObject => podOf({ limits: { [name]: amount } });
const amounts = (of: typeof asking, name: string, [within, beyond, room]: readonly [string, string, string]) => ({
  resource: pods,
  room,
  within: of(name, within),
  used: within,
  beyond: of(name, beyond),
});
const cpus = ['300m', '201m', '500m'] as const;
const bytes = ['64Mi', '65Mi', '128Mi'] as const;

const limitings: Readonly<Record<string, Limiting>> = {
  pods: pieces(pods),
  services: pieces(services),
  replicationcontrollers: pieces(byId('core/replicationcontrollers')),
  resourcequotas: pieces(quotas),
  secrets: pieces(byId('core/secrets')),
  configmaps: pieces(byId('core/configmaps')),
  persistentvolumeclaims: pieces(claims),
  'services.nodeports': pieces(services, { spec: { type: 'NodePort' } }),
  'services.loadbalancers': pieces(services, { spec: { type: 'LoadBalancer' } }),
  cpu: amounts(asking, 'cpu', cpus),
  memory: amounts(asking, 'memory', bytes),
  'requests.cpu': amounts(asking, 'cpu', cpus),
  'requests.memory': amounts(asking, 'memory', bytes),
  'limits.cpu': amounts(limited, 'cpu', cpus),
  'limits.memory': amounts(limited, 'memory', bytes),
  'requests.storage': {
    resource: claims,
    room: '1536Mi',
    within: claimOf('1Gi'),
    used: '1Gi',
    beyond: claimOf('1Gi'),
  },
};

const json = { 'content-type': 'application/json' };
/** Options that delete an object at once, without orphaning dependents first. */
const atOnce = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', orphanDependents: false });

/** Milliseconds until the status may show what admission has counted. */
const longestUntilUsed = 1_000;
/** Milliseconds until admission knows the counted usage; longer if the checks write it. */
const lag = 50;
const lagOfOurs = 250;

const mayBeCounted = (sandbox: Sandbox): boolean => absenceOf(sandbox, 'quota-controller') === undefined;

/** Waits for the controller that counts, unless the target is known to run without it. */
const whenCounted = <T>(sandbox: Sandbox, look: () => Promise<T>, isCounted: (seen: T) => boolean): Promise<T> =>
  whenControlledBy(sandbox, 'quota-controller', look, isCounted);

/** The sandboxes of targets that charged no create in time: a check waits for that only once. */
const uncharged = new WeakSet<Sandbox>();

/** The sandboxes of targets that gave nothing back in time: a check waits for that only once. */
const unreleased = new WeakSet<Sandbox>();

/**
 * Creates an object that a quota must charge. Admission may learn of the quota late, from a cache: an object that is not
 * charged is deleted, and another one is tried, in the time that a controller may take.
 */
async function createCharged(
  sandbox: Sandbox,
  create: () => Promise<Attempt>,
  usedNow: () => Promise<Json | undefined>,
  expected: string,
): Promise<{ readonly made: Attempt; readonly afterCreate: Json | undefined }> {
  let last: Attempt | undefined;
  const createAnother = async () => {
    if (last !== undefined) await removeAtOnce(sandbox, last);
    last = await create();
    return { made: last, afterCreate: await eventually(usedNow, (used) => used === expected, longestUntilUsed) };
  };
  const isOver = ({ made, afterCreate }: Awaited<ReturnType<typeof createAnother>>) =>
    afterCreate === expected || !isSuccess(made.reply);
  const charged = await (uncharged.has(sandbox) ? createAnother() : whenCounted(sandbox, createAnother, isOver));
  if (!isOver(charged)) uncharged.add(sandbox);
  return charged;
}

/** Sends a write that a quota must refuse, again while it is accepted: admission may learn of the quota late, from a cache. */
const untilRefused = <T extends { readonly reply: Reply }>(sandbox: Sandbox, write: () => Promise<T>): Promise<T> =>
  whenCounted(sandbox, write, ({ reply }) => !isSuccess(reply));

/** Creates a pod that a quota must refuse. */
function createRefused(sandbox: Sandbox, namespace: string, fields: JsonObject): Promise<Attempt> {
  let last: Attempt | undefined;
  return untilRefused(sandbox, async () => {
    if (last !== undefined) await removeAtOnce(sandbox, last);
    last = await attempt(sandbox, pods, namespace, fields);
    if (isSuccess(last.reply)) await mustKeepResources(sandbox, namespace);
    return last;
  });
}

const removeAtOnce = ({ client }: Sandbox, { resource, namespace, name }: Attempt) =>
  client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name), headers: json, body: atOnce });

/** Writes the status of a pod that has ended, as its node would. */
const endPod = ({ client }: Sandbox, { namespace, name }: Attempt) =>
  client.send({
    method: 'PATCH',
    path: `${pathTo(pods, 'patch', namespace, name)}/status`,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ status: { phase: 'Succeeded' } }),
  });

/** Returns the status of a quota once it shows the usage, or the last status when the time is over. */
async function counted(sandbox: Sandbox, quota: Attempt): Promise<JsonObject> {
  const read = async () => at(await sandbox.current(quota), 'status');
  const status = await whenCounted(sandbox, read, (found) => isObject(at(found, 'used')));
  return isObject(status) ? status : {};
}

/**
 * Creates a quota whose status shows the usage. On a target without a quota controller the status is written as a
 * controller would write it.
 */
async function limitBy(sandbox: Sandbox, namespace: string, spec: JsonObject, used: JsonObject): Promise<Attempt> {
  const quota = await need(sandbox, quotas, namespace, { spec });
  const status = await counted(sandbox, quota);
  if (isObject(status.used)) {
    await pause(lag);
    return quota;
  }
  const path = `${pathTo(quotas, 'read', namespace, quota.name)}/status`;
  await sandbox.attempt('write the status of a quota', 'PATCH', path, { status: { hard: spec.hard, used } });
  await pause(lagOfOurs);
  return quota;
}

/** Creates a quota for existing objects and returns its status. */
export async function quotaOfExisting(sandbox: Sandbox) {
  const namespace = await sandbox.namespace('quota-status');
  await need(sandbox, claims, namespace);
  const hard = { persistentvolumeclaims: '5' };
  const make = async () => counted(sandbox, await need(sandbox, quotas, namespace, { spec: { hard } }));
  // A controller may learn of the claim late, from a cache, and count again after minutes: another quota is counted at once.
  const isRight = (status: JsonObject): boolean => {
    const used = at(status, 'used', 'persistentvolumeclaims');
    return used === undefined || used === '1';
  };
  return { status: await whenCounted(sandbox, make, isRight) };
}

/** The usage that the status of a quota shows, and the usage of the objects that are there. */
interface Usage {
  readonly shown: Json | undefined;
  readonly actual: string;
}

/** What happened to a quota that was filled. */
interface QuotaFilled {
  readonly name: string;
  readonly made: Reply;
  readonly over: Reply;
  readonly overCount: number;
  readonly expected: string;
  readonly afterCreate: Json | undefined;
  /** For pods: once the pod has ended, and a pod that takes its room. */
  readonly ended: { readonly after: Usage; readonly next: Reply } | undefined;
  readonly afterDelete: Usage;
}

/** How many quotas are filled until one is as it should be: controllers interfere, and their caches are late. */
const rounds = 3;

/** Fills a quota for one resource, tries to exceed it, ends what can end, and deletes the objects. */
export async function quotaFilled(sandbox: Sandbox, name = '', round = 1): Promise<QuotaFilled> {
  const { resource, room, within, used, beyond } = limitings[name] ?? fail(`no such quota: ${name}`);
  if (used !== '1' && resource === pods) await mustKeepPods(sandbox, 'containers');
  const namespace = await sandbox.namespace(`quota-${name.replace('.', '-')}${round === 1 ? '' : `-${round}`}`);
  const there = used === '1' ? await settledTotal(sandbox, resource, namespace, name) : 0;
  const hard = { [name]: used === '1' ? String(there + 1) : room };
  const quota = await limitBy(sandbox, namespace, { hard }, { [name]: String(there) });
  const usedNow = async () => at(await sandbox.current(quota), 'status', 'used', name);

  const expected = used === '1' ? String(there + 1) : used;
  // The name of its namespace is the beginning of that with the quota.
  await settled(sandbox, resource, await sandbox.namespace('quota'), within);
  const create = () => settled(sandbox, resource, namespace, within);
  const { made, afterCreate } = await createCharged(sandbox, create, usedNow, expected);
  // Controllers create objects in new namespaces, some of them late: such an object has taken the room.
  const isTaken = used === '1' && !isSuccess(made.reply) && (await total(sandbox, resource, namespace)) > there;
  if (isTaken && round < rounds) return quotaFilled(sandbox, name, round + 1);
  const over = await attempt(sandbox, resource, namespace, beyond);
  const overCount = await countOf(sandbox, over);
  const attempts = [made, over];
  const usage = async (): Promise<Usage> => {
    const own = new Set<unknown>(attempts.map((each) => each.name));
    const names = used === '1' ? await listedNames(sandbox, resource, namespace) : [];
    return { shown: await usedNow(), actual: String(names.filter((name) => !own.has(name)).length) };
  };
  const isShown = ({ shown, actual }: Usage) => shown === actual;
  const end = async () => {
    const after = await whenCounted(sandbox, usage, isShown);
    const next = isShown(after) ? await settled(sandbox, resource, namespace, within) : over;
    attempts.push(next);
    return { after, next: next.reply };
  };
  const mayEnd = resource === pods && mayBeCounted(sandbox) && isSuccess(made.reply) && !isSuccess(over.reply);
  const ended = mayEnd && isSuccess(await endPod(sandbox, made)) ? await end() : undefined;
  for (const each of attempts) if (isSuccess(each.reply)) await removeAtOnce(sandbox, each);
  const afterDelete = await whenCounted(sandbox, usage, isShown);
  const isReleased = isShown(afterDelete) && (ended === undefined || isShown(ended.after));
  // A controller that counts before its cache shows what admission has charged changes nothing, and counts again after
  // minutes. A quota that is full may not be charged again, so another one shows whether it follows.
  if (isSuccess(made.reply) && !isReleased && mayBeCounted(sandbox) && !unreleased.has(sandbox)) {
    if (round < rounds) return quotaFilled(sandbox, name, round + 1);
    unreleased.add(sandbox);
  }
  return { name, made: made.reply, over: over.reply, overCount, expected, afterCreate, ended, afterDelete };
}

/** Returns the number of objects before the check begins: controllers create objects in new namespaces. */
async function settledTotal(sandbox: Sandbox, resource: Resource, namespace: string, name: string): Promise<number> {
  if (name === 'resourcequotas') return 1;
  if (name !== 'secrets' && name !== 'configmaps') return 0;
  let last = -1;
  const ask = async () => {
    await pause(100);
    const now = await total(sandbox, resource, namespace);
    const same = now === last;
    last = now;
    return { now, same };
  };
  return (await eventually(ask, ({ same }) => same, sandbox.timeout)).now;
}

const racers = 8;
const places = 3;

/** Sends more creates at the same time than the quota has room for. */
export async function quotaRaced(sandbox: Sandbox, plural = '') {
  const resource = byId(`core/${plural}`);
  const namespace = await sandbox.namespace(`race-${plural}`);
  const quota = await limitBy(sandbox, namespace, { hard: { [plural]: String(places) } }, { [plural]: '0' });
  const usedNow = async () => at(await sandbox.current(quota), 'status', 'used', plural);
  const create = () => need(sandbox, resource, namespace);
  const { made: first } = await createCharged(sandbox, create, usedNow, '1');
  const others = await Promise.all(Array.from({ length: racers }, () => attempt(sandbox, resource, namespace)));
  const replies: Reply[] = [first, ...others].map(({ reply }) => reply);
  return { places, made: replies.filter(isSuccess).length, there: await total(sandbox, resource, namespace) };
}

/** Changes a Service to use a node port although the quota allows none, and again once the quota allows it. */
export async function quotaOutgrown(sandbox: Sandbox) {
  const namespace = await sandbox.namespace('quota-update');
  const hard = { 'services.nodeports': '0' };
  const used = { 'services.nodeports': '0' };
  const quota = await limitBy(sandbox, namespace, { hard }, used);
  const made = await sandbox.make(services, { namespace });
  const become = (type: string) =>
    sandbox.put(made, (object) => ({ ...object, spec: { ...Object(object.spec), type } }));
  const outgrow = async (): Promise<{ readonly reply: Reply; readonly type: Json | undefined }> => {
    const reply = await become('NodePort');
    const type = at(await sandbox.current(made), 'spec', 'type');
    if (isSuccess(reply)) await become('ClusterIP');
    return { reply, type };
  };
  const refused = await untilRefused(sandbox, outgrow);
  const raised = { 'services.nodeports': '5' };
  const path = pathTo(quotas, 'patch', namespace, quota.name);
  await sandbox.attempt('raise a quota', 'PATCH', path, { spec: { hard: raised } });
  if (!mayBeCounted(sandbox)) {
    await sandbox.attempt('write the status of a quota', 'PATCH', `${path}/status`, { status: { hard: raised, used } });
    await pause(lagOfOurs);
  }
  const fits = await whenCounted(sandbox, () => become('NodePort'), isSuccess);
  return { ...refused, fits };
}

/** Creates a pod that does not specify the resource that the quota limits. */
export async function quotaUnsaid(sandbox: Sandbox, name = '') {
  await mustKeepPods(sandbox, 'containers', 'resources');
  const namespace = await sandbox.namespace(`unsaid-${name.replace('.', '-')}`);
  await limitBy(sandbox, namespace, { hard: { [name]: '10G' } }, { [name]: '0' });
  const { within } = limitings[name] ?? fail(`no such quota: ${name}`);
  await need(sandbox, pods, namespace, within);
  const silent = await createRefused(sandbox, namespace, podOf({}));
  return { reply: silent.reply, count: await countOf(sandbox, silent) };
}

const terminating = { spec: { ...Object(podOf({}).spec), activeDeadlineSeconds: 600 } };
const scopes: Readonly<Record<string, { readonly inside: JsonObject; readonly outside: JsonObject }>> = {
  BestEffort: { inside: podOf({}), outside: asking('cpu', '100m') },
  NotBestEffort: { inside: asking('cpu', '100m'), outside: podOf({}) },
  Terminating: { inside: terminating, outside: podOf({}) },
  NotTerminating: { inside: podOf({}), outside: terminating },
};

/** Creates a pod in the scope of a quota without room, and a pod outside the scope. */
export async function quotaScoped(sandbox: Sandbox, name = '') {
  const { inside, outside } = scopes[name] ?? fail(`no such scope: ${name}`);
  const namespace = await sandbox.namespace(`scope-${name.toLowerCase()}`);
  const none = { pods: '0' };
  // What limits is not the first quota.
  await limitBy(sandbox, namespace, { hard: { pods: '1k' } }, none);
  await limitBy(sandbox, namespace, { hard: none, scopes: [name] }, none);
  const made = await settled(sandbox, pods, namespace, outside);
  if (made.reply.status >= 500) throw new Prerequisite(made.reply.excerpt());
  const over = await createRefused(sandbox, namespace, inside);
  return { made: made.reply, over: over.reply, overCount: await countOf(sandbox, over) };
}
