// The controllers that came after the interface, which does not mention them: they keep the pods of workloads.

import type { Addon } from '../../addons.js';
import type { Controller } from '../../controllers/controller.js';
import { noteBy } from '../../controllers/events.js';
import type { Registry } from '../../registry/registry.js';
import { cronJobController } from './cronJobs.js';
import { daemonSetController } from './daemonSets.js';
import { deploymentRollouts } from './deployments.js';
import { disruptionBudgets } from './disruptionBudgets.js';
import { endpointMirrors } from './endpointMirrors.js';
import { endpointsController } from './endpoints.js';
import { evictWithinBudget } from './eviction.js';
import { jobControllers } from './jobs.js';
import { PodControl } from './podControl.js';
import { replicaSetController, replicationController } from './replicas.js';
import { statefulSetController } from './statefulSets.js';
import { taintEviction } from './taintEviction.js';
import { volumeProtection } from './volumeProtection.js';

/** The controllers, and the evictions that their disruption budgets allow. */
export function workloads(): Addon {
  let reported = 0;
  return {
    verbs: { evict: evictWithinBudget(() => reported) },
    partsOf({ controllerRegistry, now, minor }) {
      reported = minor;
      return { controllers: workloadControllers(controllerRegistry, now, minor) };
    },
  };
}

/** Since this version, the eviction by taints is a controller of its own. */
const sinceOwnEviction = 29;
/** Since this version, Endpoints of clients have slices. */
const sinceMirrors = 19;

function workloadControllers(registry: Pick<Registry, 'of'>, now: () => Date, minor: number): readonly Controller[] {
  const pods = registry.of('core/pods');
  const replicas = registry.of('extensions/replicasets');
  const services = registry.of('core/services');
  const claims = registry.of('core/persistentvolumeclaims');
  const slices = registry.of('discovery.k8s.io/endpointslices');
  const revisions = registry.of('apps/controllerrevisions');
  const note = (component: string) => noteBy(component, { events: registry.of('core/events'), now });
  const control = (component: string, apiVersion: string, kind: string) =>
    new PodControl(pods, note(component), { apiVersion, kind });
  return [
    cronJobController({
      cronJobs: registry.of('batch/cronjobs'),
      jobs: registry.of('batch/jobs'),
      note: note('cronjob-controller'),
      now,
    }),
    daemonSetController({
      pods,
      control: control('daemonset-controller', 'apps/v1', 'DaemonSet'),
      nodes: registry.of('core/nodes'),
      daemonSets: registry.of('extensions/daemonsets'),
      revisions,
      minor,
      now,
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
    endpointsController({
      services,
      pods,
      endpoints: registry.of('core/endpoints'),
      slices,
      minor,
    }),
    ...(minor < sinceMirrors
      ? []
      : [endpointMirrors({ services, slices, note: note('endpoint-slice-mirroring-controller') })]),
    ...jobControllers({
      pods,
      control: control('job-controller', 'batch/v1', 'Job'),
      jobs: registry.of('batch/jobs'),
      now,
      minor,
    }),
    replicaSetController({ pods, control: control('replicaset-controller', 'apps/v1', 'ReplicaSet'), replicas, now }),
    replicationController({
      pods,
      control: control('replication-controller', 'v1', 'ReplicationController'),
      replicas: registry.of('core/replicationcontrollers'),
      now,
    }),
    statefulSetController({
      pods,
      control: control('statefulset-controller', 'apps/v1', 'StatefulSet'),
      claims,
      statefulSets: registry.of('apps/statefulsets'),
      revisions,
      minor,
      now,
    }),
    taintEviction({
      pods,
      nodes: registry.of('core/nodes'),
      note: note(minor < sinceOwnEviction ? 'taint-controller' : 'taint-eviction-controller'),
      minor,
      now,
    }),
    ...volumeProtection({ claims, volumes: registry.of('core/persistentvolumes'), pods }),
  ];
}
