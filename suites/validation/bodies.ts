// Every invalid body, by resource. The types require one for each variant of the subjects.
import type { invalidBodies } from '../requirements/index.js';
import * as config from './config.js';
import { anyObject, type InvalidBodies } from './invalid.js';
import * as network from './network.js';
import { pods } from './pods.js';
import * as templates from './templates.js';

export const bodies: { readonly [R in keyof typeof invalidBodies]: InvalidBodies<R> } = {
  'core/configmaps': config.configMaps,
  'core/endpoints': network.endpoints,
  'core/events': config.events,
  'core/limitranges': config.limitRanges,
  'core/namespaces': anyObject,
  'core/nodes': anyObject,
  'core/persistentvolumeclaims': config.persistentVolumeClaims,
  'core/persistentvolumes': config.persistentVolumes,
  'core/pods': pods,
  'core/podtemplates': templates.podTemplates,
  'core/replicationcontrollers': templates.replicationControllers,
  'core/resourcequotas': config.resourceQuotas,
  'core/secrets': config.secrets,
  'core/serviceaccounts': anyObject,
  'core/services': network.services,
  'autoscaling/horizontalpodautoscalers': network.autoscalers,
  'batch/jobs': templates.jobs,
  'extensions/daemonsets': templates.daemonSets,
  'extensions/deployments': templates.deployments,
  'extensions/horizontalpodautoscalers': network.extensionsAutoscalers,
  'extensions/ingresses': network.ingresses,
  'extensions/networkpolicies': network.networkPolicies,
  'extensions/replicasets': templates.replicaSets,
  'extensions/thirdpartyresources': network.thirdPartyResources,
};
