// ResourceQuotas: known resources with valid quantities.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { equal, part } from '../../schema/object.js';
import { compareQuantities, isWhole } from '../../schema/quantity.js';
import type { Strategy } from '../strategy.js';

/** Resources that are counted as whole objects. */
const counted = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const measured = [
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'limits.cpu',
  'limits.memory',
  'storage',
  'ephemeral-storage',
  'requests.ephemeral-storage',
  'limits.ephemeral-storage',
];
/** Memory in large pages is measured for each size of a page. */
const isMeasured = (name: string): boolean => measured.includes(name) || /^(?:requests\.)?hugepages-/.test(name);
const scopes = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort'];

/** Checks the amounts of a quota, at the path of a field. */
export function validateAmounts(at: string, amounts: Readonly<Record<string, string>>, causes: Causes): void {
  for (const name of Object.keys(amounts).sort()) {
    const quantity = amounts[name] ?? '';
    const field = `${at}[${name}]`;
    if (!name.includes('/') && !counted.includes(name) && !isMeasured(name)) {
      causes.invalid(field, name, 'must be a standard resource type or fully qualified');
      causes.invalid(field, name, 'must be a standard resource for quota');
    }
    if (compareQuantities(quantity, '0') < 0) causes.invalid(field, quantity, 'must be greater than or equal to 0');
    if (counted.includes(name) && !isWhole(quantity)) causes.invalid(field, quantity, 'must be an integer');
  }
}

export const resourceQuotas: Strategy = {
  deleteAnswersObject: true,
  validate(quota, causes) {
    const { hard = {}, scopes: given = [] } = part<ObjectOf<'ResourceQuotaSpec'>>(quota, 'spec');
    validateAmounts('spec.hard', hard, causes);
    if (given.includes('BestEffort') && Object.keys(hard).some((name) => name !== 'pods')) {
      causes.invalid('spec.scopes', given, 'unsupported scope applied to resource');
    }
    for (const scope of given) if (!scopes.includes(scope)) causes.invalid('spec.scopes', given, 'unsupported scope');
  },
  validateUpdate(next, current, causes) {
    const after = part<ObjectOf<'ResourceQuotaSpec'>>(next, 'spec').scopes;
    causes.immutable(
      'spec.scopes',
      after ?? [],
      equal(after, part<ObjectOf<'ResourceQuotaSpec'>>(current, 'spec').scopes),
    );
  },
};
