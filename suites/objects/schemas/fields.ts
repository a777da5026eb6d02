// JSON Schemas from the field table: the form of an object of a kind, on servers of every version.
import { type Field, fieldsOf, isTypeName, type Scalar, type Type, typeOf } from '../../../matrix/api/types/index.js';

export type FieldSchema = Readonly<Record<string, unknown>>;

/** Fields that are required either on a server of the document's age or on a current one, but not on both. */
const requiredAtTimes: ReadonlySet<string> = new Set([
  'APIGroup.serverAddressByClientCIDRs',
  'APIResource.verbs',
  'APIResource.singularName',
  'FCVolumeSource.targetWWNs',
  'FCVolumeSource.lun',
  'ServiceSpec.ports',
  'Endpoints.subsets',
  'ContainerImage.names',
]);

const quantity = '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d+)?$';

const scalars: Readonly<Record<Scalar, FieldSchema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  // Servers write null for an empty value, and for a time that is not set.
  bytes: { type: ['string', 'null'], format: 'byte' },
  time: { type: ['string', 'null'], format: 'date-time' },
  quantity: { type: ['string', 'number'], pattern: quantity },
  intOrString: { type: ['integer', 'string'] },
  raw: {},
};

/**
 * Returns the schema of a type, which refers to other types by `refer(name)`. Null stands for an absent value. Members
 * that the table lacks are allowed: later versions add them. Without `requires` no field is required: protobuf omits zero
 * values.
 */
export function schemaOf(type: Type, refer: (name: string) => string, requires: boolean): FieldSchema {
  const fields = fieldsOf(type);
  const required = requires ? fields.filter((field) => isRequired(type, field)).map(({ name }) => name) : [];
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(type, field, refer)]));
  return { type: ['object', 'null'], properties, ...(required.length > 0 && { required }) };
}

const isRequired = ({ name }: Type, field: Field): boolean =>
  field.required === true && !requiredAtTimes.has(`${name}.${field.name}`);

function fieldSchema(owner: Type, field: Field, refer: (name: string) => string): FieldSchema {
  const { type, shape, presence, name } = field;
  const value = isTypeName(type) ? messageSchema(type, refer) : (enumerationOf(owner.name, name) ?? scalars[type]);
  // A member of a list or of a map is never null.
  const member = isTypeName(type) && typeOf(type).bare === undefined ? { ...value, type: 'object' } : value;
  if (shape === 'list') return { type: ['array', 'null'], items: member };
  if (shape === 'map') return { type: ['object', 'null'], additionalProperties: member };
  const mayBeNull = presence || (!isTypeName(type) && !isRequired(owner, field) && !('enum' in value));
  return mayBeNull && value.type !== undefined ? { ...value, type: [value.type, 'null'].flat() } : value;
}

function messageSchema(name: Parameters<typeof typeOf>[0], refer: (name: string) => string): FieldSchema {
  const { bare } = typeOf(name);
  if (bare === undefined) return { $ref: refer(name) };
  return { type: ['array', 'null'], items: scalars[bare.type as Scalar] };
}

const conditionStatus = ['True', 'False', 'Unknown'];
const probeScheme = ['HTTP', 'HTTPS'];

/** The enumerations that have not grown since the age of the document, except for SCTP. Other enumerations are open. */
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

/** Returns the schema of a field with a closed enumeration; an empty string stands for an unset value. */
function enumerationOf(type: string, field: string): FieldSchema | undefined {
  const values = closed[`${type.replace('extensions.', '')}.${field}`];
  return values && { type: 'string', enum: [...values, ''] };
}
