// What a server publishes of itself: its version, and in its OpenAPI the parameters and fields that it knows.
import type { Listing, MinorVersion } from '../../../matrix/requirements/index.js';
import type { Client } from '../client.js';
import { at, isObject } from '../json.js';

/** Major and minor version of what `/version` says, such as `v1.20.2+k3s1`; undefined where that is no version. */
export function minorOf(gitVersion: string | undefined): readonly [number, number] | undefined {
  const [, major, minor] = /^v?(\d{1,4})\.(\d{1,4})(\.|$)/.exec(gitVersion ?? '') ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
}

/** Whether a version is that one, or a later one. */
export function isAtLeast([major, minor]: readonly [number, number], other: MinorVersion): boolean {
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major > otherMajor || (major === otherMajor && minor >= otherMinor);
}

/** Where servers publish it, the newest first; of the oldest form, the core group. */
const places = ['/openapi/v2', '/swagger.json', '/swaggerapi/api/v1'];

/** The OpenAPI of a target; undefined where it publishes none. Rejects with NoAnswer. */
export async function readOpenApi(client: Client): Promise<unknown> {
  for (const path of places) {
    const reply = await client.send({ method: 'GET', path, headers: { accept: 'application/json' } });
    const document = reply.status === 200 ? reply.tryValue() : undefined;
    if (isObject(document)) return document;
  }
  return undefined;
}

/** Whether an OpenAPI lists a parameter or a field. */
export function lists(document: unknown, listing: Listing): boolean {
  if ('parameter' in listing) return hasParameter(document, listing.parameter);
  const definitions = at(document, 'definitions') ?? at(document, 'models');
  if (!isObject(definitions)) return false;
  const named = Object.entries(definitions).filter(([name]) => name.split('.').at(-1) === listing.definition);
  return named.some(([, definition]) => at(definition, 'properties', listing.field) !== undefined);
}

/** Whether a query parameter of that name stands anywhere: with its operation, or among those that operations share. */
function hasParameter(value: unknown, name: string): boolean {
  const left: unknown[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (isObject(next) && next.name === name && (next.in === 'query' || next.paramType === 'query')) return true;
    if (Array.isArray(next)) left.push(...next);
    else if (isObject(next)) left.push(...Object.values(next));
  }
  return false;
}
