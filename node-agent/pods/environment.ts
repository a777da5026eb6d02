// The environment of a container: the image's, that of envFrom, that of env.
import { fieldOf, type Placement } from './fields.js';
import { NotReady, type Objects } from './objects.js';
import type { ContainerSpec, EnvVar, Pod } from './types.js';

/** The variables of a container. Throws NotReady for what is not there (yet). */
export async function environmentOf(
  container: ContainerSpec,
  pod: Pod,
  place: Placement,
  objects: Objects,
): Promise<Map<string, string>> {
  const environment = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', hostnameOf(pod)],
    ['HOME', '/root'],
    ...(container.tty ? [['TERM', 'xterm'] as const] : []),
  ]);
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const entries =
      configMapRef?.name === undefined
        ? await objects.secret(secretRef?.name ?? '', secretRef?.optional)
        : await objects.configMap(configMapRef.name, configMapRef.optional);
    for (const [key, value] of entries ?? []) {
      if (/^[-._A-Za-z][-._A-Za-z0-9]*$/.test(prefix + key)) environment.set(prefix + key, value.toString());
    }
  }
  for (const variable of container.env ?? []) {
    const value = await valueOfVariable(variable, pod, place, objects, environment);
    if (value !== undefined) environment.set(variable.name, value);
  }
  return environment;
}

async function valueOfVariable(
  { value, valueFrom }: EnvVar,
  pod: Pod,
  place: Placement,
  objects: Objects,
  environment: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  if (valueFrom?.fieldRef) return fieldOf(valueFrom.fieldRef.fieldPath, pod, place);
  const reference = valueFrom?.configMapKeyRef ?? valueFrom?.secretKeyRef;
  if (reference === undefined) return expandReferences(value ?? '', environment);
  const { name = '', key, optional = false } = reference;
  const kind = valueFrom?.configMapKeyRef ? 'ConfigMap' : 'Secret';
  const entries = await (kind === 'ConfigMap' ? objects.configMap(name, optional) : objects.secret(name, optional));
  const found = entries?.get(key);
  if (found === undefined && !optional) {
    throw new NotReady(`couldn't find key ${key} in ${kind} ${pod.metadata.namespace}/${name}`);
  }
  return found?.toString();
}

/** `$(NAME)` is the value of a variable, `$$` a dollar; what is not known stays. */
export function expandReferences(text: string, environment: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:\$|\(([^()]+)\))/g, (all, name: string | undefined) =>
    name === undefined ? '$' : (environment.get(name) ?? all),
  );
}

/** The host name of a pod. */
export const hostnameOf = ({ metadata, spec }: Pod): string => spec.hostname ?? metadata.name;
