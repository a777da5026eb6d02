// The types of kinds, by which the expressions of policies are checked beforehand: real servers warn of what does not fit.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import {
  type Field,
  fieldsOf,
  isTypeName,
  type Scalar,
  type Type as TableType,
  typeOf,
  typeOfKind,
} from '../../../matrix/api/modern/index.js';
import { dyn, listOf, mapOf, type ObjectType, type Type, typeNamed } from '../cel/types.js';
import { ruleName, ruleType } from '../customresources/ruleTypes.js';
import { schemaOf } from '../openapi/source.js';

const text = typeNamed('string');
const int = typeNamed('int');
const time = typeNamed('timestamp');
const nothing: ObjectType = { kind: 'object', name: 'object', fieldOf: () => undefined };

const scalars: Readonly<Record<Scalar, Type>> = {
  string: text,
  boolean: typeNamed('bool'),
  int32: int,
  int64: int,
  number: typeNamed('double'),
  bytes: typeNamed('bytes'),
  quantity: text,
  intOrString: dyn,
  time,
  microTime: time,
  raw: nothing,
};

/** Returns the type of the objects of a resource; undefined if it is not known. */
export function typeOfResource(resource: Resource): Type | undefined {
  const { kind } = resource;
  const type = typeOfKind(apiVersionOf(resource.groupVersion), kind);
  if (type !== undefined) return objectOf(type, kind);
  const schema = schemaOf(resource);
  if (schema === undefined) return undefined;
  const own = ruleType(schema, true);
  const metadata = objectOf(typeOf('ObjectMeta'), `${kind}.metadata`);
  const fieldOf: ObjectType['fieldOf'] = (name) =>
    name === 'metadata' ? metadata : own?.kind === 'object' ? own.fieldOf(name) : undefined;
  return { kind: 'object', name: kind, fieldOf };
}

/** `above` are the types that the object is in: one of them has no fields a second time, as on real servers. */
function objectOf(type: TableType, name: string, above: ReadonlySet<TableType> = new Set()): Type {
  if (above.has(type)) return nothing;
  if (type.bare !== undefined) return listOf(typeOfValue(type.bare.type, name, above));
  const inside = new Set(above).add(type);
  const made = new Map<string, Type>();
  let fields: ReadonlyMap<string, Field> | undefined;
  return {
    kind: 'object',
    name,
    fieldOf(called) {
      fields ??= new Map(fieldsOf(type).map((field) => [ruleName(field.name) ?? field.name, field]));
      const field = fields.get(called);
      if (field === undefined) return undefined;
      const known = made.get(called) ?? fieldType(field, `${name}.${called}`, inside);
      made.set(called, known);
      return known;
    },
  };
}

function fieldType({ type, shape, or }: Field, name: string, above: ReadonlySet<TableType>): Type {
  if (or !== undefined) return dyn;
  const value = typeOfValue(type, name, above);
  if (shape === 'list') return listOf(value);
  return shape === 'map' ? mapOf(text, value) : value;
}

const typeOfValue = (type: Field['type'], name: string, above: ReadonlySet<TableType>): Type =>
  isTypeName(type) ? objectOf(typeOf(type), name, above) : scalars[type];
