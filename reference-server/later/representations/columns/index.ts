// The tables of all resources, to which further resources can add theirs while the server runs.
import { type Resource, resourceId } from '../../../../matrix/api/index.js';
import type { KubeObject } from '../../../schema/object.js';
import { toStorageVersion } from '../../../versions/views.js';
import { autoscalers, jobs } from './batch.js';
import { components, events, namespaces, nodes, quotas } from './cluster.js';
import { defaultColumns, type TableColumns } from './column.js';
import { configMaps, secrets, serviceAccounts, thirdPartyResources } from './config.js';
import {
  budgets,
  controllerRevisions,
  cronJobs,
  endpointSlices,
  ingressClasses,
  leases,
  roleBindings,
} from './later.js';
import { endpoints, ingresses, networkPolicies, services } from './network.js';
import { pods } from './pods.js';
import { claims, volumes } from './volumes.js';
import {
  daemonSets,
  deployments,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from './workloads.js';

/** The tables by `group/plural`. */
const own: Readonly<Record<string, TableColumns>> = {
  'apps/controllerrevisions': controllerRevisions,
  'apps/statefulsets': statefulSets,
  'autoscaling/horizontalpodautoscalers': autoscalers,
  'batch/cronjobs': cronJobs,
  'batch/jobs': jobs,
  'coordination.k8s.io/leases': leases,
  'core/componentstatuses': components,
  'core/configmaps': configMaps,
  'core/endpoints': endpoints,
  'core/events': events,
  'core/namespaces': namespaces,
  'core/nodes': nodes,
  'core/persistentvolumeclaims': claims,
  'core/persistentvolumes': volumes,
  'core/pods': pods,
  'core/podtemplates': podTemplates,
  'core/replicationcontrollers': replicationControllers,
  'core/resourcequotas': quotas,
  'core/secrets': secrets,
  'core/serviceaccounts': serviceAccounts,
  'core/services': services,
  'discovery.k8s.io/endpointslices': endpointSlices,
  'extensions/daemonsets': daemonSets,
  'extensions/deployments': deployments,
  'extensions/ingresses': ingresses,
  'extensions/networkpolicies': networkPolicies,
  'extensions/replicasets': replicaSets,
  'extensions/thirdpartyresources': thirdPartyResources,
  'networking.k8s.io/ingressclasses': ingressClasses,
  'policy/poddisruptionbudgets': budgets,
  'rbac.authorization.k8s.io/clusterrolebindings': roleBindings,
  'rbac.authorization.k8s.io/rolebindings': roleBindings,
};

/** The tables of resources that are made while a server runs. */
const made = new WeakMap<Resource, TableColumns>();

/** Sets the table of a resource that is made while a server runs. */
export function setTable(resource: Resource, columns: TableColumns): void {
  made.set(resource, columns);
}

/** The tables of a server. */
export class Tables {
  readonly #byResource = new Map(Object.entries(own));

  /** `now` is the time for which ages are shown. */
  constructor(readonly now: () => Date = () => new Date()) {}

  /**
   * Returns the table of a resource: its own one, that of the resource whose objects it shows in another version, or
   * the table with name and creation time.
   */
  of(resource: Resource): TableColumns {
    const own = made.get(resource) ?? this.#byResource.get(resourceId(resource));
    if (own !== undefined || resource.storageVersion === undefined) return own ?? defaultColumns;
    const stored = this.#byResource.get(resource.storageVersion) ?? defaultColumns;
    return resource.modern === true ? inStorageVersion(resource, stored) : stored;
  }
}

/** The columns of the stored version for objects of a later group, whose fields have other names. */
function inStorageVersion(resource: Resource, stored: TableColumns): TableColumns {
  const storedIn = (object: KubeObject) => toStorageVersion(resource, object) as KubeObject;
  const { cells, conditions } = stored;
  return {
    definitions: stored.definitions,
    cells: (object, now) => cells(storedIn(object), now),
    ...(conditions && { conditions: (object) => conditions(storedIn(object)) }),
  };
}
