// The conversions of resources that are stored in the version of another resource, one row each.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { autoscalerV2 } from '../later/groups/conversions/autoscalers.js';
import { earlierBudget } from '../later/groups/conversions/disruptionBudgets.js';
import { laterEvent } from '../later/groups/conversions/events.js';
import { networkingIngress } from '../later/groups/conversions/ingresses.js';
import { appsDaemonSet, appsWorkload } from '../later/groups/conversions/workloads.js';
import { extensionsAutoscaler } from './autoscaler.js';
import type { Conversion } from './conversion.js';
import { extensionsJob } from './job.js';

const conversions: Readonly<Record<string, Conversion>> = {
  'extensions/horizontalpodautoscalers': extensionsAutoscaler,
  'extensions/jobs': extensionsJob,
  'apps/daemonsets': appsDaemonSet,
  'apps/deployments': appsWorkload,
  'apps/replicasets': appsWorkload,
  'autoscaling.v2/horizontalpodautoscalers': autoscalerV2,
  'events.k8s.io/events': laterEvent,
  'networking.k8s.io/ingresses': networkingIngress,
  'policy.v1beta1/poddisruptionbudgets': earlierBudget,
};

const same: Conversion = { fromStorage: (stored) => stored, toStorage: (object) => object };

/** Returns the conversion of a resource. It is the identity if the resource is stored in its own version. */
export function conversionOf(resource: Resource): Conversion {
  return conversions[resourceId(resource)] ?? same;
}
