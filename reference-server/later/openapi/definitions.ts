// The definitions of a document: the schemas of the kinds that its operations name, and of all types within them.
import type { GroupVersion } from '../../../matrix/api/index.js';
import { type Field, fieldsOf, type Kind, type Scalar, type Type } from '../../../matrix/api/modern/index.js';
import { isAtomicType, type Ownership, ownershipOf } from '../../../matrix/api/modern/listTypes.js';
import type { GroupVersionKind } from '../../codecs/codec.js';
import { fieldsOfType, kindFields, typeDescriptions } from './descriptions.js';
import { type Dialect, type DocumentNode, sorted } from './dialect.js';
import { metaPackage, packageOf, splitApiVersion } from './names.js';

/** The field table that definitions are made from. */
export interface TypeTable {
  readonly types: Readonly<Record<string, Type>>;
  readonly kinds: readonly Kind[];
  /** The names of the types that belong to no group. */
  readonly shared: ReadonlySet<string>;
  listTypeOf(name: Kind['type']): Type;
  /** The schemas of kinds that are not in the table, by apiVersion and kind, without their metadata. */
  readonly schemas?: ReadonlyMap<string, DocumentNode>;
  /** Whether the definitions say which lists and objects have one owner, for server-side apply. */
  readonly showsOwners: boolean;
  /** Reports whether a field is hidden, because the server lacks its feature. */
  isHidden(type: string, field: string): boolean;
}

type Schema = DocumentNode;

/** The definitions that are not types of the field table. */
const extra = (dialect: Dialect): Readonly<Record<string, Schema>> => ({
  [`${metaPackage}.Time`]: { type: 'string', format: 'date-time' },
  [`${metaPackage}.MicroTime`]: { type: 'string', format: 'date-time' },
  [`${metaPackage}.Patch`]: { type: 'object' },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': dialect.quantity,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': dialect.intOrString,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object' },
  'io.k8s.apimachinery.pkg.version.Info': {
    type: 'object',
    required: infoFields,
    properties: Object.fromEntries([...infoFields].sort().map((name) => [name, { type: 'string' }])),
  },
});

const infoFields = [
  'major',
  'minor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
];

/** The scalars without a definition, and the definitions of the others. */
const scalars: Readonly<Record<Scalar, Schema | string>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', format: 'byte' },
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: `${metaPackage}.Time`,
  microTime: `${metaPackage}.MicroTime`,
  raw: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  number: { type: 'number', format: 'double' },
};

/** Collects the definitions of one document. */
export class Definitions {
  readonly #schemas = new Map<string, Schema>();
  readonly #core: ReadonlySet<string>;
  readonly #extra: Readonly<Record<string, Schema>>;

  /** `served` are the group versions whose watches send WatchEvents. */
  constructor(
    readonly table: TypeTable,
    readonly dialect: Dialect,
    readonly served: readonly GroupVersion[],
  ) {
    this.#core = coreTypes(table);
    this.#extra = extra(dialect);
  }

