// Writes to an object and its subresources, tried again where a controller of the target was faster.
import { type MediaType, mediaTypes } from '../../matrix/api/index.js';
import type { Json, JsonObject } from './json.js';
import type { Reply } from './reply.js';
import { conflicts, type Made, type Scope } from './scope.js';

/** Sends a body of the media type; JSON where none is given. */
export function sendBody(
  { client }: Scope,
  method: string,
  path: string,
  body: Json,
  mediaType: MediaType = 'json',
): Promise<Reply> {
  const headers = { 'content-type': mediaTypes[mediaType] };
  return client.send({ method, path, headers, body: JSON.stringify(body) });
}

/**
 * Puts a change of the object as it is now to one of its paths. What lost against a controller (409) is tried again,
 * as clients do; the last answer is returned, whatever it is.
 */
export async function putChanged(
  scope: Scope,
  made: Made,
  path: string,
  change: (object: JsonObject) => JsonObject,
): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await sendBody(scope, 'PUT', path, change((await scope.current(made)) ?? made.object));
    if (reply.status !== 409 || attempt === conflicts) return reply;
  }
}

/** A change of some fields at the top of an object's parts, as a patch of that type: `{ spec: { replicas: 2 } }`. */
export function patchOf(mediaType: MediaType, change: Readonly<Record<string, JsonObject>>): Json {
  if (mediaType !== 'jsonPatch') return change;
  return Object.entries(change).flatMap(([part, fields]) =>
    Object.entries(fields).map(([key, value]) => ({ op: 'add', path: `/${part}/${key}`, value: value ?? null })),
  );
}
