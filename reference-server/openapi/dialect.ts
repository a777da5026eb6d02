// What differs between the schemas of OpenAPI 2 and of OpenAPI 3: references, and values of two types.

/** A JSON object of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** A version of OpenAPI. */
export interface Dialect {
  /** The part of a reference before the name of the definition. */
  readonly references: string;
  /** Whether a reference may have no other field beside it, so that it is wrapped if it has one. */
  readonly wrapsReferences: boolean;
  readonly intOrString: Json;
  readonly quantity: Json;
}

/** OpenAPI 2.0, which has no `oneOf`. */
export const dialectV2: Dialect = {
  references: '#/definitions/',
  wrapsReferences: false,
  intOrString: { type: 'string', format: 'int-or-string' },
  quantity: { type: 'string' },
};

/** OpenAPI 3.0. */
export const dialectV3: Dialect = {
  references: '#/components/schemas/',
  wrapsReferences: true,
  intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
};

/** Returns the entries of a record in the order of their names, as an object. */
export function sorted(entries: Iterable<readonly [string, unknown]>): Json {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
}
