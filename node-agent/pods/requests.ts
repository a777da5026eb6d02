// What a node has, and what a pod takes of it: the resources that it requests, and one place.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Pod } from '../api/types.js';

/** What each node has. */
export const nodeResources = { cpu: '8', 'ephemeral-storage': '64Gi', memory: '16Gi', pods: '110' };

/** Amounts by the name of the resource: CPUs, bytes of memory, pods and others. */
export type Amounts = ReadonlyMap<string, number>;

/**
 * Returns the requests of a pod: the sum of its containers and sidecars, or more where an init container needs more
 * while it runs, and the overhead of the pod.
 */
export function requestsOf({ spec }: Pod): Amounts {
  const sum = new Map<string, number>();
  for (const container of spec.containers) addAmounts(sum, ownRequests(container));
  const peak = new Map<string, number>();
  const sidecars = new Map<string, number>();
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') addAmounts(sidecars, ownRequests(container));
    else raise(peak, ownRequests(container), sidecars);
  }
  addAmounts(sum, sidecars);
  raise(sum, peak);
  addAmounts(sum, amountsOf(spec.overhead));
  sum.set('pods', 1);
  return sum;
}

export const amountsOf = (resources: Readonly<Record<string, string>> = {}): Amounts =>
  new Map(Object.entries(resources).map(([name, quantity]) => [name, parseQuantity(quantity)]));

export function addAmounts(sum: Map<string, number>, more: Amounts): void {
  for (const [name, amount] of more) sum.set(name, (sum.get(name) ?? 0) + amount);
}

/** Sums of thousandths are not exact. */
const rounding = 1e-6;

/** Returns the resources of which there is not enough. */
export const missingOf = (requests: Amounts, taken: Amounts, all: Amounts): readonly string[] =>
  [...requests].flatMap(([name, amount]) =>
    amount > 0 && (taken.get(name) ?? 0) + amount > (all.get(name) ?? 0) + rounding ? [name] : [],
  );

/** A limit without a request is one. */
const ownRequests = ({ resources = {} }: ObjectOf<'Container'>): Amounts =>
  amountsOf({ ...resources.limits, ...resources.requests });

function raise(sum: Map<string, number>, wanted: Amounts, added: Amounts = new Map()): void {
  for (const [name, amount] of wanted) {
    sum.set(name, Math.max(sum.get(name) ?? 0, amount + (added.get(name) ?? 0)));
  }
}

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index) => [suffix, 1024 ** (index + 1)] as const);
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map(
  (suffix, index) => [suffix, 1000 ** (index - 3)] as const,
);
const factors = new Map<string, number>([...binary, ...decimal]);

/** Parses `500m` or `2Gi`. Returns 0 for text that is not a quantity, which no API server stores. */
export function parseQuantity(quantity: string | number): number {
  const [, number = '', suffix = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(String(quantity)) ?? [];
  return Number(number) * (factors.get(suffix) ?? 0) || 0;
}

/**
 * Returns an amount of a container by its field, such as `limits.cpu`, in units of a divisor and rounded up. Without a
 * limit, a container may use all that the node has.
 */
export function amountOf({ resources = {} }: ObjectOf<'Container'>, field: string, divisor = '0'): string {
  const [kind, name = ''] = field.split(/\.(.*)/);
  const given = kind === 'limits' ? resources.limits?.[name] : resources.requests?.[name];
  const ofNode = (nodeResources as Readonly<Record<string, string>>)[name];
  const amount = parseQuantity(given ?? (kind === 'limits' ? ofNode : undefined) ?? '0');
  // A small part of a unit comes from the division, and is none of the amount.
  return String(Math.ceil(amount / (parseQuantity(divisor) || 1) - 1e-9));
}
