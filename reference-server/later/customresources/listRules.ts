// The rules of lists and maps in schemas: sets, maps with keys, and values that are replaced as a whole.
import type { Causes } from '../../schema/causes.js';
import { isRecord, own } from '../../schema/object.js';
import type { StructuralSchema } from './structuralSchema.js';

const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** Adds a cause for each rule of lists and maps that a node breaks. */
export function listRules(node: StructuralSchema, field: string, causes: Causes): void {
  const listType: string | undefined = node['x-kubernetes-list-type'];
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const mapType: string | undefined = node['x-kubernetes-map-type'];
  if (mapType !== undefined) {
    requireType(node, 'object', 'x-kubernetes-map-type', field, causes);
    causes.oneOf(`${field}.x-kubernetes-map-type`, mapType, mapTypes);
  }
  if (listType !== undefined) {
    requireType(node, 'array', 'x-kubernetes-list-type', field, causes);
    if (node.type === 'array' && listType === 'set') requireWholeItems(node, field, causes);
    causes.oneOf(`${field}.x-kubernetes-list-type`, listType, listTypes);
  }
  if (listType === 'map') requireKeys(node, keys, field, causes);
  else if (keys.length > 0) {
    const why = 'must be map if x-kubernetes-list-map-keys is non-empty';
    if (listType === undefined) causes.required(`${field}.x-kubernetes-list-type`, why);
    else causes.invalid(`${field}.x-kubernetes-list-type`, listType, why);
  }
  if (listType === 'map' || listType === 'set') requirePresent(node, keys, field, causes);
}

/** The schema of the items of a list. A list of schemas is refused elsewhere. */
const itemsOf = ({ items }: StructuralSchema): StructuralSchema | undefined => (isRecord(items) ? items : undefined);

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

/** Requires that the keys of a list are different fields of its items. */
function requireKeys(node: StructuralSchema, keys: readonly string[], field: string, causes: Causes): void {
  const at = `${field}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) causes.required(at, 'must not be empty if x-kubernetes-list-type is map');
  if (node.items === undefined) {
    causes.required(`${field}.items`, 'must have a schema if x-kubernetes-list-type is map');
  }
  const items = itemsOf(node);
  if (items === undefined) return;
  const { type = '', properties = {} } = items;
  if (type !== 'object') {
    causes.invalid(`${field}.items.type`, type, "must be object if parent array's x-kubernetes-list-type is map");
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const schema = own(properties, key) as StructuralSchema | undefined;
    if (schema === undefined) causes.invalid(at, keys, 'entries must all be names of item properties');
    else if (schema.type === 'array' || schema.type === 'object') {
      const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      // Real servers show the type of the items.
      causes.invalid(`${field}.items.properties[${key}].type`, type, why);
    }
    if (seen.has(key)) causes.invalid(at, keys, 'must not contain duplicate entries');
    seen.add(key);
  }
}

/** Requires that neither the items of a list nor their keys may be absent or null. */
function requirePresent(node: StructuralSchema, keys: readonly string[], field: string, causes: Causes): void {
  const items = itemsOf(node);
  if (items === undefined) return;
  const listType = node['x-kubernetes-list-type'];
  if (items.nullable === true) {
    causes.forbidden(`${field}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
  if (listType !== 'map') return;
  const why = 'this property is in x-kubernetes-list-map-keys, so it';
  for (const key of keys) {
    const schema = own(items.properties ?? {}, key) as StructuralSchema | undefined;
    if (schema === undefined) continue;
    const place = `${field}.items.properties[${key}]`;
    if (schema.default === undefined && items.required?.includes(key) !== true) {
      causes.required(`${place}.default`, `${why} must have a default or be a required property`);
    }
    if (schema.nullable === true) causes.forbidden(`${place}.nullable`, `${why} cannot be nullable`);
  }
}

/** Requires that the items of a set are compared as a whole. */
function requireWholeItems(node: StructuralSchema, field: string, causes: Causes): void {
  const items = itemsOf(node);
  if (items === undefined) return;
  const listType = items['x-kubernetes-list-type'];
  const why = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // Real servers show the type of a list.
    causes.invalid(`${field}.items.x-kubernetes-map-type`, listType ?? null, why);
  }
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    causes.invalid(`${field}.items.x-kubernetes-list-type`, listType, why);
  }
}
