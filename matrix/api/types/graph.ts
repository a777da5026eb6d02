// The types of a field table with the functions that read it. A type refers to types of its own table only.
import type { Row, Scalar } from './field.js';

/** The rows of a table: the fields of each type, by name. */
export type Rows<Name extends string> = Readonly<Record<Name, Readonly<Record<string, Row<Scalar | Name>>>>>;

/** A kind: the apiVersion and kind of an object, with its type. */
export interface KindOf<Name extends string> {
  /** The version as in objects: `v1`, `batch/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: Name;
  /** Whether the kind has a list kind, as Pod has PodList. */
  readonly listed: boolean;
}

export interface FieldOf<Name extends string> extends Row<Scalar | Name> {
  /** The name in JSON. */
  readonly name: string;
}

export interface TypeIn<Name extends string> {
  readonly name: string;
  /** The fields in protobuf, without apiVersion and kind of the envelope. `fieldsOf` returns the fields in JSON. */
  readonly fields: readonly FieldOf<Name>[];
  /** Whether JSON objects of this type have an apiVersion and a kind. */
  readonly isKind: boolean;
  /** The only field of a message whose JSON is the value of that field. Such a type has no JSON object. */
  readonly bare?: FieldOf<Name>;
}

/** A table as types that refer to each other by name. */
export interface TypeGraph<Name extends string> {
  readonly types: Readonly<Record<Name, TypeIn<Name>>>;
  typeOf(name: Name): TypeIn<Name>;
  /** Returns the type of a kind's list. Throws for a type without a list. */
  listTypeOf(name: Name): TypeIn<Name>;
  /** Returns the type of a kind; undefined if there is none. List kinds are included: `typeOfKind('v1', 'PodList')`. */
  typeOfKind(apiVersion: string, kind: string): TypeIn<Name> | undefined;
  /** Reports whether a field's type is a type of the table, not a scalar. */
  isTypeName(type: Scalar | Name): type is Name;
  /**
   * Returns the fields of the JSON object: inlined fields are flattened; apiVersion and kind, if present, come first and
   * have the number 0.
   */
  fieldsOf(type: TypeIn<Name>): readonly FieldOf<Name>[];
}

const typeMeta = [
  { name: 'apiVersion', type: 'string', proto: 0 },
  { name: 'kind', type: 'string', proto: 0 },
] as const;

/** Makes the types of a table. `kinds` says which of them are objects of the API. */
export function typeGraph<Name extends string>(table: Rows<Name>, kinds: readonly KindOf<Name>[]): TypeGraph<Name> {
  const kindTypes = new Set<string>(kinds.map(({ type }) => type));
  const types = Object.fromEntries<TypeIn<Name>>(
    Object.entries<Rows<Name>[Name]>(table).map(([name, rows]) => [name, makeType(name, rows, kindTypes.has(name))]),
  ) as Readonly<Record<Name, TypeIn<Name>>>;
  const listTypes = new Map(kinds.filter(({ listed }) => listed).map(({ type }) => [type, listType(type)]));
  const byKind = new Map<string, TypeIn<Name>>();
  const jsonFields = new WeakMap<TypeIn<Name>, readonly FieldOf<Name>[]>();

  const graph: TypeGraph<Name> = {
    types,
    typeOf: (name) => types[name],
    listTypeOf(name) {
      const type = listTypes.get(name);
      if (!type) throw new Error(`${name} has no list`);
      return type;
    },
    typeOfKind: (apiVersion, kind) => byKind.get(`${apiVersion}, ${kind}`),
    isTypeName: (type): type is Name => Object.hasOwn(types, type),
    fieldsOf(type) {
      const known = jsonFields.get(type);
      if (known) return known;
      if (type.bare) throw new Error(`${type.name} is not an object in JSON`);
      const own = type.fields.flatMap((field) =>
        field.inlined && graph.isTypeName(field.type) ? graph.fieldsOf(graph.typeOf(field.type)) : [field],
      );
      const fields = type.isKind ? [...typeMeta, ...own] : own;
      jsonFields.set(type, fields);
      return fields;
    },
  };
  for (const { apiVersion, kind, type, listed } of kinds) {
    byKind.set(`${apiVersion}, ${kind}`, graph.typeOf(type));
    if (listed) byKind.set(`${apiVersion}, ${kind}List`, graph.listTypeOf(type));
  }
  return graph;
}

function makeType<Name extends string>(name: string, rows: Rows<Name>[Name], isKind: boolean): TypeIn<Name> {
  const fields = Object.entries(rows).map(([name, row]): FieldOf<Name> => ({ name, ...row }));
  const bare = fields.find((field) => field.bare);
  return { name, fields, isKind, ...(bare && { bare }) };
}

function listType<Name extends string>(name: Name): TypeIn<Name> {
  const fields = [
    { name: 'metadata', type: 'ListMeta' as Name, proto: 1 },
    { name: 'items', type: name, shape: 'list', required: true, proto: 2 },
  ] as const;
  return { name: `${name}List`, fields, isKind: true };
}
