// Whether a target serves a resource, independent of discovery: seen by a read that changes nothing.
import { operations, type Resource } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { at } from '../client/json.js';
import { fill } from '../client/paths.js';
import { NoAnswer, type Reply } from '../client/reply.js';

const absent = 'kube-api-conformance-absent';
const reading = new Set<string>(['list', 'listAll', 'read', 'readPlain', 'readScale']);

/**
 * Reports whether only an existing operation sends such a response. Refusals of users and server errors do not count.
 */
export function serves(reply: Reply): boolean {
  if (reply.status === 404) return typeof at(reply.tryValue(), 'details', 'name') === 'string';
  return reply.status < 300 || [400, 409, 415, 422].includes(reply.status);
}

/** Returns the id of the first read of a resource that the target serves; undefined if it serves none. */
export async function servedRead(client: Client, resource: Resource): Promise<string | undefined> {
  for (const { id, resource: own, verb, path } of operations) {
    if (own !== resource || !reading.has(verb)) continue;
    const call = { method: 'GET', path: `${fill(path, absent, absent)}?limit=1&timeoutSeconds=1` };
    const reply = await client.send(call).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    // An HTML page does not come from an API.
    if (reply !== undefined && serves(reply) && typeof at(reply.tryValue(), 'kind') === 'string') return id;
  }
  return undefined;
}
