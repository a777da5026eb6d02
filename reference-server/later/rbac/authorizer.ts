// Decides by the stored roles and bindings.
import type { User } from '../../authentication/authenticator.js';
import type { Attributes } from '../../authorization/attributes.js';
import { type AccessRules, type Authorizer, type Decision, masters } from '../../authorization/authorizer.js';
import type { Grant, Policy } from './policy.js';
import type { PolicyReader } from './reader.js';
import { allows, type Rule } from './rules.js';

/** The rules of a user, with the grant of each, and the roles that bindings refer to in vain. */
interface Granted {
  readonly rules: Iterable<readonly [rule: Rule, grant: Grant]>;
  /** Complete once the rules are read. */
  readonly missing: ReadonlySet<string>;
}

/** Returns the rules of a user in a namespace, and in the cluster. */
export function granted(policy: Policy, user: User, namespace: string): Granted {
  const missing = new Set<string>();
  function* rules(): Iterable<readonly [Rule, Grant]> {
    for (const grant of policy.grantsOf(user, namespace)) {
      const { roleRef } = grant;
      const found = policy.rulesOf(roleRef, grant.namespace);
      if (found === undefined)
        missing.add(`${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io "${roleRef.name}" not found`);
      for (const rule of found ?? []) yield [rule, grant];
    }
  }
  return { rules: rules(), missing };
}

/** Returns errors as one text, or an empty one. */
export const joined = (errors: ReadonlySet<string>): string => {
  const all = [...errors];
  return all.length > 1 ? `[${all.join(', ')}]` : (all[0] ?? '');
};

/** What users may do beside the policy, as by another mode of authorization. */
export interface OtherRights {
  readonly users: ReadonlySet<string>;
  readonly group: string;
  readonly rules: readonly Rule[];
}

/** Returns the authorizer of a policy that the reader keeps, and of other rights. */
export function policyAuthorizer(reader: PolicyReader, { users, group, rules }: OtherRights): Authorizer {
  return {
    current: () => reader.current(),
    decide: (user, attributes) => {
      const isGranted = users.has(user.name) && user.groups.includes(group);
      if (isGranted && rules.some((rule) => allows(rule, attributes))) return { allowed: true, reason: '' };
      return decided(reader.policy, user, attributes);
    },
    rulesOf: (user, namespace) => listed(reader.policy, user, namespace),
  };
}

function decided(policy: Policy, user: User, attributes: Attributes): Decision {
  if (user.groups.includes(masters)) return { allowed: true, reason: '' };
  const { rules, missing } = granted(policy, user, 'path' in attributes ? '' : attributes.namespace);
  for (const [rule, grant] of rules) {
    if (allows(rule, attributes)) return { allowed: true, reason: `RBAC: allowed by ${described(grant)}` };
  }
  return { allowed: false, reason: missing.size === 0 ? '' : `RBAC: ${joined(missing)}` };
}

/** Names a binding, its role, and the subject that the user is. */
function described({ kind, name, namespace, roleRef, subject }: Grant): string {
  const binding = namespace === '' ? name : `${name}/${namespace}`;
  const who = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name;
  return `${kind} ${quoted(binding)} of ${roleRef.kind} ${quoted(roleRef.name)} to ${subject.kind} ${quoted(who)}`;
}

const quoted = (text: string): string => JSON.stringify(text);

function listed(policy: Policy, user: User, namespace: string): AccessRules {
  const { rules, missing } = granted(policy, user, namespace);
  const resourceRules = [];
  const nonResourceRules = [];
  for (const [{ verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }] of rules) {
    if (resources.length > 0) {
      resourceRules.push({ verbs, apiGroups, resources, ...(resourceNames.length > 0 && { resourceNames }) });
    }
    if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs });
  }
  const evaluationError = joined(missing);
  return {
    resourceRules,
    nonResourceRules,
    incomplete: evaluationError !== '',
    ...(evaluationError && { evaluationError }),
  };
}
