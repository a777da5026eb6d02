// Kinds that came after the interface, with a rule or two each: roles and bindings, disruption budgets, endpoint slices.

import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { validateSelector } from '../../../registry/strategies/labelSelector.js';
import type { Strategy } from '../../../registry/strategy.js';
import { pathSegment } from '../../../schema/formats.js';
import { equal, type KubeObject, part } from '../../../schema/object.js';

/** Names of roles contain colons, such as `system:node`. */
export const roles: Strategy = { name: pathSegment };

/** A binding in a namespace may grant a role of the cluster; one of the cluster grants only these. */
export const roleBindings = (...roleKinds: readonly string[]): Strategy => ({
  name: pathSegment,
  validate(binding, causes) {
    const { kind, name } = part<Partial<ObjectOf<'rbac.v1.RoleRef'>>>(binding, 'roleRef');
    causes.oneOf('roleRef.kind', kind ?? '', roleKinds);
    if (!name) causes.required('roleRef.name');
  },
  validateUpdate(next, current, causes) {
    const of = (object: KubeObject) => part<object>(object, 'roleRef');
    if (!equal(of(next), of(current))) causes.invalid('roleRef', of(next), 'cannot change roleRef');
  },
});

export const podDisruptionBudgets: Strategy = {
  name: pathSegment,
  generation: true,
  initialStatus: () => ({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 }),
  validate(budget, causes) {
    const { selector, minAvailable, maxUnavailable } = part<ObjectOf<'policy.v1.PodDisruptionBudgetSpec'>>(
      budget,
      'spec',
    );
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      causes.invalid('spec', { minAvailable, maxUnavailable }, 'minAvailable and maxUnavailable cannot be both set');
    }
    if (selector !== undefined) validateSelector('spec.selector', selector, causes);
  },
};

export const endpointSlices: Strategy = {
  generation: 'content',
  validate(slice, causes) {
    const { addressType } = slice as { addressType?: string };
    if (!addressType) causes.required('addressType');
    else causes.oneOf('addressType', addressType, ['FQDN', 'IPv4', 'IPv6']);
  },
  validateUpdate(next, current, causes) {
    const of = (object: KubeObject) => (object as { addressType?: string }).addressType;
    causes.immutable('addressType', of(next), of(next) === of(current));
  },
};
