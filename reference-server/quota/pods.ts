// The quota usage of pods: the pods, and the requests and limits of their containers.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { eachField, type KubeObject, own, part } from '../schema/object.js';
import { addQuantities, compareQuantities, type Quantities } from '../schema/quantity.js';
import type { Evaluator, Scope } from './evaluator.js';

/** A pod under a quota with one of these must specify it for each of its containers. */
const said = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];

/** Storage on the disk of the node: a quota for it does not make pods say what they need. */
const ephemeral = ['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage'];
const isPages = (name: string): boolean => /^(?:requests\.)?hugepages-/.test(name);
const isAskedExtended = (name: string): boolean => name.startsWith('requests.') && isExtended(name);

/** Resources outside the API's own names; quotas limit only the requests for them. */
const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');

const specOf = (pod: KubeObject) => part<ObjectOf<'PodSpec'>>(pod, 'spec');
const containersOf = (pod: KubeObject): readonly ObjectOf<'Container'>[] => specOf(pod).containers ?? [];

export const podEvaluator: Evaluator = {
  resource: 'core/pods',
  covers: (name) => ['pods', ...said, ...ephemeral].includes(name) || isPages(name) || isAskedExtended(name),
  usage(pod) {
    if (isOver(pod)) return {};
    const totals: Record<string, string> = { pods: '1' };
    const add = (amounts: Quantities): void => {
      eachField(amounts, (name, amount) => {
        totals[name] = addQuantities([totals[name] ?? '0', amount]);
      });
    };
    for (const { resources } of containersOf(pod)) add(usageOf(resources));
    // Init containers run before the others, one after the other.
    for (const { resources } of specOf(pod).initContainers ?? []) {
      eachField(usageOf(resources), (name, amount) => {
        if (compareQuantities(amount, totals[name] ?? '0') > 0) totals[name] = amount;
      });
    }
    add(usageOf({ requests: specOf(pod).overhead ?? {} }));
    return totals;
  },
  inScope(pod, scope) {
    const { activeDeadlineSeconds = -1, priorityClassName = '' } = specOf(pod);
    const bounded = activeDeadlineSeconds >= 0;
    const { scopeName } = scope;
    if (scopeName === 'Terminating') return bounded;
    if (scopeName === 'NotTerminating') return !bounded;
    if (scopeName === 'PriorityClass') return meets(priorityClassName, scope);
    if (scopeName === 'CrossNamespacePodAffinity') return looksElsewhere(pod);
    return isBestEffort(pod) === (scopeName === 'BestEffort');
  },
  unspecified(pod, limited) {
    const known = new Set(limited);
    return unsaidBy(pod).filter((name) => known.has(name));
  },
};

function meets(value: string, { operator, values = [] }: Scope): boolean {
  if (operator === 'Exists') return value !== '';
  if (operator === 'In') return values.includes(value);
  return operator === 'NotIn' ? !values.includes(value) : value === '';
}

/** Reports whether the affinity of a pod is about pods of other namespaces. */
function looksElsewhere(pod: KubeObject): boolean {
  const { podAffinity, podAntiAffinity } = specOf(pod).affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    return terms.some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined);
  });
}

/** The resources that some container does not specify, sorted. */
const unsaidBy = rememberedOf((pod) => {
  const usages = containersOf(pod).map(({ resources }) => usageOf(resources));
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

function usageOf({ requests = {}, limits = {} }: ObjectOf<'ResourceRequirements'> = {}): Quantities {
  const usage: Record<string, string> = {};
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const [request, limit] = [own(requests, name), own(limits, name)];
    if (typeof request === 'string') Object.assign(usage, { [name]: request, [`requests.${name}`]: request });
    if (typeof limit === 'string') usage[`limits.${name}`] = limit;
  }
  for (const [name, request] of Object.entries(requests)) {
    if (isExtended(name) || isPages(name)) usage[`requests.${name}`] = request;
    if (isPages(name)) usage[name] = request;
  }
  return usage;
}

/** Reports whether no container has requests or limits. */
const isBestEffort = rememberedOf((pod) =>
  containersOf(pod).every((container) =>
    Object.entries(usageOf(container.resources)).every(
      ([name, amount]) => !said.includes(name) || compareQuantities(amount, '0') === 0,
    ),
  ),
);
