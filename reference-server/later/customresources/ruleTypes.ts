// Schemas as the types of rules, with the sizes that they allow.

import { isRecord } from '../../schema/object.js';
import { dyn, type ObjectType, type Type, typeNamed } from '../cel/types.js';
import type { StructuralSchema } from './structuralSchema.js';

/** The most bytes of a request: no value is larger. */
const largestRequest = 3 * 1024 * 1024;

/** The names of fields that are words of the language. */
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Signs in the names of fields, and how rules write them. */
const escapes: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/** Returns the name by which rules call a field, or undefined if they cannot. */
export function ruleName(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (sign) => escapes.find(([plain]) => plain === sign)?.[1] ?? sign);
}

/** The least that a value takes in JSON. */
const leastString = 2;
const leastList = 2;
const leastObject = 2;
const dateTimeBytes = 22;
const dateBytes = 12;

function leastBytes(schema: StructuralSchema): number {
  if (schema['x-kubernetes-int-or-string'] === true) return 1;
  switch (schema.type) {
    case 'array':
      return leastList;
    case 'boolean':
      return 4;
    case 'integer':
    case 'number':
      return 1;
    case 'string':
      return schema.format === 'date-time' ? dateTimeBytes : schema.format === 'date' ? dateBytes : leastString;
    case 'object':
      return (schema.required ?? []).reduce((bytes, name) => {
        const field = schema.properties?.[name];
        return field === undefined || field.default !== undefined ? bytes : bytes + name.length + leastBytes(field) + 4;
      }, leastObject);
    default:
      return 1;
  }
}

/** Returns the most values of a schema that one request can have. */
export const mostInRequest = (schema: StructuralSchema): number =>
  Math.floor(largestRequest / (leastBytes(schema) + 1));

/** Returns the most items of a list, or undefined for other schemas. */
function mostItems(schema: StructuralSchema): number | undefined {
  const { type, maxItems, maxProperties, items, additionalProperties } = schema;
  if (type === 'array') {
    return maxItems ?? Math.floor((largestRequest - leastList) / ((isRecord(items) ? leastBytes(items) : 1) + 1));
  }
  if (type === 'object' && additionalProperties !== undefined && additionalProperties !== false) {
    const least = typeof additionalProperties === 'object' ? leastBytes(additionalProperties) : 1;
    return maxProperties ?? Math.floor((largestRequest - leastObject) / (least + 6));
  }
  return undefined;
}

/** The bytes that a character may take. */
const characterBytes = 4;

function mostLength({ maxLength, enum: values }: StructuralSchema): number {
  if (maxLength !== undefined) return Math.max(0, maxLength) * characterBytes;
  const texts = values?.filter((value) => typeof value === 'string') ?? [];
  if (texts.length > 0) return Math.max(...texts.map((text) => text.length));
  return largestRequest - 2;
}

const fields = (name: string, fieldOf: ObjectType['fieldOf'], most?: number): ObjectType => ({
  kind: 'object',
  name,
  fieldOf,
  ...(most !== undefined && { most }),
});

const text: Type = { kind: 'string', most: largestRequest - 2 };
/** Real servers take the keys of maps for empty where they estimate costs. */
const keyText: Type = { kind: 'string', most: 0 };
const metadataType: ObjectType = fields('metadata', (name) =>
  name === 'name' || name === 'generateName' ? text : undefined,
);

/** The fields that every resource has, whether its schema names them or not. */
const resourceFields: Readonly<Record<string, Type>> = { apiVersion: text, kind: text, metadata: metadataType };

const made = new WeakMap<StructuralSchema, Type | 'none'>();

/** Returns the type of the values of a schema, or undefined if rules cannot see them. `isResource`: at a root. */
export function ruleType(schema: StructuralSchema, isResource = false): Type | undefined {
  if (isResource) return typeOf(schema, true);
  const known = made.get(schema);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const type = typeOf(schema, false);
  made.set(schema, type ?? 'none');
  return type;
}

function typeOf(schema: StructuralSchema, isRoot: boolean): Type | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return dyn;
  switch (schema.type) {
    case 'array': {
      const items = isRecord(schema.items) ? ruleType(schema.items as StructuralSchema) : undefined;
      return items && { kind: 'list', of: items, most: mostItems(schema) ?? 0 };
    }
    case 'object':
      return objectOf(schema, isRoot || schema['x-kubernetes-embedded-resource'] === true);
    case 'string':
      return stringOf(schema);
    case 'boolean':
      return typeNamed('bool');
    case 'number':
      return typeNamed('double');
    case 'integer':
      return typeNamed('int');
    default:
      return undefined;
  }
}

function stringOf(schema: StructuralSchema): Type {
  switch (schema.format) {
    case 'byte':
      return { kind: 'bytes', most: schema.maxLength ?? largestRequest - 2 };
    case 'duration':
      return typeNamed('duration');
    case 'date':
    case 'date-time':
      return typeNamed('timestamp');
    default:
      return { kind: 'string', most: mostLength(schema) };
  }
}

let objects = 0;

function objectOf(schema: StructuralSchema, isResource: boolean): Type | undefined {
  const { additionalProperties, properties = {} } = schema;
  // A map of anything has no fields that rules know.
  if (typeof additionalProperties === 'object') {
    const value = ruleType(additionalProperties);
    return value && { kind: 'map', key: keyText, value, most: mostItems(schema) ?? 0 };
  }
  const byName = new Map<string, StructuralSchema>();
  for (const [name, field] of Object.entries(properties)) {
    const called = ruleName(name);
    if (called !== undefined) byName.set(called, field);
  }
  objects += 1;
  return fields(`object${objects}`, (name) => {
    if (isResource && Object.hasOwn(resourceFields, name)) return resourceFields[name];
    const field = byName.get(name);
    return field && ruleType(field);
  });
}
