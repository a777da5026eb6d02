// Mounts the token of a pod's service account at the path that clients expect (Authentication/Mechanisms).
import { generateName } from '../registry/metadata.js';
import type { Container, PodSpec } from '../registry/strategies/podSpec.js';
import type { Volume } from '../registry/strategies/volumes.js';
import { Turns } from '../turns.js';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** -rw-r--r--; JSON has it in decimal. */
const defaultMode = 0o644;

/** Returns the spec with the token Secret mounted in each container that has no other mount at the path. */
export async function withTokenMount(spec: PodSpec, secretName: string): Promise<PodSpec> {
  const { containers = [], volumes = [] } = spec;
  if (!containers.some(isWithout)) return spec;
  const there = volumes.find(
    ({ secret }) => (secret as { secretName?: string } | undefined)?.secretName === secretName,
  );
  const name = there?.name ?? freeName(secretName, volumes);
  return {
    ...spec,
    ...(there === undefined && { volumes: [...volumes, { name, secret: { secretName, defaultMode } }] }),
    containers: await mounted(containers, name),
  };
}

/** Returns the spec with a projected volume for the token, as newer servers have it, without a Secret. */
export async function withProjectedToken(spec: PodSpec): Promise<PodSpec> {
  const { containers = [], volumes = [] } = spec;
  if (!containers.some(isWithout)) return spec;
  const name = generateName('kube-api-access-');
  return {
    ...spec,
    volumes: [...volumes, { name, projected: { defaultMode, sources: tokenSources } }],
    containers: await mounted(containers, name),
  };
}

/**
 * Mounts a volume in containers that have no mount at the path. All containers share one mount object, because a pod
 * may have very many.
 */
async function mounted(containers: readonly Container[], name: string): Promise<readonly Container[]> {
  const turns = new Turns();
  const mount = { name, readOnly: true, mountPath };
  const only = [mount];
  const all: Container[] = [];
  for (const container of containers) {
    if (turns.isOverAfterSteps) await turns.next();
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

function isWithout({ volumeMounts = [] }: Container): boolean {
  return !volumeMounts.some((mount) => mount.mountPath === mountPath);
}

/** Returns a volume name derived from the Secret's name that no other volume has. */
function freeName(secretName: string, volumes: readonly Volume[]): string {
  const name = secretName.replaceAll('.', '-');
  return volumes.some((volume) => volume.name === name) ? generateName(`${name}-`) : name;
}
