// The missing permissions of a run as a manifest that an administrator can apply.
import { stringify } from 'yaml';
import type { Permission } from './permissions.js';

const name = 'kube-api-conformance';

const introduction = `# The permissions that the chosen cases need and the credentials of the run do not have.
#   kubectl apply -f clusterrole.yaml
#   kubectl create clusterrolebinding ${name} --clusterrole ${name} --user <name>
# A service account is bound with --serviceaccount <namespace>:<name> in place of --user.
`;

/** Returns a ClusterRole as YAML, with a rule for each API group and set of verbs. */
export function clusterRole(missing: readonly Permission[]): string {
  const verbsOf = new Map<string, { group: string; resource: string; verbs: Set<string> }>();
  for (const { group, resource, verb } of missing) {
    const key = `${group}/${resource}`;
    const row = verbsOf.get(key) ?? { group, resource, verbs: new Set<string>() };
    row.verbs.add(verb);
    verbsOf.set(key, row);
  }
  const rules = new Map<string, { apiGroups: string[]; resources: string[]; verbs: string[] }>();
  for (const { group, resource, verbs } of verbsOf.values()) {
    const sorted = [...verbs].sort();
    const key = `${group}: ${sorted.join(' ')}`;
    const rule = rules.get(key) ?? { apiGroups: [group], resources: [], verbs: sorted };
    rule.resources.push(resource);
    rules.set(key, rule);
  }
  const manifest = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name },
    rules: [...rules.values()].map((rule) => ({ ...rule, resources: rule.resources.sort() })),
  };
  return `${introduction}${stringify(manifest, { lineWidth: 0, singleQuote: true })}`;
}
