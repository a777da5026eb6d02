// The rules of lists and maps in schemas: sets, maps with keys, and values that are replaced as a whole.
import type { Causes } from '../../schema/causes.js';
import { own } from '../../schema/object.js';
import type { StructuralSchema } from './structuralSchema.js';

const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** Adds a cause for each rule of lists and maps that a node breaks. */
export function listRules(node: StructuralSchema, field: string, causes: Causes): void {
  const listType: string | undefined = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const mapType: string | undefined = node['x-kubernetes-map-type'];
  if (listType !== undefined) {
    requireType(node, 'array', 'x-kubernetes-list-type', field, causes);
    causes.oneOf(`${field}.x-kubernetes-list-type`, listType, listTypes);
  }
  if (mapType !== undefined) {
    requireType(node, 'object', 'x-kubernetes-map-type', field, causes);
    causes.oneOf(`${field}.x-kubernetes-map-type`, mapType, mapTypes);
  }
  if (listType === 'map') requireKeys(node, keys, field, causes);
  else if (keys.length > 0) {
    causes.required(`${field}.x-kubernetes-list-type`, 'must be map if x-kubernetes-list-map-keys is non-empty');
  }
  if (listType === 'set') requireWholeItems(node, field, causes);
}

function requireType(
  { type = '' }: StructuralSchema,
  wanted: string,
  because: string,
  field: string,
  causes: Causes,
): void {
  const why = `must be ${wanted} if ${because} is specified`;
  if (type === '') causes.required(`${field}.type`, why);
  else if (type !== wanted) causes.invalid(`${field}.type`, type, why);
}

/** Requires that the keys of a list are fields of its items that every item has. */
function requireKeys({ items }: StructuralSchema, keys: readonly string[], field: string, causes: Causes): void {
  const at = `${field}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) causes.required(at, 'must not be empty if x-kubernetes-list-type is map');
  if (items === undefined) return;
  const properties = items.properties ?? {};
  if (items.type !== undefined && items.type !== 'object') {
    causes.invalid(`${field}.items.type`, items.type, 'must be object if parent array x-kubernetes-list-type is map');
  }
  if (!keys.every((key) => own(properties, key) !== undefined)) {
    causes.invalid(at, keys, 'entries must all be names of item properties');
  }
  const seen = new Set<string>();
  for (const [index, key] of keys.entries()) {
    if (seen.has(key)) causes.duplicate(`${at}[${index}]`, key);
    seen.add(key);
    const schema = own(properties, key) as StructuralSchema | undefined;
    if (schema === undefined) continue;
    const place = `${field}.items.properties[${key}]`;
    if (schema.type === 'array' || schema.type === 'object') {
      causes.invalid(
        `${place}.type`,
        schema.type,
        'must be a scalar type if parent array x-kubernetes-list-type is map',
      );
    }
    if (schema.default === undefined && items.required?.includes(key) !== true) {
      const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      causes.required(`${place}.default`, why);
    }
  }
}

/** Requires that the items of a set are compared as a whole. */
function requireWholeItems({ items }: StructuralSchema, field: string, causes: Causes): void {
  if (items === undefined) return;
  if (items.nullable === true) {
    causes.forbidden(`${field}.items.nullable`, 'cannot be nullable when x-kubernetes-list-type is set');
  }
  const isObject = items.type === 'object';
  if (isObject && items['x-kubernetes-map-type'] !== 'atomic') {
    const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    causes.invalid(`${field}.items.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, why);
  }
  if (items.type === 'array' && ![undefined, 'atomic'].includes(items['x-kubernetes-list-type'])) {
    const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    causes.invalid(`${field}.items.x-kubernetes-list-type`, items['x-kubernetes-list-type'], why);
  }
}