  /** The definitions so far, by name. */
  get all(): DocumentNode {
    return sorted(this.#schemas);
  }

  /** Returns a reference to a kind, and adds its definition and those within it. An unknown kind is any object. */
  kind({ apiVersion, kind }: GroupVersionKind): Schema {
    const home = packageOf(splitApiVersion(apiVersion));
    const made = this.#made(apiVersion, kind, home);
    if (made !== undefined) return made;
    const found = this.table.kinds.find((row) => row.apiVersion === apiVersion && row.kind === kind);
    if (found !== undefined) return this.#type(found.type, home);
    const item = this.table.kinds.find((row) => row.apiVersion === apiVersion && `${row.kind}List` === kind);
    const name = `${home}.${kind}`;
    if (!this.#schemas.has(name)) {
      const gvk = { 'x-kubernetes-group-version-kind': [{ ...splitApiVersion(apiVersion), kind }] };
      // A list has a reference to its items only, so it needs no place in the map before.
      const fields = item?.listed === true ? this.#object(this.table.listTypeOf(item.type), home) : { type: 'object' };
      this.#schemas.set(name, { ...fields, ...gvk });
    }
    return this.#reference(name);
  }

  /** Reports whether a kind is not in the table. */
  isMade({ apiVersion, kind }: GroupVersionKind): boolean {
    return this.table.schemas?.has(`${apiVersion}/${kind}`) === true;
  }

  /** Returns a reference to a kind that is not in the table, or to its list. */
  #made(apiVersion: string, kind: string, home: string): Schema | undefined {
    const schemas = this.table.schemas;
    const name = `${home}.${kind}`;
    const item = schemas?.get(`${apiVersion}/${kind.replace(/List$/, '')}`);
    const own = schemas?.get(`${apiVersion}/${kind}`);
    if (own === undefined && item === undefined) return undefined;
    if (this.#schemas.has(name)) return this.#reference(name);
    const gvk = { 'x-kubernetes-group-version-kind': [{ ...splitApiVersion(apiVersion), kind }] };
    this.#schemas.set(name, {});
    const schema =
      own === undefined
        ? this.#madeList(this.kind({ apiVersion, kind: kind.replace(/List$/, '') }))
        : this.#madeObject(own);
    this.#schemas.set(name, { ...schema, ...gvk });
    return this.#reference(name);
  }

  #madeObject(own: Schema): Schema {
    const said = this.dialect.schema(own);
    if (said === undefined) return { type: 'object' };
    const { properties, ...schema } = said;
    const metadata = this.#metadata('ObjectMeta');
    return { ...schema, type: 'object', properties: { ...typeMeta, metadata, ...(properties as object) } };
  }

  #madeList(item: Schema): Schema {
    const properties = { ...typeMeta, items: { type: 'array', items: item }, metadata: this.#metadata('ListMeta') };
    return { type: 'object', required: ['items'], properties };
  }

  /** Returns the property of a kind that is not in the table. */
  #metadata(name: 'ListMeta' | 'ObjectMeta'): Schema {
    const reference = this.shared(name);
    return { ...(this.dialect.wrapsReferences ? { allOf: [reference] } : reference), description: fieldsOfType[name] };
  }

  /** Returns a reference to a shared type, such as Status, and adds its definition. */
  shared(name: string): Schema {
    return this.#type(name, metaPackage);
  }

  /** Returns a reference to a definition that is not in the field table. Throws for an unknown name. */
  named(name: string): Schema {
    const schema = this.#extra[name];
    if (schema === undefined) throw new Error(`there is no definition ${name}`);
    this.#schemas.set(name, schema);
    return this.#reference(name);
  }

  #reference(name: string): Schema {
    return { $ref: this.dialect.references + name };
  }

  /** Returns the schema of a type as code in a package refers to it. */
  #type(name: string, from: string): Schema {
    const type = this.#row(name);
    if (type.bare !== undefined) return this.#shaped(type.bare, from);
    const home = this.table.shared.has(name) ? metaPackage : this.#core.has(name) ? corePackage : from;
    // The package of a type such as `extensions.Scale` is that of its kind.
    const full = `${home}.${name.slice(name.lastIndexOf('.') + 1)}`;
    if (!this.#schemas.has(full)) {
      // Types may contain each other.
      this.#schemas.set(full, {});
      const kinds = this.#kindsOf(name, home);
      const gvk = kinds.length > 0 ? { 'x-kubernetes-group-version-kind': kinds } : {};
      this.#schemas.set(full, { ...this.#object(type, home), ...gvk });
    }
    return this.#reference(full);
  }

  #row(name: string): Type {
    const type = this.table.types[name];
    if (type === undefined) throw new Error(`${name} is not in the field table`);
    return type;
  }

  #kindsOf(name: string, home: string): DocumentNode[] {
    const of = this.table.kinds.filter((row) => row.type === name);
    const places = name === 'WatchEvent' ? this.served.map(({ group, version }) => ({ group, version })) : [];
    const gvks = of.map((row) => ({ ...splitApiVersion(row.apiVersion), kind: row.kind }));
    return [
      ...gvks.filter((gvk) => home === metaPackage || packageOf(gvk) === home),
      ...places.map((place) => ({ ...place, kind: name })),
    ].map(({ group, kind, version }) => ({ group, kind, version }));
  }

  #object(type: Type, home: string): Schema {
    const fields = fieldsOf(type).filter((field) => !this.table.isHidden(type.name, field.name));
    const required = fields.filter((field) => field.required === true).map(({ name }) => name);
    const description = typeDescriptions[type.name]?.type;
    return {
      ...(description !== undefined && { description }),
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: sorted(fields.map((field) => [field.name, this.#property(type, field, home)])),
      ...(this.table.showsOwners && isAtomicType(type.name) && { 'x-kubernetes-map-type': 'atomic' }),
    };
  }

  #property(type: Type, field: Field, from: string): Schema {
    const value = this.#shaped(field, from, isAnything(type, field));
    const isShown = this.table.showsOwners || (field.shape === 'list' && field.strategy?.includes('merge') === true);
    const description = descriptionOf(type, field);
    const more = {
      ...(description !== undefined && { description }),
      ...(isShown && ownersOf(type, field)),
      ...patchOf(field),
    };
    const isWrapped = this.dialect.wrapsReferences && '$ref' in value && Object.keys(more).length > 0;
    return isWrapped ? { allOf: [value], ...more } : { ...value, ...more };
  }

  #shaped(field: Field, from: string, isAny = false): Schema {
    const value = isAny ? {} : this.#value(field.type, from);
    if (field.shape === 'list') return { type: 'array', items: value };
    return field.shape === 'map' ? { type: 'object', additionalProperties: value } : value;
  }

  #value(type: string, from: string): Schema {
    if (!Object.hasOwn(scalars, type)) return this.#type(type, from);
    const scalar = scalars[type as Scalar];
    return typeof scalar === 'string' ? this.named(scalar) : scalar;
  }
}

