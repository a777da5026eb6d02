// Aggregated ClusterRoles: their rules are those of the roles that their selectors choose.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { equal, type KubeObject } from '../../schema/object.js';
import { matcherOf } from '../../selectors/labels.js';
import { unlessGone } from '../../statusError.js';
import type { Rule } from './rules.js';

type ClusterRole = KubeObject & Omit<ObjectOf<'rbac.v1.ClusterRole'>, 'metadata'>;
type Roles = Pick<Store<ClusterRole>, 'list' | 'updateInternally'>;

export const clusterRoles = 'rbac.authorization.k8s.io/clusterroles';

/** Returns the rules of the roles that an aggregated role chooses, each rule once. */
function rulesFor({ metadata, aggregationRule }: ClusterRole, all: readonly ClusterRole[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const selector of aggregationRule?.clusterRoleSelectors ?? []) {
    const isChosen = matcherOf(selector);
    for (const role of all) {
      if (role.metadata.name === metadata.name || !isChosen(role.metadata.labels)) continue;
      for (const rule of role.rules ?? []) {
        const key = JSON.stringify(rule);
        if (!rules.has(key)) rules.set(key, rule);
      }
    }
  }
  return [...rules.values()];
}

/** Gives an aggregated role its rules. */
export async function aggregate(roles: Roles, role: ClusterRole): Promise<void> {
  const { name = '' } = role.metadata;
  const { entries } = await roles.list();
  const rules = rulesFor(
    role,
    entries.map(({ value }) => value),
  );
  if (equal(rules, role.rules ?? [])) return;
  await roles.updateInternally({ namespace: undefined, name }, (current) => ({ ...current, rules })).catch(unlessGone);
}

/** Gives aggregated roles their rules again when any role changes. */
export function aggregationController(roles: Roles): Controller {
  /** The names of the aggregated roles: a change of any role can concern each of them. */
  const aggregated = new Set<string>();
  return {
    name: 'clusterrole-aggregation-controller',
    resource: clusterRoles,
    sources: [
      { resource: clusterRoles, concerned: () => [...aggregated].map((name) => ({ namespace: undefined, name })) },
    ],
    async reconcile(object) {
      const role = object as ClusterRole;
      const { name = '' } = role.metadata;
      if (role.aggregationRule === undefined) aggregated.delete(name);
      else {
        aggregated.add(name);
        await aggregate(roles, role);
      }
      return undefined;
    },
    async forget({ metadata: { name = '' } }) {
      aggregated.delete(name);
    },
  };
}
