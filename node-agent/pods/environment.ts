// The environment of a container: the variables of the image, then envFrom, then env; and the downward API.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Pod } from '../api/types.js';
import { NotReady, type ReferencedObjects } from './referencedObjects.js';
import { amountOf } from './requests.js';
import { serviceVariables } from './serviceVariables.js';

export interface PodIPs {
  readonly podIP: string;
  readonly hostIP: string;
}

/** The most characters of all variables and arguments of a container, as on Linux. */
const mostCharacters = 2 * 1024 * 1024;

/** What is left of them: a text that refers to another one twice doubles it. */
export class ArgumentSpace {
  #left = mostCharacters;

  /** Throws NotReady if there is no room. */
  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0)
      throw new NotReady(`argument list too long: env, command and args have more than ${mostCharacters} characters`);
  }

  /**
   * Replaces `$(NAME)` with the value of a variable, and `$$` with `$`. References to unknown variables stay. Throws
   * NotReady.
   */
  expand(text: string, environment: ReadonlyMap<string, string>): string {
    this.take(text.length);
    return text.replace(/\$(?:\$|\(([^()]+)\))/g, (all, name: string | undefined) => {
      const value = name === undefined ? '$' : (environment.get(name) ?? all);
      this.take(value.length);
      return value;
    });
  }
}

/** Returns the variables of a container. Throws NotReady if a referenced object does not exist yet. */
export async function environmentOf(
  container: ObjectOf<'Container'>,
  pod: Pod,
  ips: PodIPs,
  objects: ReferencedObjects,
  space: ArgumentSpace,
): Promise<Map<string, string>> {
  const environment = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostnameOf(pod)],
    ['HOME', '/root'],
    ...(container.tty ? [['TERM', 'xterm'] as const] : []),
    ...serviceVariables(await objects.services(pod.spec.enableServiceLinks !== false)),
  ]);
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const entries =
      configMapRef?.name === undefined
        ? await objects.secret(secretRef?.name ?? '', secretRef?.optional)
        : await objects.configMap(configMapRef.name, configMapRef.optional);
    for (const [key, value] of entries ?? []) {
      if (!/^[-._A-Za-z][-._A-Za-z0-9]*$/.test(prefix + key)) continue;
      space.take(prefix.length + key.length + value.length);
      environment.set(prefix + key, value.toString());
    }
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const resolved =
      valueFrom === undefined
        ? space.expand(value ?? '', environment)
        : await resolve(valueFrom, container, pod, ips, objects);
    if (resolved !== undefined) environment.set(name, resolved);
  }
  return environment;
}

/** Returns undefined if the source is optional and absent. Throws NotReady if it is absent. */
async function resolve(
  { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef }: ObjectOf<'EnvVarSource'>,
  container: ObjectOf<'Container'>,
  pod: Pod,
  ips: PodIPs,
  objects: ReferencedObjects,
): Promise<string | undefined> {
  if (fieldRef) return podFieldOf(fieldRef.fieldPath, pod, ips);
  if (resourceFieldRef) return resourceFieldOf(resourceFieldRef, pod, container);
  const reference = configMapKeyRef ?? secretKeyRef;
  if (reference === undefined) return '';
  const { name = '', key, optional = false } = reference;
  const entries = configMapKeyRef ? await objects.configMap(name, optional) : await objects.secret(name, optional);
  const value = entries?.get(key);
  if (value === undefined && !optional) {
    const kind = configMapKeyRef ? 'ConfigMap' : 'Secret';
    throw new NotReady(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`);
  }
  return value?.toString();
}

/** Returns what a container of a pod, or the one given, may use or asks for, in units of a divisor. Throws NotReady. */
export function resourceFieldOf(
  { containerName, resource, divisor }: ObjectOf<'ResourceFieldSelector'>,
  { spec }: Pod,
  container?: ObjectOf<'Container'>,
): string {
  const { initContainers = [], containers } = spec;
  const named = containerName && [...initContainers, ...containers].find(({ name }) => name === containerName);
  const found = named || container;
  if (found === undefined) throw new NotReady(`no container has the name ${containerName}`);
  return amountOf(found, resource, divisor);
}

export const hostnameOf = ({ metadata, spec }: Pod): string => spec.hostname ?? metadata.name;

const lines = (map: Readonly<Record<string, string>> = {}): string =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

const fields = new Map<string, (pod: Pod, ips: PodIPs) => string>([
  ['metadata.name', ({ metadata }) => metadata.name],
  ['metadata.namespace', ({ metadata }) => metadata.namespace ?? ''],
  ['metadata.uid', ({ metadata }) => metadata.uid ?? ''],
  ['metadata.labels', ({ metadata }) => lines(metadata.labels)],
  ['metadata.annotations', ({ metadata }) => lines(metadata.annotations)],
  ['spec.nodeName', ({ spec }) => spec.nodeName ?? ''],
  ['spec.serviceAccountName', ({ spec }) => spec.serviceAccountName ?? 'default'],
  ['status.podIP', (_, { podIP }) => podIP],
  ['status.hostIP', (_, { hostIP }) => hostIP],
]);

/** `path` is that of the downward API, such as `metadata.name` or `metadata.labels['key']`. Throws NotReady. */
export function podFieldOf(path: string, pod: Pod, ips: PodIPs): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return pod.metadata[map]?.[key] ?? '';
  const field = fields.get(path);
  if (field === undefined) throw new NotReady(`unsupported fieldPath: ${path}`);
  return field(pod, ips);
}
