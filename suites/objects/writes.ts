// Writes to an object and its subresources, with retries after a conflict with a controller.
import { type MediaType, mediaTypes } from '../../matrix/api/index.js';
import { isObject, type Json, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { type CreatedObject, conflicts, type Sandbox } from './sandbox.js';

/** Sends a body of the media type; JSON when absent. */
export function sendBody(
  { client }: Sandbox,
  method: string,
  path: string,
  body: Json,
  mediaType: MediaType = 'json',
): Promise<Reply> {
  const headers = { 'content-type': mediaTypes[mediaType] };
  return client.send({ method, path, headers, body: JSON.stringify(body) });
}

/**
 * Puts a change of the current object to one of its paths. Retries after a conflict (409), as clients do. Returns the
 * last response.
 */
export async function putChanged(
  sandbox: Sandbox,
  made: CreatedObject,
  path: string,
  change: (object: JsonObject) => JsonObject,
): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await sendBody(sandbox, 'PUT', path, change((await sandbox.current(made)) ?? made.object));
    if (reply.status !== 409 || attempt === conflicts) return reply;
  }
}

/**
 * Returns a change of some fields of an object's parts as a patch of that type: `{ spec: { replicas: 2 } }`. `current`:
 * the object, if it may lack such a part, to which a JSON patch cannot add fields.
 */
export function patchOf(
  mediaType: MediaType,
  change: Readonly<Record<string, JsonObject>>,
  current?: JsonObject,
): Json {
  if (mediaType !== 'jsonPatch') return change;
  return Object.entries(change).flatMap(([part, fields]): Json[] => {
    if (current !== undefined && !isObject(current[part])) return [{ op: 'add', path: `/${part}`, value: fields }];
    return Object.entries(fields).map(([key, value]) => ({ op: 'add', path: `/${part}/${key}`, value: value ?? null }));
  });
}
