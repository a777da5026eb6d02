// Mounts the token of a pod's service account at the path that clients expect (Authentication/Mechanisms).
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { generateName } from '../registry/metadata.js';
import { doInTurns, mayPause, type Steps } from '../turns.js';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** -rw-r--r--; JSON has it in decimal. */
const defaultMode = 0o644;
const projectedBase = 'kube-api-access-';

/** Returns the spec with the token Secret mounted in each container that has no other mount at the path. */
export async function withTokenMount(spec: ObjectOf<'PodSpec'>, secretName: string): Promise<ObjectOf<'PodSpec'>> {
  const { volumes = [] } = spec;
  const there = volumes.find(({ secret }) => secret?.secretName === secretName);
  const name = there?.name ?? freeName(secretName, volumes);
  return withVolume(spec, there ?? { name, secret: { secretName, defaultMode } });
}

/** Returns the spec with a projected volume for the token, as newer servers have it, without a Secret. */
export async function withProjectedToken(spec: ObjectOf<'PodSpec'>): Promise<ObjectOf<'PodSpec'>> {
  // A volume with such a name counts as the token, whatever it holds.
  const there = spec.volumes?.find(({ name }) => name.startsWith(projectedBase));
  const name = generateName(projectedBase);
  return withVolume(spec, there ?? { name, projected: { defaultMode, sources: tokenSources } });
}

/**
 * Mounts a volume in containers and init containers that have no mount at the path, and adds it to the spec if it is
 * new. Ephemeral containers come later, and get no mount.
 */
async function withVolume(spec: ObjectOf<'PodSpec'>, volume: ObjectOf<'Volume'>): Promise<ObjectOf<'PodSpec'>> {
  const { containers = [], initContainers, volumes = [] } = spec;
  if (![...containers, ...(initContainers ?? [])].some(isWithout)) return spec;
  const mount = { name: volume.name, readOnly: true, mountPath };
  return {
    ...spec,
    ...(!volumes.includes(volume) && { volumes: [...volumes, volume] }),
    containers: await doInTurns(mounted(containers, mount)),
    ...(initContainers && { initContainers: await doInTurns(mounted(initContainers, mount)) }),
  };
}

/** Adds a mount to containers that have none at the path. They share one object, because a pod may have very many. */
function* mounted(
  containers: readonly ObjectOf<'Container'>[],
  mount: ObjectOf<'VolumeMount'>,
): Steps<readonly ObjectOf<'Container'>[]> {
  const only = [mount];
  const all: ObjectOf<'Container'>[] = [];
  for (const container of containers) {
    if (mayPause()) yield;
    const { volumeMounts } = container;
    const more = volumeMounts === undefined ? only : [...volumeMounts, mount];
    all.push(isWithout(container) ? { ...container, volumeMounts: more } : container);
  }
  return all;
}

const tokenSources = [
  { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  {
    downwardAPI: {
      items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
    },
  },
];

function isWithout({ volumeMounts = [] }: ObjectOf<'Container'>): boolean {
  return !volumeMounts.some((mount) => mount.mountPath === mountPath);
}

/** Returns a volume name derived from the Secret's name that no other volume has. */
function freeName(secretName: string, volumes: readonly ObjectOf<'Volume'>[]): string {
  const name = secretName.replaceAll('.', '-');
  return volumes.some((volume) => volume.name === name) ? generateName(`${name}-`) : name;
}
