// The evaluators of all resources that quotas measure, one row each.
import { part } from '../schema/object.js';
import type { Evaluator, Quantities } from './evaluator.js';
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
    const { type, ports = [] } = part<{ type?: string; ports?: readonly unknown[] }>(service, 'spec');
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
    const { resources } = part<{ resources?: { requests?: Quantities } }>(claim, 'spec');
    return { persistentvolumeclaims: '1', 'requests.storage': resources?.requests?.storage ?? '0' };
  },
};

/** The evaluators of all resources. */
export const evaluators: readonly Evaluator[] = [
  podEvaluator,
  services,
  claims,
  pieces('configmaps'),
  pieces('replicationcontrollers'),
  pieces('resourcequotas'),
  pieces('secrets'),
];

const byResource = new Map(evaluators.map((evaluator) => [evaluator.resource, evaluator]));

/** Returns the evaluator of a stored resource; most resources have none. */
export const evaluatorOf = (stored: string): Evaluator | undefined => byResource.get(stored);
