// The controllers that came after the interface, which does not mention them: they keep the pods of workloads.
import type { Registry } from '../../registry/registry.js';
import type { Controller } from '../controller.js';
import { cronJobs } from './cronJobs.js';
import { daemonSets } from './daemonSets.js';
import { deploymentRollouts } from './deployments.js';
import { disruptionBudgets } from './disruptionBudgets.js';
import { endpoints } from './endpoints.js';
import { jobs } from './jobs.js';
import { replicaSets, replicationControllers } from './replicas.js';
import { statefulSets } from './statefulSets.js';

/** Makes the controllers of workloads over the stores of a registry. */
export function workloadControllers(registry: Pick<Registry, 'of'>, now: () => Date): readonly Controller[] {
  const pods = registry.of('core/pods');
  const replicas = registry.of('extensions/replicasets');
  const services = registry.of('core/services');
  return [
    cronJobs({ cronJobs: registry.of('batch/cronjobs'), jobs: registry.of('batch/jobs'), now }),
    daemonSets({ pods, nodes: registry.of('core/nodes'), daemonSets: registry.of('extensions/daemonsets') }),
    deploymentRollouts({ deployments: registry.of('extensions/deployments'), replicaSets: replicas, now }),
    disruptionBudgets({
      budgets: registry.of('policy/poddisruptionbudgets'),
      pods,
      owners: (resource) => registry.of(resource),
      now,
    }),
    endpoints({
      services,
      pods,
      endpoints: registry.of('core/endpoints'),
      slices: registry.of('discovery.k8s.io/endpointslices'),
    }),
    jobs({ pods, jobs: registry.of('batch/jobs'), now }),
    replicaSets({ pods, replicas, now }),
    replicationControllers({ pods, replicas: registry.of('core/replicationcontrollers'), now }),
    statefulSets({
      pods,
      claims: registry.of('core/persistentvolumeclaims'),
      statefulSets: registry.of('apps/statefulsets'),
    }),
  ];
}
