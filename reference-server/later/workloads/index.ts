// The controllers that came after the interface, which does not mention them: they keep the pods of workloads.

import type { Addon } from '../../addons.js';
import type { Controller } from '../../controllers/controller.js';
import { noteBy } from '../../controllers/events.js';
import type { Registry } from '../../registry/registry.js';
import { cronJobs } from './cronJobs.js';
import { daemonSets } from './daemonSets.js';
import { deploymentRollouts } from './deployments.js';
import { disruptionBudgets } from './disruptionBudgets.js';
import { endpoints } from './endpoints.js';
import { evict } from './eviction.js';
import { jobs } from './jobs.js';
import { PodControl } from './podControl.js';
import { replicaSets, replicationControllers } from './replicas.js';
import { statefulSets } from './statefulSets.js';

/** The controllers, and the evictions that their disruption budgets allow. */
export const workloads: Addon = {
  verbs: { evict },
  partsOf: ({ controllerRegistry, now }) => ({ controllers: workloadControllers(controllerRegistry, now) }),
};

function workloadControllers(registry: Pick<Registry, 'of'>, now: () => Date): readonly Controller[] {
  const pods = registry.of('core/pods');
  const replicas = registry.of('extensions/replicasets');
  const services = registry.of('core/services');
  const note = (component: string) => noteBy(component, { events: registry.of('core/events'), now });
  const control = (component: string, apiVersion: string, kind: string) =>
    new PodControl(pods, note(component), { apiVersion, kind });
  return [
    cronJobs({
      cronJobs: registry.of('batch/cronjobs'),
      jobs: registry.of('batch/jobs'),
      note: note('cronjob-controller'),
      now,
    }),
    daemonSets({
      pods,
      control: control('daemonset-controller', 'apps/v1', 'DaemonSet'),
      nodes: registry.of('core/nodes'),
      daemonSets: registry.of('extensions/daemonsets'),
    }),
    deploymentRollouts({
      deployments: registry.of('extensions/deployments'),
      replicaSets: replicas,
      note: note('deployment-controller'),
      now,
    }),
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
    jobs({
      pods,
      control: control('job-controller', 'batch/v1', 'Job'),
      jobs: registry.of('batch/jobs'),
      now,
    }),
    replicaSets({ pods, control: control('replicaset-controller', 'apps/v1', 'ReplicaSet'), replicas, now }),
    replicationControllers({
      pods,
      control: control('replication-controller', 'v1', 'ReplicationController'),
      replicas: registry.of('core/replicationcontrollers'),
      now,
    }),
    statefulSets({
      pods,
      control: control('statefulset-controller', 'apps/v1', 'StatefulSet'),
      claims: registry.of('core/persistentvolumeclaims'),
      statefulSets: registry.of('apps/statefulsets'),
    }),
  ];
}
