// The tables of all resources, to which further resources can add theirs while the server runs.
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import { autoscalers, jobs } from './batch.js';
import { components, events, namespaces, nodes, quotas } from './cluster.js';
import { defaultColumns, type TableColumns } from './column.js';
import { configMaps, secrets, serviceAccounts, thirdPartyResources } from './config.js';
import { endpoints, ingresses, networkPolicies, services } from './network.js';
import { pods } from './pods.js';
import { claims, volumes } from './volumes.js';
import { daemonSets, deployments, podTemplates, replicaSets, replicationControllers } from './workloads.js';

/** The tables by `group/plural`. */
const own: Readonly<Record<string, TableColumns>> = {
  'autoscaling/horizontalpodautoscalers': autoscalers,
  'batch/jobs': jobs,
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
  'extensions/daemonsets': daemonSets,
  'extensions/deployments': deployments,
  'extensions/ingresses': ingresses,
  'extensions/networkpolicies': networkPolicies,
  'extensions/replicasets': replicaSets,
  'extensions/thirdpartyresources': thirdPartyResources,
};

/** The tables of a server. */
export class Tables {
  readonly #byResource = new Map(Object.entries(own));

  /**
   * Returns the table of a resource: its own one, that of the resource whose objects it shows in another version, or
   * the table with name and creation time.
   */
  of(resource: Resource): TableColumns {
    const { storageVersion = '' } = resource;
    return this.#byResource.get(resourceId(resource)) ?? this.#byResource.get(storageVersion) ?? defaultColumns;
  }

  /** Sets the table of a resource, given `group/plural`: the next response has its columns. */
  set(id: string, table: TableColumns): void {
    this.#byResource.set(id, table);
  }
}
