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

/** Counts the objects of a resource by its full name: `count/crontabs.example.com`. */
function counted(stored: Resource): Evaluator {
  const name = `count/${stored.plural}.${stored.groupVersion.group}`;
  return { resource: resourceId(stored), covers: (other) => other === name, usage: () => ({ [name]: '1' }) };
}

/** The evaluators of a server: those of the table, and one for each resource that was made while it runs. */
export class Evaluators {
  #of: ReadonlySet<Resource> | undefined;
  #all: readonly Evaluator[] = evaluators;
  #byResource: ReadonlyMap<string, Evaluator> = new Map();

  constructor(readonly served: Pick<ServedResources, 'made'>) {}

  get all(): readonly Evaluator[] {
    this.#follow();
    return this.#all;
  }

  /** Returns the evaluator of a stored resource; most resources have none. */
  of(stored: string): Evaluator | undefined {
    this.#follow();
    return this.#byResource.get(stored);
  }

  #follow(): void {
    const { made } = this.served;
    if (this.#of === made) return;
    this.#of = made;
    const namespaced = [...new Set([...made].map(storageResource))].filter((resource) => resource.namespaced);
    this.#all = [...evaluators, ...namespaced.map(counted)];
    this.#byResource = new Map(this.#all.map((evaluator) => [evaluator.resource, evaluator]));
  }
}
