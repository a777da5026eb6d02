// From a schema of OpenAPI to a JSON Schema that fails no correct server: what Kubernetes means by it, and no more.
import { isObject, type Json, type JsonObject } from '../../client/json.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const types = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

/**
 * The keywords that are kept as they are. Not `format`: it describes values, and servers store what it does not match.
 * Not `pattern`: it is written for RE2, and may run forever here. Not `uniqueItems`: it compares all pairs of items.
 */
const kept = [
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'multipleOf'],
  'required',
];

/**
 * Returns the JSON Schema of a schema of OpenAPI. `refer` returns the id of the schema that a reference names. `null` is
 * valid everywhere: servers in Go write it for an empty list, map or time, and it stands for an absent value.
 */
export function jsonSchemaOf(schema: JsonObject, refer: (reference: string) => string): JsonSchema {
  const convert = (one: Json | undefined): JsonSchema => (isObject(one) ? jsonSchemaOf(one, refer) : {});
  const { $ref: reference, properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema;
  // Members beside a reference describe it.
  if (typeof reference === 'string') return { $ref: refer(reference) };
  const parts = [
    ...listed(allOf).map(convert),
    ...(Array.isArray(anyOf) ? [{ anyOf: anyOf.map(convert) }] : []),
    // Its members overlap where `null` is valid.
    ...(Array.isArray(oneOf) ? [{ anyOf: oneOf.map(convert) }] : []),
    ...(isObject(not) ? [{ anyOf: [{ type: 'null' }, { not: convert(not) }] }] : []),
  ];
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...typeOf(schema),
    ...Object.fromEntries(kept.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...boundsOf(schema),
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
    ...(isObject(properties) && { properties: each(properties, convert) }),
    ...(isObject(additionalProperties) && { additionalProperties: convert(additionalProperties) }),
    ...(additionalProperties === false && !isOpen && { additionalProperties: false }),
    ...(isObject(items) && { items: convert(items) }),
    ...(parts.length > 0 && { allOf: parts }),
  };
}

const each = (members: JsonObject, convert: (one: Json | undefined) => JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, convert(one)]));

const listed = (list: Json | undefined): readonly Json[] => (Array.isArray(list) ? list : []);

/** Both documents write a number or a text as a text, with a format or an extension. */
function typeOf(schema: JsonObject): JsonSchema {
  const { type, format } = schema;
  if (schema['x-kubernetes-int-or-string'] === true || format === 'int-or-string')
    return { type: ['integer', 'string', 'null'] };
  return typeof type === 'string' && types.has(type) ? { type: [type, 'null'] } : {};
}

/** In OpenAPI 3.0, the exclusive bounds say whether the bounds are exclusive. */
function boundsOf(schema: JsonObject): JsonSchema {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  return {
    ...(typeof minimum === 'number' && { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(typeof maximum === 'number' && { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}
