// The tables of all resources, to which further resources can add theirs while the server runs.
import { type Resource, resourceId } from '../../../../matrix/api/index.js';
import type { KubeObject } from '../../../schema/object.js';
import { toStorageVersion } from '../../../versions/views.js';
import { administeredColumns } from './administered.js';
import { autoscalerColumns, jobColumns } from './batch.js';
import { componentColumns, eventColumns, namespaceColumns, nodeColumns, quotaColumns } from './cluster.js';
import { defaultColumns, type TableColumns } from './column.js';
import { configMapColumns, secretColumns, serviceAccountColumns, thirdPartyResourceColumns } from './config.js';
import {
  budgetColumns,
  controllerRevisionColumns,
  cronJobColumns,
  endpointSliceColumns,
  ingressClassColumns,
  leaseColumns,
  roleBindingColumns,
  webhookColumns,
} from './later.js';
import { endpointColumns, ingressColumns, networkPolicyColumns, serviceColumns } from './network.js';
import { podColumns } from './pods.js';
import { claimColumns, volumeColumns } from './volumes.js';
import {
  daemonSetColumns,
  deploymentColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from './workloads.js';

/** The tables by `group/plural`. */
const own: Readonly<Record<string, TableColumns>> = {
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookColumns,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookColumns,
  'apps/controllerrevisions': controllerRevisionColumns,
  'apps/statefulsets': statefulSetColumns,
  'autoscaling/horizontalpodautoscalers': autoscalerColumns,
  'batch/cronjobs': cronJobColumns,
  'batch/jobs': jobColumns,
  'coordination.k8s.io/leases': leaseColumns,
  'core/componentstatuses': componentColumns,
  'core/configmaps': configMapColumns,
  'core/endpoints': endpointColumns,
  'core/events': eventColumns,
  'core/namespaces': namespaceColumns,
  'core/nodes': nodeColumns,
  'core/persistentvolumeclaims': claimColumns,
  'core/persistentvolumes': volumeColumns,
  'core/pods': podColumns,
  'core/podtemplates': podTemplateColumns,
  'core/replicationcontrollers': replicationControllerColumns,
  'core/resourcequotas': quotaColumns,
  'core/secrets': secretColumns,
  'core/serviceaccounts': serviceAccountColumns,
  'core/services': serviceColumns,
  'discovery.k8s.io/endpointslices': endpointSliceColumns,
  'extensions/daemonsets': daemonSetColumns,
  'extensions/deployments': deploymentColumns,
  'extensions/ingresses': ingressColumns,
  'extensions/networkpolicies': networkPolicyColumns,
  'extensions/replicasets': replicaSetColumns,
  'extensions/thirdpartyresources': thirdPartyResourceColumns,
  'networking.k8s.io/ingressclasses': ingressClassColumns,
  'policy/poddisruptionbudgets': budgetColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': roleBindingColumns,
  'rbac.authorization.k8s.io/rolebindings': roleBindingColumns,
  ...administeredColumns,
};

/** The tables of resources that are made while a server runs. */
const made = new WeakMap<Resource, TableColumns>();

/** Sets the table of a resource that is made while a server runs. */
export function setTable(resource: Resource, columns: TableColumns): void {
  made.set(resource, columns);
}

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
