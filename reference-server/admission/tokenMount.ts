// The token of a pod's service account, mounted where programs look for it (Authentication/Mechanisms).
import { generateName } from '../registry/metadata.js';
import type { Container, PodSpec } from '../registry/strategies/podSpec.js';
import type { Volume } from '../registry/strategies/volumes.js';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** -rw-r--r--, in decimal as JSON has it. */
const defaultMode = 0o644;

/** The spec with the token Secret in each container, but for those that have something else mounted at its place. */
export function withTokenMount(spec: PodSpec, secretName: string): PodSpec {
  const { containers = [], volumes = [] } = spec;
  if (!containers.some(isWithout)) return spec;
  const there = volumes.find(
    ({ secret }) => (secret as { secretName?: string } | undefined)?.secretName === secretName,
  );
  const name = there?.name ?? freeName(secretName, volumes);
  const mounted = (container: Container): Container =>
    isWithout(container)
      ? { ...container, volumeMounts: [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }] }
      : container;
  return {
    ...spec,
    ...(there === undefined && { volumes: [...volumes, { name, secret: { secretName, defaultMode } }] }),
    containers: containers.map(mounted),
  };
}

/** The spec with a volume that holds a token of the account as younger servers have it, in no Secret. */
export function withProjectedToken(spec: PodSpec): PodSpec {
  const { containers = [], volumes = [] } = spec;
  if (!containers.some(isWithout)) return spec;
  const name = generateName('kube-api-access-');
  const mount = { name, readOnly: true, mountPath };
  return {
    ...spec,
    volumes: [...volumes, { name, projected: { defaultMode, sources: tokenSources } }],
    containers: containers.map((container) =>
      isWithout(container) ? { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] } : container,
    ),
  };
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
