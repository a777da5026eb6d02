// The OpenAPI document of the control port, from the table of its requests.
import type { Fields, Route } from './routes.js';

const json = (schema: object) => ({ 'application/json': { schema } });
const yaml = { 'application/yaml': { schema: { type: 'string' } } };
const propertiesOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));

/** A list of objects, or one object of any form. */
const anyObject = { type: 'object', additionalProperties: true };
const listOf = (name: string) => ({ type: 'object', properties: { [name]: { type: 'array', items: anyObject } } });

function schemaOf(returns: Route['returns']): object {
  if (returns === 'object') return anyObject;
  if (returns === 'objects') return listOf('items');
  if (returns === 'requests') return listOf('requests');
  return { type: 'object', properties: propertiesOf(returns) };
}

function operationOf({ method, path, summary, takes, query = {}, returns }: Route): object {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const parameter = (where: string, name: string | undefined, type: string) => ({
    ...{ name, in: where, required: where === 'path', schema: { type } },
  });
  const body =
    takes === 'objects'
      ? { oneOf: [anyObject, { type: 'array', items: anyObject }] }
      : takes && { type: 'object', properties: propertiesOf(takes), additionalProperties: false };
  return {
    summary,
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/{}]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    parameters: [
      ...places.map((name) => parameter('path', name, 'string')),
      ...Object.entries(query).map(([name, type]) => parameter('query', name, type)),
    ],
    ...(body && { requestBody: { content: { ...json(body), ...(takes === 'objects' && yaml) } } }),
    responses: {
      200: { description: 'done', content: json(schemaOf(returns)) },
      default: {
        description: 'not done',
        content: json({ type: 'object', properties: { error: { type: 'string' } } }),
      },
    },
  };
}

/** Returns the document of a port with these requests, OpenAPI 3.0. */
export function documentOf(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route);
    paths[route.path] = operations;
  }
  return {
    openapi: '3.0.3',
    info: { title: 'The control port of a test server', version: '1' },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths,
  };
}
