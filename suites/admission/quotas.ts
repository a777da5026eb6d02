// What quotas do: a row for each limited thing, with an object that takes some of it and one that takes too much.
import type { Resource } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { fail, Prerequisite } from '../support/expect.js';
import { at, isObject, type JsonObject } from '../support/json.js';
import { byId } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { pathTo, type Scope } from '../support/scope.js';
import {
  type Attempt,
  attempt,
  claimOf,
  claims,
  countOf,
  isSuccess,
  need,
  pause,
  podOf,
  pods,
  quotas,
  services,
  settled,
  total,
  until,
} from './objects.js';

interface Limiting {
  readonly resource: Resource;
  /** What is left once the quota counts what is there. */
  readonly room: string;
  readonly within: JsonObject;
  /** What is in use then. */
  readonly used: string;
  readonly beyond: JsonObject;
}

/** Room for one more. */
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
/** Nothing that would have to be orphaned first holds the object back. */
const atOnce = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', orphanDependents: false });

/** How long a server may take to count. */
const patience = 4_000;
/** How long what is counted may take to reach the admission of a server; longer where the checks count. */
const lag = 50;
const lagOfOurs = 250;

/** Targets where nobody counted in all that time: their quotas are counted by the checks, as a controller would. */
const uncounted = new WeakSet<Client>();

/** The status of a quota once it shows what is in use, or as it is when the time is over. */
async function counted(scope: Scope, quota: Attempt, milliseconds: number): Promise<JsonObject> {
  const read = async () => at(await scope.current(quota), 'status');
  const status = await until(read, (found) => isObject(at(found, 'used')), milliseconds);
  return isObject(status) ? status : {};
}

/** Creates a quota and sees to it that its status shows what is in use. */
async function limitBy(scope: Scope, namespace: string, spec: JsonObject, used: JsonObject): Promise<Attempt> {
  const quota = await need(scope, quotas, namespace, { spec });
  const status = await counted(scope, quota, uncounted.has(scope.client) ? 100 : patience);
  if (isObject(status.used)) {
    await pause(lag);
    return quota;
  }
  uncounted.add(scope.client);
  const path = `${pathTo(quotas, 'read', namespace, quota.name)}/status`;
  await scope.attempt('write the status of a quota', 'PATCH', path, { status: { hard: spec.hard, used } });
  await pause(lagOfOurs);
  return quota;
}

/** Quota for what is there already: what its status says. */
export async function quotaOfExisting(scope: Scope) {
  const namespace = await scope.namespace('quota-status');
  await need(scope, claims, namespace);
  const hard = { persistentvolumeclaims: '5' };
  const quota = await need(scope, quotas, namespace, { spec: { hard } });
  const status = await counted(scope, quota, uncounted.has(scope.client) ? 100 : patience);
  if (!isObject(status.used)) uncounted.add(scope.client);
  return { status };
}

/** Fills a quota for one thing, tries to take more, and gives back. */
export async function quotaFilled(scope: Scope, name = '') {
  const { resource, room, within, used, beyond } = limitings[name] ?? fail(`no such quota: ${name}`);
  const namespace = await scope.namespace(`quota-${name.replace('.', '-')}`);
  const there = used === '1' ? await settledTotal(scope, resource, namespace, name) : 0;
  const hard = { [name]: used === '1' ? String(there + 1) : room };
  const quota = await limitBy(scope, namespace, { hard }, { [name]: String(there) });
  const usedNow = async () => at(await scope.current(quota), 'status', 'used', name);

  const made = await settled(scope, resource, namespace, within);
  const expected = used === '1' ? String(there + 1) : used;
  const wait = uncounted.has(scope.client) ? 100 : patience;
  const afterCreate = await until(usedNow, (found) => found === expected, Math.min(wait, 1_000));
  const over = await attempt(scope, resource, namespace, beyond);
  const overCount = await countOf(scope, over);
  for (const { name, reply } of [made, over]) {
    const path = pathTo(resource, 'delete', namespace, name);
    if (isSuccess(reply)) await scope.client.send({ method: 'DELETE', path, headers: json, body: atOnce });
  }
  const afterDelete = await until(usedNow, (found) => found === String(there), wait);
  return { name, made: made.reply, over: over.reply, overCount, expected, afterCreate, there, afterDelete };
}

