// The shape of a structural schema: which parts of a custom resource have owners of their own.

import { isRecord } from '../../schema/object.js';
import { anyValue, type ListKey, leaf, type ObjectShape, type Shape } from '../managedfields/shape.js';
import type { StructuralSchema } from './structuralSchema.js';

/**
 * Returns the shape of a schema. `metadata` is the shape of the metadata of the whole object, and of embedded objects;
 * schemas say nothing about it.
 */
export function shapeOfSchema(schema: StructuralSchema, metadata: Shape): ObjectShape {
  const shape = shapeOf(schema, metadata);
  return objectWith(shape.kind === 'object' ? shape : { kind: 'object', field: () => undefined }, metadata);
}

/** The object with the fields that all objects of the API have. */
function objectWith(shape: ObjectShape, metadata: Shape): ObjectShape {
  const common: Readonly<Record<string, Shape>> = {
    apiVersion: { kind: 'leaf', scalar: 'string' },
    kind: { kind: 'leaf', scalar: 'string' },
    metadata,
  };
  return { ...shape, field: (name) => (Object.hasOwn(common, name) ? common[name] : shape.field(name)) };
}

const scalars: Readonly<Record<string, Shape>> = {
  string: { kind: 'leaf', scalar: 'string' },
  boolean: { kind: 'leaf', scalar: 'boolean' },
  integer: { kind: 'leaf', scalar: 'numeric' },
  number: { kind: 'leaf', scalar: 'numeric' },
};

function shapeOf(schema: StructuralSchema, metadata: Shape): Shape {
  if (schema['x-kubernetes-int-or-string'] === true) return leaf;
  if (schema.type === 'array') return shapeOfList(schema, metadata);
  if (schema.type !== 'object') return scalars[schema.type ?? ''] ?? anyValue;
  const shape = shapeOfObject(schema, metadata);
  if (schema['x-kubernetes-map-type'] === 'atomic') return { ...leaf, inside: shape };
  return schema['x-kubernetes-embedded-resource'] === true ? objectWith(shape, metadata) : shape;
}

function shapeOfObject(schema: StructuralSchema, metadata: Shape): ObjectShape {
  const { properties = {}, additionalProperties } = schema;
  const shapes = new Map<string, Shape>();
  const field = (name: string): Shape | undefined => {
    const known = shapes.get(name);
    if (known !== undefined || !Object.hasOwn(properties, name)) return known;
    const made = shapeOf(properties[name] as StructuralSchema, metadata);
    shapes.set(name, made);
    return made;
  };
  const others = isRecord(additionalProperties)
    ? shapeOf(additionalProperties, metadata)
    : additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] === true
      ? anyValue
      : undefined;
  return { kind: 'object', field, ...(others && { others }) };
}

function shapeOfList(schema: StructuralSchema, metadata: Shape): Shape {
  const { items = {} } = schema;
  if (schema['x-kubernetes-list-type'] === 'set') return { kind: 'list', items: shapeOf(items, metadata) };
  if (schema['x-kubernetes-list-type'] !== 'map') {
    return { ...leaf, inside: { kind: 'list', items: shapeOf(items, metadata) } };
  }
  const names = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  const keys = names.map((name): ListKey => {
    const fallback = items.properties?.[name]?.default;
    return { name, ...(fallback !== undefined && { fallback }) };
  });
  return { kind: 'list', keys, items: shapeOf(items, metadata) };
}
