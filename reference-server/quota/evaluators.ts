// The evaluators of all resources that quotas measure, one row each.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { part } from '../schema/object.js';
import { storageResource } from '../versions/addresses.js';
import type { ServedResources } from '../versions/servedResources.js';
import type { Evaluator } from './evaluator.js';
import { podEvaluator } from './pods.js';

/** Counts whole objects. */
const pieces = (plural: string): Evaluator => ({
  resource: `core/${plural}`,
  covers: (name) => name === plural,
  usage: () => ({ [plural]: '1' }),
});

const services: Evaluator = {
  resource: 'core/services',
  covers: (name) => ['services', 'services.nodeports', 'services.loadbalancers'].includes(name),
  usage(service) {
    const { type, ports = [] } = part<ObjectOf<'ServiceSpec'>>(service, 'spec');
    const balanced = type === 'LoadBalancer';
    return {
      services: '1',
      'services.nodeports': String(balanced || type === 'NodePort' ? ports.length : 0),
      'services.loadbalancers': balanced ? '1' : '0',
    };
  },
  grows: true,
};

const claims: Evaluator = {
  resource: 'core/persistentvolumeclaims',
  covers: (name) => name === 'persistentvolumeclaims' || name === 'requests.storage',
  usage(claim) {
    const { resources } = part<ObjectOf<'PersistentVolumeClaimSpec'>>(claim, 'spec');
    return { persistentvolumeclaims: '1', 'requests.storage': resources?.requests?.storage ?? '0' };
  },
};

/** The evaluators of the resources of the table. */
export const evaluators: readonly Evaluator[] = [
  podEvaluator,
  services,
  claims,
  pieces('configmaps'),
  pieces('replicationcontrollers'),
  pieces('resourcequotas'),
  pieces('secrets'),
];

/** Names the objects of a resource in full, for each group that serves it: `count/crontabs.example.com`. */
function countsOf(stored: Resource, served: readonly Resource[]): readonly string[] {
  const rows = [stored, ...served.filter((resource) => storageResource(resource) === stored)];
  const names = rows.map(({ plural, groupVersion: { group } }) => `count/${plural}${group === '' ? '' : `.${group}`}`);
  return [...new Set(names)];
}

/** Counts the objects of a resource by its full names, beside what an evaluator measures. */
function counted(stored: Resource, served: readonly Resource[], evaluator?: Evaluator): Evaluator {
  const names = countsOf(stored, served);
  const counts = Object.fromEntries(names.map((name) => [name, '1']));
  return {
    ...evaluator,
    resource: resourceId(stored),
    covers: (name) => Object.hasOwn(counts, name) || evaluator?.covers(name) === true,
    usage: (object) => ({ ...evaluator?.usage(object), ...counts }),
  };
}

/** Reports whether a name of a quota counts the objects of a resource. */
export const isCount = (name: string): boolean => name.startsWith('count/');

/** What no quota counts. */
const uncounted = 'core/events';

/** The evaluators of a server: those of the table, and one for each resource whose objects its quotas may count. */
export class Evaluators {
  readonly #fixed: ReadonlyMap<string, Evaluator>;
  readonly #counted = new WeakMap<Resource, Evaluator>();
  #all: { readonly of: readonly Resource[]; readonly evaluators: readonly Evaluator[] } | undefined;

  /** Quotas count the objects of any resource if `countsAll`, and otherwise only those that were made. */
  constructor(
    readonly served: Pick<ServedResources, 'all' | 'stored' | 'madeById'>,
    countsAll = false,
  ) {
    const rows = countsAll ? this.#countedAll() : evaluators;
    this.#fixed = new Map(rows.map((evaluator) => [evaluator.resource, evaluator]));
  }

  get all(): readonly Evaluator[] {
    const { stored } = this.served;
    if (this.#all?.of !== stored) {
      const known = stored.flatMap((resource) => this.of(resourceId(resource)) ?? []);
      this.#all = { of: stored, evaluators: [...new Set([...this.#fixed.values(), ...known])] };
    }
    return this.#all.evaluators;
  }

  /** Returns the evaluator of a stored resource; most resources have none. */
  of(stored: string): Evaluator | undefined {
    const made = this.served.madeById(stored);
    if (made === undefined || !made.namespaced) return this.#fixed.get(stored);
    const evaluator = this.#counted.get(made) ?? counted(made, []);
    this.#counted.set(made, evaluator);
    return evaluator;
  }

  #countedAll(): readonly Evaluator[] {
    const { stored, all } = this.served;
    const measured = new Map(evaluators.map((evaluator) => [evaluator.resource, evaluator]));
    return stored
      .filter((resource) => resource.namespaced && resourceId(resource) !== uncounted)
      .map((resource) => counted(resource, all, measured.get(resourceId(resource))));
  }
}
