// The values that each Service has for itself: its cluster IP and its node ports.
import { isIP } from 'node:net';
import type { Resource } from '../../matrix/api/index.js';
import { equal, fail, Prerequisite, success } from '../client/expect.js';
import { at, brief, type Json, type JsonObject, merge } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { versionOf } from '../objects/effects/index.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { makeWith, type Refusal, tryCreate } from './refusals.js';

const nodePortType: JsonObject = { spec: { type: 'NodePort' } };
const addressOf = (object: unknown): Json | undefined => at(object, 'spec', 'clusterIP');
const nodePortOf = (object: unknown): Json | undefined => at(object, 'spec', 'ports', 0, 'nodePort');

/**
 * Creates three Services at once without an address, one of which has an empty text for it, one that is the name of another
 * host, and a headless one, and replaces one by a body without its address.
 */
export async function createServices(subject: OperationSubject, context: Context) {
  const { sandbox } = context;
  const resource = resourceOf(subject.operation);
  const made = await Promise.all([
    sandbox.make(resource),
    sandbox.make(resource),
    // As charts write it.
    makeWith(sandbox, resource, { spec: { clusterIP: '' } }),
  ]);
  const external = await tryCreate(context, resource, { spec: { type: 'ExternalName', externalName: 'example.com' } });
  const headless = await makeWith(sandbox, resource, { spec: { clusterIP: 'None' } });
  const seen = await Promise.all(made.map((service) => sandbox.current(service)));
  const [first = fail('no Service was created')] = made;
  // Servers of long standing refuse it: an address cannot be unset.
  await sandbox.put(first, (object) => merge(first.sent, { metadata: { resourceVersion: versionOf(object) } }));
  return {
    allocated: made.map(({ object }) => addressOf(object)),
    seen: seen.map(addressOf),
    replaced: addressOf(await sandbox.current(first)),
    headless: headless.object,
    external: external.reply.status < 300 ? external.after : undefined,
  };
}

/** Throws Failure unless each Service has a different address, and those that need none have none. */
export function addressesDiffer({
  allocated,
  seen,
  replaced,
  headless,
  external,
}: Awaited<ReturnType<typeof createServices>>): void {
  for (const address of allocated) {
    if (typeof address !== 'string' || isIP(address) === 0) fail(`spec.clusterIP is ${brief(address)}, not an address`);
  }
  if (new Set(allocated).size !== allocated.length) fail(`the addresses are not different: ${brief(allocated)}`);
  for (const [index, address] of seen.entries())
    equal(address, String(allocated[index]), 'spec.clusterIP when it is read');
  equal(replaced, String(allocated[0]), 'spec.clusterIP after a replace that leaves it out');
  equal(addressOf(headless), 'None', 'spec.clusterIP of a headless Service');
  equal(addressOf(external) || '', '', 'spec.clusterIP of a Service of type ExternalName');
}

/** Creates a Service with an address that is in use or invalid. */
export async function takeAddress(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject.operation);
  // The other address is in a range for documentation, which no cluster uses.
  const wanted = subject.variant === 'in use' ? addressOf((await context.sandbox.make(resource)).object) : '192.0.2.1';
  // A cluster of IPv6 alone refuses the first of the addresses.
  const field = ['spec.clusterIP', 'spec.clusterIPs', 'spec.clusterIPs[0]'];
  return { field, ...(await tryCreate(context, resource, { spec: { clusterIP: wanted } })) };
}

/** The maximum number of tries with an address that another client may take first. */
const tries = 3;

/** Creates a Service, and deletes it. Throws Prerequisite if it is still there. */
async function makeAndDelete(sandbox: Sandbox, resource: Resource, over: JsonObject = {}): Promise<CreatedObject> {
  const made = await makeWith(sandbox, resource, over);
  await sandbox.attempt('delete the service', 'DELETE', pathTo(resource, 'delete', made.namespace, made.name));
  if ((await sandbox.current(made)) !== undefined) throw new Prerequisite('the deleted Service is still there');
  return made;
}

/** Returns an address that a Service may have: that of one which is made and deleted. */
export const freeAddress = async (sandbox: Sandbox, resource: Resource): Promise<Json | undefined> =>
  addressOf((await makeAndDelete(sandbox, resource)).object);

/** Deletes a Service and creates another one with its address and its node port. */
export async function reuseAddress(subject: OperationSubject, context: Context) {
  const { sandbox } = context;
  const resource = resourceOf(subject.operation);
  for (let attempt = 1; ; attempt += 1) {
    const { object } = await makeAndDelete(sandbox, resource, nodePortType);
    const spec = {
      clusterIP: addressOf(object),
      type: 'NodePort',
      ports: [{ port: 80, nodePort: nodePortOf(object) }],
    };
    const second = await tryCreate(context, resource, { spec });
    if (second.reply.status !== 422 || attempt === tries) return { spec, ...second };
  }
}

/** Throws Failure unless the second Service has the address and the node port of the first. */
export function addressIsReused({ spec, reply, after }: Awaited<ReturnType<typeof reuseAddress>>): void {
  success(reply);
  equal(addressOf(after), String(spec.clusterIP), `${reply.request}, then read: spec.clusterIP`);
  equal(nodePortOf(after), Number(spec.ports[0]?.nodePort), `${reply.request}, then read: spec.ports[0].nodePort`);
}

/** Creates two Services of type NodePort, and one of the default type, which is of type NodePort after a replace. */
export async function createNodePorts(subject: OperationSubject, { sandbox }: Context) {
  const resource = resourceOf(subject.operation);
  const first = await makeWith(sandbox, resource, nodePortType);
  const second = await makeWith(sandbox, resource, nodePortType);
  const inside = await sandbox.make(resource);
  const turned = await sandbox.put(inside, (object) => merge(object, nodePortType));
  return {
    allocated: [first.object, second.object, turned.tryValue()].map(nodePortOf),
    none: nodePortOf(inside.object),
  };
}

/** Throws Failure unless each NodePort Service has a different port and the other Service has none. */
export function nodePortsDiffer({ allocated, none }: Awaited<ReturnType<typeof createNodePorts>>): void {
  for (const port of allocated) {
    if (typeof port !== 'number' || port < 1 || port > 65535) fail(`spec.ports[0].nodePort is ${brief(port)}`);
  }
  if (new Set(allocated).size < allocated.length) fail(`two of the Services have one node port: ${brief(allocated)}`);
  if (none !== undefined && none !== 0) fail(`a Service of type ClusterIP has the node port ${brief(none)}`);
}

/** Creates a Service with a node port that is in use or invalid. */
export async function takeNodePort(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject.operation);
  const ask = async (nodePort: Json | undefined): Promise<Refusal> => {
    const over = { spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } };
    return { field: 'spec.ports[0].nodePort', ...(await tryCreate(context, resource, over)) };
  };
  if (subject.variant === 'in use')
    return ask(nodePortOf((await makeWith(context.sandbox, resource, nodePortType)).object));
  const lowest = await ask(1);
  // The range of a cluster may have every port.
  return nodePortOf(lowest.after) === 1 ? ask(70_000) : lowest;
}
