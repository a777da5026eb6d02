// The field table: every field of every type that the kinds need, as protobuf messages and as JSON objects.
import type { Scalar } from './field.js';
import { type Kind, kinds } from './kinds.js';
import { type Field, type TypeName, table } from './table.js';

export type { Scalar } from './field.js';
export { type Kind, kinds } from './kinds.js';
export { type Field, sharedTypes, type TypeName } from './table.js';

export interface Type {
  readonly name: string;
  /** The fields in protobuf, without apiVersion and kind of the envelope. `fieldsOf` returns the fields in JSON. */
  readonly fields: readonly Field[];
  /** Whether JSON objects of this type have an apiVersion and a kind. */
  readonly isKind: boolean;
  /** The only field of a message whose JSON is the value of that field. Such a type has no JSON object. */
  readonly bare?: Field;
}

const kindTypes = new Set<string>(kinds.map(({ type }) => type));

export const types = Object.fromEntries<Type>(
  Object.entries(table).map(([name, rows]) => [name, makeType(name, rows)]),
) as Readonly<Record<TypeName, Type>>;

const listTypes = new Map(kinds.filter(({ listed }) => listed).map(({ type }) => [type, makeListType(type)]));

const byKind = new Map<string, Type>(kinds.flatMap(entriesOf));

export function typeOf(name: TypeName): Type {
  return types[name];
}

export function listTypeOf(kindTypeName: TypeName): Type {
  const type = listTypes.get(kindTypeName);
  if (!type) throw new Error(`${kindTypeName} has no list`);
  return type;
}

/** Returns the type of a kind; undefined if there is none. List kinds are included: `typeOfKind('v1', 'PodList')`. */
export function typeOfKind(apiVersion: string, kind: string): Type | undefined {
  return byKind.get(`${apiVersion}, ${kind}`);
}

/** Reports whether a field's type is a type of the table, not a scalar. */
export function isTypeName(type: Scalar | TypeName): type is TypeName {
  return Object.hasOwn(types, type);
}

const typeMeta: readonly Field[] = [
  { name: 'apiVersion', type: 'string', proto: 0 },
  { name: 'kind', type: 'string', proto: 0 },
];

const jsonFields = new WeakMap<Type, readonly Field[]>();

/**
 * Returns the fields of the JSON object: inlined fields are flattened; apiVersion and kind, if present, come first and
 * have the number 0.
 */
export function fieldsOf(type: Type): readonly Field[] {
  const known = jsonFields.get(type);
  if (known) return known;
  if (type.bare) throw new Error(`${type.name} is not an object in JSON`);
  const own = type.fields.flatMap((field) =>
    field.inlined && isTypeName(field.type) ? fieldsOf(typeOf(field.type)) : [field],
  );
  const fields = type.isKind ? [...typeMeta, ...own] : own;
  jsonFields.set(type, fields);
  return fields;
}

function makeType(name: string, rows: (typeof table)[TypeName]): Type {
  const fields = Object.entries(rows).map(([name, row]): Field => ({ name, ...row }));
  const bare = fields.find((field) => field.bare);
  return { name, fields, isKind: kindTypes.has(name), ...(bare && { bare }) };
}

function makeListType(name: TypeName): Type {
  const fields: readonly Field[] = [
    { name: 'metadata', type: 'ListMeta', proto: 1 },
    { name: 'items', type: name, shape: 'list', required: true, proto: 2 },
  ];
  return { name: `${name}List`, fields, isKind: true };
}

function entriesOf({ apiVersion, kind, type, listed }: Kind): [string, Type][] {
  const own: [string, Type] = [`${apiVersion}, ${kind}`, typeOf(type)];
  return listed ? [own, [`${apiVersion}, ${kind}List`, listTypeOf(type)]] : [own];
}
