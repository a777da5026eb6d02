// The warnings about versions of the table that Kubernetes deprecates, which clients show to their users.
import { apiVersionOf, type Resource } from '../../matrix/api/index.js';

/** The minor version that sends the first warnings. */
const firstWarnings = 19;

interface Deprecation {
  /** The minor version that deprecates it. */
  readonly since: number;
  /** The minor version that no longer has it. */
  readonly until?: number;
  readonly use?: string;
}

const deprecations: Readonly<Record<string, Deprecation>> = {
  'v1 ComponentStatus': { since: 19 },
  'v1 Endpoints': { since: 33, use: 'discovery.k8s.io/v1 EndpointSlice' },
  'extensions/v1beta1 Ingress': { since: 14, until: 22, use: 'networking.k8s.io/v1 Ingress' },
  'batch/v1beta1 CronJob': { since: 21, until: 25, use: 'batch/v1 CronJob' },
  'policy/v1beta1 PodDisruptionBudget': { since: 21, until: 25, use: 'policy/v1 PodDisruptionBudget' },
};

/** Returns the warning of each request to a resource, if a server of this version sends one. */
export function deprecationsOf(kubeVersion: string): (resource: Resource) => string | undefined {
  const minor = Number(kubeVersion.split('.')[1]);
  if (minor < firstWarnings) return () => undefined;
  const warnings = new Map<string, string>();
  for (const [kind, { since, until, use }] of Object.entries(deprecations)) {
    if (minor < since) continue;
    const end = until === undefined ? '' : `, unavailable in v1.${until}+`;
    warnings.set(kind, `${kind} is deprecated in v1.${since}+${end}${use === undefined ? '' : `; use ${use}`}`);
  }
  return ({ groupVersion, kind }) => warnings.get(`${apiVersionOf(groupVersion)} ${kind}`);
}