/** How many there are before the check begins: controllers put things into new namespaces. */
async function settledTotal(scope: Scope, resource: Resource, namespace: string, name: string): Promise<number> {
  if (name === 'resourcequotas') return 1;
  if (name !== 'secrets' && name !== 'configmaps') return 0;
  let last = -1;
  const ask = async () => {
    const now = await total(scope, resource, namespace);
    const same = now === last;
    last = now;
    return { now, same };
  };
  await pause(150);
  return (await until(ask, ({ same }) => same, patience)).now;
}

const racers = 8;
const places = 3;

/** Creates at the same time, more than there is room for. */
export async function quotaRaced(scope: Scope, plural = '') {
  const resource = byId(`core/${plural}`);
  const namespace = await scope.namespace(`race-${plural}`);
  await limitBy(scope, namespace, { hard: { [plural]: String(places) } }, { [plural]: '0' });
  const first = await need(scope, resource, namespace);
  const others = await Promise.all(Array.from({ length: racers }, () => attempt(scope, resource, namespace)));
  const replies: Reply[] = [first, ...others].map(({ reply }) => reply);
  return { places, made: replies.filter(isSuccess).length, there: await total(scope, resource, namespace) };
}

/** Makes a service take a port of the nodes when none is left. */
export async function quotaOutgrown(scope: Scope) {
  const namespace = await scope.namespace('quota-update');
  const hard = { 'services.nodeports': '0' };
  await limitBy(scope, namespace, { hard }, { 'services.nodeports': '0' });
  const made = await scope.make(services, { namespace });
  const reply = await scope.put(made, (object) => ({ ...object, spec: { ...Object(object.spec), type: 'NodePort' } }));
  return { reply, type: at(await scope.current(made), 'spec', 'type') };
}

/** Creates a pod that does not say what the quota limits. */
export async function quotaUnsaid(scope: Scope, name = '') {
  const namespace = await scope.namespace(`unsaid-${name.replace('.', '-')}`);
  await limitBy(scope, namespace, { hard: { [name]: '10G' } }, { [name]: '0' });
  const { within } = limitings[name] ?? fail(`no such quota: ${name}`);
  await need(scope, pods, namespace, within);
  const silent = await attempt(scope, pods, namespace, podOf({}));
  return { reply: silent.reply, count: await countOf(scope, silent) };
}

const terminating = { spec: { ...Object(podOf({}).spec), activeDeadlineSeconds: 600 } };
const scopes: Readonly<Record<string, { readonly inside: JsonObject; readonly outside: JsonObject }>> = {
  BestEffort: { inside: podOf({}), outside: asking('cpu', '100m') },
  NotBestEffort: { inside: asking('cpu', '100m'), outside: podOf({}) },
  Terminating: { inside: terminating, outside: podOf({}) },
  NotTerminating: { inside: podOf({}), outside: terminating },
};

/** Creates a pod in the scope of a quota without room, and one outside. */
export async function quotaScoped(scope: Scope, name = '') {
  const { inside, outside } = scopes[name] ?? fail(`no such scope: ${name}`);
  const namespace = await scope.namespace(`scope-${name.toLowerCase()}`);
  await limitBy(scope, namespace, { hard: { pods: '0' }, scopes: [name] }, { pods: '0' });
  const made = await settled(scope, pods, namespace, outside);
  const over = await attempt(scope, pods, namespace, inside);
  if (made.reply.status >= 500) throw new Prerequisite(made.reply.excerpt());
  return { made: made.reply, over: over.reply, overCount: await countOf(scope, over) };
}
