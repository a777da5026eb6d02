// What a Service has for itself alone: its cluster IP and its node ports.
import { isIP } from 'node:net';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { equal, fail, Prerequisite, success } from '../support/expect.js';
import { at, brief, type Json, type JsonObject } from '../support/json.js';
import { type Made, pathTo } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { makeWith, type Refusal, resourceOf, tryCreate } from './refusals.js';

const nodePortType: JsonObject = { spec: { type: 'NodePort' } };
const addressOf = (object: unknown): Json | undefined => at(object, 'spec', 'clusterIP');
const nodePortOf = (object: unknown): Json | undefined => at(object, 'spec', 'ports', 0, 'nodePort');

/** Creates three Services that say nothing of their address, and a headless one. */
export async function createServices(subject: OperationSubject, { scope }: Context) {
  const resource = resourceOf(subject);
  const made: Made[] = [];
  for (let count = 0; count < 3; count += 1) made.push(await scope.make(resource));
  const headless = await makeWith(scope, resource, { spec: { clusterIP: 'None' } });
  const seen = await Promise.all(made.map((service) => scope.current(service)));
  return { given: made.map(({ object }) => addressOf(object)), seen: seen.map(addressOf), headless: headless.object };
}

/** Each has an address of its own, the headless one has none. */
export function addressesDiffer({ given, seen, headless }: Awaited<ReturnType<typeof createServices>>): void {
  for (const address of given) {
    if (typeof address !== 'string' || isIP(address) === 0) fail(`spec.clusterIP is ${brief(address)}, not an address`);
  }
  if (new Set(given).size !== given.length) fail(`the addresses are not different: ${brief(given)}`);
  for (const [index, address] of seen.entries()) equal(address, String(given[index]), 'spec.clusterIP when it is read');
  equal(addressOf(headless), 'None', 'spec.clusterIP of a headless Service');
}

/** Creates a Service with an address that it cannot have. */
export async function takeAddress(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject);
  // The other address is of a range for documentation, so it is no cluster's.
  const wanted = subject.variant === 'in use' ? addressOf((await context.scope.make(resource)).object) : '192.0.2.1';
  const field = ['spec.clusterIP', 'spec.clusterIPs'];
  return { field, ...(await tryCreate(context, resource, { spec: { clusterIP: wanted } })) };
}

/** How often an address that somebody else may take first is tried. */
const tries = 3;

/** Deletes a Service and creates another with its address. */
export async function reuseAddress(subject: OperationSubject, context: Context) {
  const { scope } = context;
  const resource = resourceOf(subject);
  for (let attempt = 1; ; attempt += 1) {
    const first = await scope.make(resource);
    const address = addressOf(first.object);
    await scope.attempt('delete the service', 'DELETE', pathTo(resource, 'delete', first.namespace, first.name));
    if ((await scope.current(first)) !== undefined) throw new Prerequisite('the deleted Service is still there');
    const second = await tryCreate(context, resource, { spec: { clusterIP: address } });
    if (second.reply.status !== 422 || attempt === tries) return { address, ...second };
  }
}

/** The second Service has the address of the first. */
export function addressIsReused({ address, reply, after }: Awaited<ReturnType<typeof reuseAddress>>): void {
  success(reply);
  equal(addressOf(after), String(address), `${reply.request}, then read: spec.clusterIP`);
}

/** Creates two Services on node ports, and one that is not. */
export async function createNodePorts(subject: OperationSubject, { scope }: Context) {
  const resource = resourceOf(subject);
  const first = await makeWith(scope, resource, nodePortType);
  const second = await makeWith(scope, resource, nodePortType);
  const inside = await scope.make(resource);
  return { given: [first, second].map(({ object }) => nodePortOf(object)), none: nodePortOf(inside.object) };
}

/** Each has a port of its own; a Service of the default type has none. */
export function nodePortsDiffer({ given, none }: Awaited<ReturnType<typeof createNodePorts>>): void {
  for (const port of given) {
    if (typeof port !== 'number' || port < 1 || port > 65535) fail(`spec.ports[0].nodePort is ${brief(port)}`);
  }
  if (given[0] === given[1]) fail(`both Services have the node port ${brief(given[0])}`);
  if (none !== undefined && none !== 0) fail(`a Service of type ClusterIP has the node port ${brief(none)}`);
}

/** Creates a Service with a node port that it cannot have. */
export async function takeNodePort(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject);
  const first = subject.variant === 'in use' ? await makeWith(context.scope, resource, nodePortType) : undefined;
  const nodePort = first === undefined ? 1 : nodePortOf(first.object);
  const over = { spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } };
  return { field: 'spec.ports[0].nodePort', ...(await tryCreate(context, resource, over)) };
}
