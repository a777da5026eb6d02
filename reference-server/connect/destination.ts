// The backend of a proxy operation: a pod, an endpoint of a service, or a node. The name has a form such as
// `https:name:port`.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { badRequest, unavailable } from '../errors.js';
import { excerpt } from '../excerpt.js';
import { type KubeObject, type ObjectKey, part } from '../schema/object.js';
import { requireAllowed } from './addresses.js';
import type { Address } from './dialer.js';
import { hostOf, kubeletOf } from './kubelet.js';
import { type ConnectDependencies, nodeAt, type Objects, podAt } from './target.js';

/** The functions that find the address of a proxied object, by plural. */
export const destinations = { pods: podAddress, services: serviceAddress, nodes: nodeAddress } as const;

async function podAddress({ registry }: ConnectDependencies, { namespace, name: text }: ObjectKey): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'pod');
  const pod = await podAt(registry, { namespace, name });
  const [host] = addressesOf(pod);
  requireAllowed(host ?? '');
  const { containers = [] } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  const exposed = containers.flatMap(({ ports = [] }) => ports.slice(0, 1))[0]?.containerPort;
  return plainAddress(scheme, host ?? '', port === '' && exposed !== undefined ? String(exposed) : port);
}

async function nodeAddress(
  { registry, connections }: ConnectDependencies,
  { name: text }: ObjectKey,
): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'node');
  const node = await nodeAt(registry, name);
  const kubelet = kubeletOf(node, connections);
  if (port === '' || port === String(kubelet.port)) return kubelet;
  return plainAddress(scheme, hostOf(node), port);
}

/** Returns any ready endpoint of the service. Throws 503 if there is none. */
async function serviceAddress(
  { registry }: Pick<ConnectDependencies, 'registry'>,
  { namespace, name: text }: ObjectKey,
): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'service');
  const service = (await registry.of('core/services').get({ namespace, name })).value;
  const portName = /^\d+$/.test(port) ? nameOfPort(service, Number(port)) : port;
  const entry = await registry.of('core/endpoints').find({ namespace, name });
  const subsets = (entry?.value.subsets ?? []) as readonly ObjectOf<'EndpointSubset'>[];
  const candidates = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((each) => (each.name ?? '') === portName)
      .flatMap((each) => addresses.map((address) => ({ address, port: each.port ?? 0 }))),
  );
  const first = Math.floor(Math.random() * candidates.length);
  for (const candidate of [...candidates.slice(first), ...candidates.slice(0, first)]) {
    if (!(await isOfPod(registry, candidate.address, namespace ?? ''))) continue;
    return plainAddress(scheme, candidate.address.ip ?? '', String(candidate.port));
  }
  throw unavailable(`no endpoints available for service "${text}"`);
}

function nameOfPort(service: KubeObject, port: number): string {
  const found = part<ObjectOf<'ServiceSpec'>>(service, 'spec').ports?.find((each) => each.port === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service "${service.metadata.name}"`);
  return found.name ?? '';
}

/**
 * Reports whether an endpoint's address is that of its pod. Otherwise, users who can write endpoints could make the
 * server dial any address.
 */
async function isOfPod(
  registry: Objects,
  { ip, targetRef }: ObjectOf<'EndpointAddress'>,
  namespace: string,
): Promise<boolean> {
  if (ip === undefined || targetRef?.kind !== 'Pod' || targetRef.namespace !== namespace) return false;
  const entry = await registry.of('core/pods').find({ namespace, name: targetRef.name ?? '' });
  return entry !== undefined && addressesOf(entry.value).includes(ip);
}

function addressesOf(pod: KubeObject): string[] {
  const { podIP } = part<ObjectOf<'PodStatus'>>(pod, 'status');
  return podIP ? [podIP] : [];
}

/**
 * Makes the address of a pod or service. Their certificates are not verified, because their authorities are unknown.
 */
function plainAddress(scheme: string, host: string, port: string): Address {
  const number = port === '' ? (usualPorts[scheme] ?? 0) : portFrom(port);
  return { host, port: number, ...(scheme === 'https' ? { tls: { rejectUnauthorized: false } } : {}) };
}

const usualPorts: Readonly<Record<string, number>> = { '': 80, http: 80, https: 443 };

/** `scheme:name:port`, of which only the name is required. */
interface Reference {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Parses the name of a proxied object. Throws 400 for an invalid name. */
function parseReference(text: string, what: string): Reference {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return { scheme: '', name: first, port: '' };
  if (parts.length === 2) return { scheme: '', name: first, port: second };
  if (parts.length === 3 && ['', 'http', 'https'].includes(first)) return { scheme: first, name: second, port: third };
  throw badRequest(`invalid ${what} request "${text}"`);
}

/** Parses a port number. Throws 400 for any other text. */
export function portFrom(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 65_535) throw badRequest(`${excerpt(text)} is not a port`);
  return number;
}
