// What differs between the schemas of OpenAPI 2 and of OpenAPI 3: references, and values of two types.

export type DocumentNode = Readonly<Record<string, unknown>>;

/** A version of OpenAPI. */
export interface Dialect {
  /** The part of a reference before the name of the definition. */
  readonly references: string;
  /** Whether a reference may have no other field beside it, so that it is wrapped if it has one. */
  readonly wrapsReferences: boolean;
  readonly intOrString: DocumentNode;
  readonly quantity: DocumentNode;
  /** Returns the schema of a custom resource in this version; undefined for an object of any fields. */
  schema(own: DocumentNode): DocumentNode | undefined;
}

/** OpenAPI 2.0, which has no `oneOf`. */
export const dialectV2: Dialect = {
  references: '#/definitions/',
  wrapsReferences: false,
  intOrString: { type: 'string', format: 'int-or-string' },
  quantity: { type: 'string' },
  schema: (own) => (own[preserves] === true ? undefined : inV2(own)),
};

/** OpenAPI 3.0. */
export const dialectV3: Dialect = {
  references: '#/components/schemas/',
  wrapsReferences: true,
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  schema: (own) => own,
};

/** The fields of a schema that OpenAPI 2 does not have. */
const onlyInV3 = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable']);

const preserves = 'x-kubernetes-preserve-unknown-fields';

/**
 * Returns a schema without what OpenAPI 2 does not have. A value that may be null, of two types, or have unknown fields
 * is of any type: clients that take a schema at its word would drop the fields that it does not name.
 */
function inV2(schema: DocumentNode): DocumentNode {
  const { type, ...others } = schema;
  const isOpen = ['nullable', 'x-kubernetes-int-or-string', preserves].some((name) => schema[name] === true);
  const result: Record<string, unknown> = isOpen || type === undefined ? {} : { type };
  for (const [name, value] of Object.entries(others)) {
    if (onlyInV3.has(name)) continue;
    if (isOpen && ['properties', 'items', 'additionalProperties', 'required'].includes(name)) continue;
    if (name === 'properties') result[name] = mapped(value as Readonly<Record<string, DocumentNode>>);
    else if (name === 'items' || (name === 'additionalProperties' && typeof value === 'object')) {
      result[name] = inV2(value as DocumentNode);
    } else result[name] = value;
  }
  return result;
}

const mapped = (properties: Readonly<Record<string, DocumentNode>>): DocumentNode =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inV2(property)]));

/** Returns the entries of a record in the order of their names, as an object. */
export function sorted(entries: Iterable<readonly [string, unknown]>): DocumentNode {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
}