const typeMeta = Object.fromEntries(
  Object.entries(kindFields).map(([name, description]) => [name, { type: 'string', description }]),
);

/** Only the fields that all objects have are described. */
const descriptionOf = ({ name, isKind }: Type, field: Field): string | undefined =>
  typeDescriptions[name]?.fields[field.name] ??
  fieldsOfType[field.type] ??
  (isKind ? kindFields[field.name] : undefined);

const corePackage = packageOf({ group: '', version: 'v1' });

/** The types that the kinds of the core group contain: other groups refer to these as types of the core group. */
function coreTypes({ kinds, types, shared }: TypeTable): ReadonlySet<string> {
  const found = new Set<string>();
  const left: string[] = kinds.filter(({ apiVersion }) => apiVersion === 'v1').map(({ type }) => type);
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const type = types[name];
    if (type === undefined || found.has(name) || shared.has(name)) continue;
    found.add(name);
    left.push(...type.fields.map((field) => field.type));
  }
  return found;
}

/**
 * Reports whether a field has values of any type: the default in the schema of a custom resource, or a schema or `true`.
 * OpenAPI 2 has no schema for values of two types.
 */
const isAnything = ({ name }: Type, { type, or }: Field): boolean =>
  or !== undefined || (type === 'raw' && name.startsWith('apiextensions.'));

function patchOf({ mergeKey, strategy }: Field): Schema {
  return {
    ...(mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': mergeKey }),
    ...(strategy !== undefined && { 'x-kubernetes-patch-strategy': strategy }),
  };
}

/** The kind of a list or map, by the owners of its parts. */
function ownersOf(type: Type, field: Field): Schema {
  const ownership = ownershipOf(type, field);
  if (field.shape !== 'list') return mapTypeOf(field, ownership);
  if (ownership === 'atomic' || ownership === 'set') return { 'x-kubernetes-list-type': ownership };
  if (ownership === 'granular') return {};
  return { 'x-kubernetes-list-map-keys': ownership.map(({ name }) => name), 'x-kubernetes-list-type': 'map' };
}

/** An object says how its own type differs; the definition of the type says the rest. */
function mapTypeOf({ type, shape }: Field, ownership: Ownership): Schema {
  const usual = shape === undefined && isAtomicType(type) ? 'atomic' : 'granular';
  return ownership === usual ? {} : { 'x-kubernetes-map-type': ownership };
}
