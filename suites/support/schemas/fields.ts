// JSON Schemas from the field table: what an object of a kind looks like, on a server of whatever age.
import { type Field, fieldsOf, isTypeName, type Scalar, type Type, typeOf } from '../../../matrix/api/types/index.js';
import { enumerationOf } from './enumerations.js';

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Required on a server of the document's age or on one of today, and not on the other: either leaves them out. */
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

const scalars: Readonly<Record<Scalar, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  // Servers write null for what is empty, and for a time that has not come.
  bytes: { type: ['string', 'null'], format: 'byte' },
  time: { type: ['string', 'null'], format: 'date-time' },
  quantity: { type: ['string', 'number'], pattern: quantity },
  intOrString: { type: ['integer', 'string'] },
  raw: {},
};

/**
 * The schema of a type, which refers to others by `refer(name)`. Null is an absent object, list or map, and members that
 * the table lacks are allowed: they come with the years. Without `requires` nothing is required: protobuf leaves out
 * what is zero.
 */
export function schemaOf(type: Type, refer: (name: string) => string, requires: boolean): Schema {
  const fields = fieldsOf(type);
  const required = requires ? fields.filter((field) => isRequired(type, field)).map(({ name }) => name) : [];
  const properties = Object.fromEntries(fields.map((field) => [field.name, fieldSchema(type, field, refer)]));
  return { type: ['object', 'null'], properties, ...(required.length > 0 && { required }) };
}

const isRequired = ({ name }: Type, field: Field): boolean =>
  field.required === true && !requiredAtTimes.has(`${name}.${field.name}`);

function fieldSchema(owner: Type, field: Field, refer: (name: string) => string): Schema {
  const { type, shape, presence, name } = field;
  const value = isTypeName(type) ? messageSchema(type, refer) : (enumerationOf(owner.name, name) ?? scalars[type]);
  // A member of a list or of a map is there.
  const member = isTypeName(type) && typeOf(type).bare === undefined ? { ...value, type: 'object' } : value;
  if (shape === 'list') return { type: ['array', 'null'], items: member };
  if (shape === 'map') return { type: ['object', 'null'], additionalProperties: member };
  return presence ? { ...value, type: [value.type, 'null'].flat() } : value;
}

function messageSchema(name: Parameters<typeof typeOf>[0], refer: (name: string) => string): Schema {
  const { bare } = typeOf(name);
  if (bare === undefined) return { $ref: refer(name) };
  return { type: ['array', 'null'], items: scalars[bare.type as Scalar] };
}
