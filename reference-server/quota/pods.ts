// The quota usage of pods: the pods, and the requests and limits of their containers.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { type KubeObject, own, part } from '../schema/object.js';
import { addQuantities, compareQuantities, type Quantities } from '../schema/quantity.js';
import type { Evaluator } from './evaluator.js';

/** A pod under a quota with one of these must specify it for each of its containers. */
const said = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** Resources outside the API's own names; quotas limit only the requests for them. */
const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');

const containersOf = (pod: KubeObject): readonly ObjectOf<'Container'>[] =>
  part<ObjectOf<'PodSpec'>>(pod, 'spec').containers ?? [];

export const podEvaluator: Evaluator = {
  resource: 'core/pods',
  covers: (name) => name === 'pods' || said.includes(name) || (name.startsWith('requests.') && isExtended(name)),
  usage(pod) {
    if (isOver(pod)) return {};
    const totals: Record<string, string> = { pods: '1' };
    for (const container of containersOf(pod)) {
      for (const [name, amount] of Object.entries(usageOf(container))) {
        totals[name] = addQuantities([totals[name] ?? '0', amount]);
      }
    }
    return totals;
  },
  inScope(pod, scope) {
    const bounded = (part<ObjectOf<'PodSpec'>>(pod, 'spec').activeDeadlineSeconds ?? -1) >= 0;
    if (scope === 'Terminating') return bounded;
    if (scope === 'NotTerminating') return !bounded;
    return isBestEffort(pod) === (scope === 'BestEffort');
  },
  unspecified(pod, limited) {
    const known = new Set(limited);
    return unsaidBy(pod).filter((name) => known.has(name));
  },
};

/** The resources that some container does not specify, sorted. */
const unsaidBy = rememberedOf((pod) => {
  const usages = containersOf(pod).map(usageOf);
  return said.filter((name) => usages.some((usage) => own(usage, name) === undefined)).sort();
});

/** Caches a result for each object: a namespace may have many quotas, and a pod many containers. */
function rememberedOf<Result>(make: (object: KubeObject) => Result): (object: KubeObject) => Result {
  const known = new WeakMap<KubeObject, { readonly result: Result }>();
  return (object) => {
    const found = known.get(object) ?? { result: make(object) };
    known.set(object, found);
    return found.result;
  };
}

/** Reports whether a pod has ended. An ended pod uses no quota. */
function isOver(pod: KubeObject): boolean {
  const { phase } = part<ObjectOf<'PodStatus'>>(pod, 'status');
  return phase === 'Succeeded' || phase === 'Failed';
}

function usageOf({ resources: { requests = {}, limits = {} } = {} }: ObjectOf<'Container'>): Quantities {
  const usage: Record<string, string> = {};
  for (const name of ['cpu', 'memory']) {
    const [request, limit] = [own(requests, name), own(limits, name)];
    if (typeof request === 'string') Object.assign(usage, { [name]: request, [`requests.${name}`]: request });
    if (typeof limit === 'string') usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) if (isExtended(name)) usage[`requests.${name}`] = request;
  return usage;
}

/** Reports whether no container has requests or limits. */
const isBestEffort = rememberedOf((pod) =>
  containersOf(pod).every((container) =>
    Object.values(usageOf(container)).every((amount) => compareQuantities(amount, '0') === 0),
  ),
);
