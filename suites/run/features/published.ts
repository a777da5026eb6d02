// The version of a server, and the parameters and fields in its OpenAPI.

import type { Client } from '../../client/client.js';
import { at, isObject } from '../../client/json.js';
import type { Listing, MinorVersion } from '../../requirements/index.js';

/** Returns the major and minor version of a `/version` such as `v1.20.2+k3s1`; undefined if it is not a version. */
export function minorOf(gitVersion: string | undefined): readonly [number, number] | undefined {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})(\.|$)/.exec(gitVersion ?? '') ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
}

/** Reports whether a version is equal to another version, or later. */
export function isAtLeast([major, minor]: readonly [number, number], other: MinorVersion): boolean {
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major > otherMajor || (major === otherMajor && minor >= otherMinor);
}

/** The paths of the OpenAPI, the newest first. The oldest path has only the core group. */
const places = ['/openapi/v2', '/swagger.json', '/swaggerapi/api/v1'];

/** Returns the OpenAPI of a target; undefined if the target publishes none. Rejects with NoAnswer. */
export async function readOpenApi(client: Client): Promise<unknown> {
  for (const path of places) {
    const reply = await client.send({ method: 'GET', path, headers: { accept: 'application/json' } });
    const document = reply.status === 200 ? reply.tryValue() : undefined;
    if (isObject(document)) return document;
  }
  return undefined;
}

/** Reports whether an OpenAPI lists a parameter or a field. */
export function documentLists(document: unknown, listing: Listing): boolean {
  if ('parameter' in listing) return hasParameter(document, listing.parameter);
  const definitions = at(document, 'definitions') ?? at(document, 'models');
  if (!isObject(definitions)) return false;
  const named = Object.entries(definitions).filter(([name]) => name.split('.').at(-1) === listing.definition);
  return named.some(([, definition]) => at(definition, 'properties', listing.field) !== undefined);
}

/** Reports whether an OpenAPI has a query parameter of that name, in an operation or among the shared parameters. */
function hasParameter(value: unknown, name: string): boolean {
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (isObject(next) && next.name === name && (next.in === 'query' || next.paramType === 'query')) return true;
    if (Array.isArray(next)) left.push(...next);
    else if (isObject(next)) left.push(...Object.values(next));
  }
  return false;
}
