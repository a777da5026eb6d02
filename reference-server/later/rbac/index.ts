// Roles and bindings that decide: the mode RBAC of a server that has them, and the first ones of a cluster.
import type { Addon } from '../../addons.js';
import type { StaticToken } from '../../authentication/staticToken.js';
import { prefixOf } from '../../versions/addresses.js';
import { aggregationController, clusterRoles } from './aggregation.js';
import { policyAuthorizer } from './authorizer.js';
import { placeFirstObjects } from './bootstrap/place.js';
import { nodeRules } from './bootstrap/roles.js';
import { escalationCheck } from './escalation.js';
import { PolicyReader } from './reader.js';

const group = 'rbac.authorization.k8s.io';

/** Roles and bindings on a server that has components of its own. In the mode RBAC, its nodes are authorized as nodes. */
export const rbac = (components: readonly StaticToken[]): Addon => ({
  partsOf({ controllerRegistry, served, storage, authorizationMode }) {
    const controllers = [aggregationController(controllerRegistry.of(clusterRoles))];
    if (authorizationMode !== 'RBAC') return { controllers };
    const prefix = (plural: string): string => prefixOf(served.byId(`${group}/${plural}`));
    const reader = new PolicyReader(storage, {
      all: `${group}/`,
      kinds: {
        ClusterRole: prefix('clusterroles'),
        Role: prefix('roles'),
        ClusterRoleBinding: prefix('clusterrolebindings'),
        RoleBinding: prefix('rolebindings'),
      },
    });
    const users = new Set(components.map(({ user }) => user.name));
    const authorizer = policyAuthorizer(reader, { users, group: 'system:nodes', rules: nodeRules() });
    return { controllers, authorizer, admission: [escalationCheck(reader, authorizer)], stop: () => reader.stop() };
  },
  async serve({ cluster, options }) {
    if (options.authorizationMode === 'RBAC' && cluster !== undefined) await placeFirstObjects(cluster.ownRegistry);
    return {};
  },
});
