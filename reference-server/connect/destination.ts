// Where a proxy operation leads: a pod, an endpoint of a service, or a node, by a name such as `https:name:port`.
import { badRequest, unavailable } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { EndpointAddress, EndpointSubset } from '../registry/strategies/endpoints.js';
import type { PodSpec } from '../registry/strategies/podSpec.js';
import type { Place } from '../registry/update.js';
import { type KubeObject, part } from '../schema/object.js';
import { requireAllowed } from './addresses.js';
import type { Address } from './dialer.js';
import { hostOf, kubeletOf } from './kubelet.js';
import type { Connections } from './options.js';
import { portFrom } from './port.js';
import { nodeAt, podAt } from './target.js';

/** What leads somewhere, by its plural. */
export const destinations = { pods: podAddress, services: serviceAddress, nodes: nodeAddress } as const;

interface Parts {
  readonly registry: Registry;
  readonly connections: Connections;
}

async function podAddress({ registry }: Parts, { namespace, name: text }: Place): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'pod');
  const pod = await podAt(registry, { namespace, name });
  const [host] = addressesOf(pod);
  requireAllowed(host ?? '');
  const { containers = [] } = part<PodSpec>(pod, 'spec');
  const exposed = containers.flatMap(({ ports = [] }) => ports.slice(0, 1))[0]?.containerPort;
  return plainAddress(scheme, host ?? '', port === '' && exposed !== undefined ? String(exposed) : port);
}

async function nodeAddress({ registry, connections }: Parts, { name: text }: Place): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'node');
  const node = await nodeAt(registry, name);
  const kubelet = kubeletOf(node, connections);
  if (port === '' || port === String(kubelet.port)) return kubelet;
  return plainAddress(scheme, hostOf(node), port);
}

interface ServiceSpec {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** An endpoint of the service, any that is ready. A service without any cannot be reached. */
async function serviceAddress({ registry }: Parts, { namespace, name: text }: Place): Promise<Address> {
  const { scheme, name, port } = parseReference(text, 'service');
  const service = (await registry.of('core/services').get({ namespace, name })).value as KubeObject;
  const portName = /^\d+$/.test(port) ? nameOfPort(service, Number(port)) : port;
  const entry = await registry.storage.get(`${registry.of('core/endpoints').prefix(namespace)}${name}`);
  const subsets = (entry?.value.subsets ?? []) as readonly EndpointSubset[];
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
  const found = part<ServiceSpec>(service, 'spec').ports?.find((each) => each.port === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service "${service.metadata.name}"`);
  return found.name ?? '';
}

/** Whoever may write endpoints must not choose what this server dials: an address has to be that of a pod it names. */
async function isOfPod(registry: Registry, { ip, targetRef }: EndpointAddress, namespace: string): Promise<boolean> {
  if (ip === undefined || targetRef?.kind !== 'Pod' || targetRef.namespace !== namespace) return false;
  const entry = await registry.storage.get(`${registry.of('core/pods').prefix(namespace)}${targetRef.name}`);
  return entry !== undefined && addressesOf(entry.value as KubeObject).includes(ip);
}

interface PodStatus {
  readonly podIP?: string;
}

function addressesOf(pod: KubeObject): string[] {
  const { podIP } = part<PodStatus>(pod, 'status');
  return podIP ? [podIP] : [];
}

/** Certificates of pods and services are not verified: nobody has told what signs them. */
function plainAddress(scheme: string, host: string, port: string): Address {
  const number = port === '' ? (usualPorts[scheme] ?? 0) : portFrom(port);
  return { host, port: number, ...(scheme === 'https' ? { tls: { rejectUnauthorized: false } } : {}) };
}

const usualPorts: Readonly<Record<string, number>> = { '': 80, http: 80, https: 443 };

/** `scheme:name:port`, of which only the name has to be there. */
interface Reference {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Reads the name of a proxied object. */
function parseReference(text: string, what: string): Reference {
  const parts = text.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return { scheme: '', name: first, port: '' };
  if (parts.length === 2) return { scheme: '', name: first, port: second };
  if (parts.length === 3 && ['', 'http', 'https'].includes(first)) return { scheme: first, name: second, port: third };
  throw badRequest(`invalid ${what} request "${text}"`);
}
