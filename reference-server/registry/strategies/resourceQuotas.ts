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

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;
/** What quotas with a scope count, of pods without requests and of others. */
const ofPods = ['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
const countedWith = (scope: string): readonly string[] => (scope === 'BestEffort' ? ['pods'] : ofPods);

/** Checks that scopes go with each other and with the amounts of a quota. `value` is what the causes show. */
export function validateScopes(
  at: string,
  given: readonly string[],
  value: unknown,
  { hard = {} }: ObjectOf<'ResourceQuotaSpec'>,
  causes: Causes,
): void {
  // Scopes say nothing about resources that others define.
  const own = Object.keys(hard).filter((name) => counted.includes(name) || isMeasured(name));
  for (const scope of given) {
    for (const name of own) {
      if (!countedWith(scope).includes(name)) causes.invalid(at, value, 'unsupported scope applied to resource');
    }
  }
  for (const pair of opposites) {
    if (pair.every((scope) => given.includes(scope))) causes.invalid(at, value, 'conflicting scopes');
  }
}

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
    const spec = part<ObjectOf<'ResourceQuotaSpec'>>(quota, 'spec');
    const { hard = {}, scopes: given = [] } = spec;
    validateAmounts('spec.hard', hard, causes);
    for (const scope of given) if (!scopes.includes(scope)) causes.invalid('spec.scopes', given, 'unsupported scope');
    const known = given.filter((scope) => scopes.includes(scope));
    validateScopes('spec.scopes', known, given, spec, causes);
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
