// The token of a pod's service account, mounted where programs look for it (Authentication/Mechanisms).
import { generateName } from '../registry/metadata.js';
import type { Container, PodSpec } from '../registry/strategies/podSpec.js';
import type { Volume } from '../registry/strategies/volumes.js';
import { Turns } from '../turns.js';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** -rw-r--r--, in decimal as JSON has it. */
const defaultMode = 0o644;

/** The spec with the token Secret in each container, but for those that have something else mounted at its place. */
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

/** The spec with a volume that holds a token of the account as younger servers have it, in no Secret. */
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

/** The containers with a volume mounted where it is missing: one mount for all, as there may be very many of them. */
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

/** The name of the Secret, as far as a volume can have it. */
function freeName(secretName: string, volumes: readonly Volume[]): string {
  const name = secretName.replaceAll('.', '-');
  return volumes.some((volume) => volume.name === name) ? generateName(`${name}-`) : name;
}
