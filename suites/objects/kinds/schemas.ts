// Schemas of an OpenAPI document, with their references followed.
import { at, isObject, type JsonObject } from '../../client/json.js';

export type OpenApiSchema = JsonObject;

/** A schema and the document that its references point into. */
export interface Located {
  readonly schema: OpenApiSchema;
  readonly document: JsonObject;
}

/** The longest chain of references that is followed: a schema may refer to itself. */
const longest = 20;

/** What is left of an effort that a document of the target could double with each of its schemas. */
export interface Effort {
  left: number;
}

/** The number of schemas that are joined for one. */
const mostParts = 200;

/** Returns a schema without a reference at its top, and with the members of its `allOf` joined. */
export function resolveReference({ schema, document }: Located, effort: Effort = { left: mostParts }): OpenApiSchema {
  let here = schema;
  for (let step = 0; typeof here.$ref === 'string' && step < longest; step += 1) {
    const { $ref: reference, ...beside } = here as OpenApiSchema & { readonly $ref: string };
    here = { ...target(document, reference), ...beside };
  }
  const { allOf, ...own } = here;
  if (!Array.isArray(allOf)) return here;
  const parts: OpenApiSchema[] = [];
  for (const part of allOf.filter(isObject)) {
    effort.left -= 1;
    if (effort.left < 0) break;
    parts.push(resolveReference({ schema: part, document }, effort));
  }
  return [...parts, own].reduce(joined, {});
}

function target(document: JsonObject, reference: string): OpenApiSchema {
  const steps = reference.startsWith('#/') ? reference.slice(2).split('/') : [];
  const found = at(document, ...steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')));
  return isObject(found) ? found : {};
}

function joined(one: OpenApiSchema, other: OpenApiSchema): OpenApiSchema {
  const properties = { ...objectOf(one.properties), ...objectOf(other.properties) };
  const required = [...listOf(one.required), ...listOf(other.required)];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns a value if it is an object; an empty one otherwise. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the texts of a list; empty if it is none. */
export const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];

/** Returns the schema of a property; undefined if the schema has none of that name. */
export function propertyOf({ schema, document }: Located, name: string): Located | undefined {
  const { properties, additionalProperties } = resolveReference({ schema, document });
  const found = objectOf(properties)[name];
  if (isObject(found)) return { schema: found, document };
  return isObject(additionalProperties) ? { schema: additionalProperties, document } : undefined;
}

/** Returns the schema of the items of a list; undefined if there is none. */
export function itemOf({ schema, document }: Located): Located | undefined {
  const { items } = resolveReference({ schema, document });
  return isObject(items) ? { schema: items, document } : undefined;
}
