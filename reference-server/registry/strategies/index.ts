// The strategies of resources that differ from the default, one row each.
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import type { Strategy } from '../strategy.js';
import { configMaps, secrets } from './config.js';
import { endpoints } from './endpoints.js';
import { horizontalPodAutoscalers } from './horizontalPodAutoscalers.js';
import { jobs } from './jobs.js';
import { events, nodes, thirdPartyResources } from './kinds.js';
import { limitRanges } from './limitRanges.js';
import { namespaces } from './namespaces.js';
import { ingresses, networkPolicies } from './network.js';
import { persistentVolumeClaims, persistentVolumes } from './persistentVolumes.js';
import { pods } from './pods.js';
import { resourceQuotas } from './resourceQuotas.js';
import { serviceAccounts } from './serviceAccounts.js';
import { services } from './services.js';
import { daemonSets, deployments, podTemplates, replicaSets, replicationControllers } from './workloads.js';

const strategies: Readonly<Record<string, Strategy>> = {
  'core/configmaps': configMaps,
  'core/endpoints': endpoints,
  'core/events': events,
  'core/limitranges': limitRanges,
  'core/namespaces': namespaces,
  'core/nodes': nodes,
  'core/persistentvolumeclaims': persistentVolumeClaims,
  'core/persistentvolumes': persistentVolumes,
  'core/pods': pods,
  'core/podtemplates': podTemplates,
  'core/replicationcontrollers': replicationControllers,
  'core/resourcequotas': resourceQuotas,
  'core/secrets': secrets,
  'core/serviceaccounts': serviceAccounts,
  'core/services': services,
  'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalers,
  'batch/jobs': jobs,
  'extensions/daemonsets': daemonSets,
  'extensions/deployments': deployments,
  'extensions/ingresses': ingresses,
  'extensions/networkpolicies': networkPolicies,
  'extensions/replicasets': replicaSets,
  'extensions/thirdpartyresources': thirdPartyResources,
};

const none: Strategy = {};

/** Returns the strategy of a stored resource; most resources use the default. */
export function strategyOf(stored: Resource): Strategy {
  return strategies[resourceId(stored)] ?? none;
}
