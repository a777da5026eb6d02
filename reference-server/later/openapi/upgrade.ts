// Writes a document of OpenAPI 2 as one of OpenAPI 3, for the servers that have only the former.
import { isRecord } from '../../schema/object.js';
import type { DocumentNode } from './dialect.js';
import { mapped } from './merge.js';

/** Returns the document. `version` is that in its info. Throws if the parts are not those of OpenAPI 2. */
export function upgraded({ paths, definitions }: DocumentNode, version: string): DocumentNode {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version },
    paths: eachOf(paths, (item) =>
      Object.fromEntries(
        Object.entries(item).map(([name, value]) => [
          name,
          name === 'parameters' ? listOf(value).map(parameter) : isRecord(value) ? operation(value) : value,
        ]),
      ),
    ),
    components: { schemas: referring(definitions) },
  };
}

const listOf = (value: unknown): readonly DocumentNode[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const eachOf = (value: unknown, change: (inner: DocumentNode) => DocumentNode): DocumentNode =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([key, inner]) =>
      isRecord(inner) ? [[key, change(inner)]] : [],
    ),
  );

/** Returns a value that refers to the schemas of OpenAPI 3. */
const referring = (value: unknown): unknown =>
  mapped(value, ({ $ref: reference }) =>
    typeof reference === 'string' ? { $ref: reference.replace('#/definitions/', '#/components/schemas/') } : undefined,
  );

function parameter({ name, in: where, description, required, ...schema }: DocumentNode): DocumentNode {
  return {
    name,
    in: where,
    ...(description !== undefined && { description }),
    ...(required === true && { required }),
    schema,
  };
}

const usualTypes = ['application/json'];

function operation({ consumes, produces, schemes: _, parameters, responses, ...others }: DocumentNode): DocumentNode {
  const content = (schema: unknown, types: unknown) =>
    Object.fromEntries(
      (Array.isArray(types) && types.length > 0 ? types : usualTypes).map((type) => [
        type,
        { schema: referring(schema) },
      ]),
    );
  const all = listOf(parameters);
  const body = all.find(({ in: where }) => where === 'body');
  const left = all.filter((each) => each !== body);
  return {
    ...others,
    ...(left.length > 0 && { parameters: left.map(parameter) }),
    ...(body !== undefined && {
      requestBody: {
        content: content(body.schema, isAny(consumes) ? undefined : consumes),
        ...(body.required === true && { required: true }),
      },
    }),
    responses: eachOf(responses, ({ description, schema }) => ({
      description,
      ...(schema !== undefined && { content: content(schema, produces) }),
    })),
  };
}

const isAny = (types: unknown): boolean => Array.isArray(types) && types.includes('*/*');
