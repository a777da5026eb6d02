// The enumerations that have not grown from the document's age until now, but for SCTP; others are open.
import type { Schema } from './fields.js';

const conditionStatus = ['True', 'False', 'Unknown'];
const probeScheme = ['HTTP', 'HTTPS'];

const closed: Readonly<Record<string, readonly string[]>> = {
  'Status.status': ['Success', 'Failure'],
  'LabelSelectorRequirement.operator': ['In', 'NotIn', 'Exists', 'DoesNotExist'],
  'PodSpec.restartPolicy': ['Always', 'OnFailure', 'Never'],
  'PodStatus.phase': ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'],
  'Container.imagePullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'ContainerPort.protocol': ['TCP', 'UDP', 'SCTP'],
  'ServicePort.protocol': ['TCP', 'UDP', 'SCTP'],
  'EndpointPort.protocol': ['TCP', 'UDP', 'SCTP'],
  'ServiceSpec.type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'],
  'ServiceSpec.sessionAffinity': ['None', 'ClientIP'],
  'HTTPGetAction.scheme': probeScheme,
  'NamespaceStatus.phase': ['Active', 'Terminating'],
  'ComponentCondition.status': conditionStatus,
  'DeploymentCondition.status': conditionStatus,
  'JobCondition.status': conditionStatus,
  'NodeCondition.status': conditionStatus,
  'PodCondition.status': conditionStatus,
};

/** The schema of a field with a closed enumeration; an empty string is a value that was not said. */
export function enumerationOf(type: string, field: string): Schema | undefined {
  const values = closed[`${type.replace('extensions.', '')}.${field}`];
  return values && { type: 'string', enum: [...values, ''] };
}
