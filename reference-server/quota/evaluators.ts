// What each resource takes of a quota, a row each.
import { type KubeObject, part } from '../schema/object.js';
import { podEvaluator } from './pods.js';

export type Quantities = Readonly<Record<string, string>>;

export interface Evaluator {
  /** `group/plural` of the objects that it measures. */
  readonly resource: string;
  /** Whether it knows how much of that an object takes. */
  covers(name: string): boolean;
  usage(object: KubeObject): Quantities;
  /** Whether an object is in a quota's scope. Absent where scopes make no sense: scoped quotas do not see it. */
  inScope?(object: KubeObject, scope: string): boolean;
  /** What of the limited things the object has to say about itself and does not. */
  unsaid?(object: KubeObject, limited: readonly string[]): readonly string[];
  /** Updates can take more. */
  readonly grows?: true;
}

/** Counted by the piece. */
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

/** Every resource that quotas count. */
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

/** The evaluator of a stored resource; most have none. */
export const evaluatorOf = (stored: string): Evaluator | undefined => byResource.get(stored);
