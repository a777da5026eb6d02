// Whether a target serves a resource, whatever its discovery says: seen by a read that changes nothing.
import { operations, type Resource } from '../../matrix/api/index.js';
import type { Client } from './client.js';
import { at } from './json.js';
import { NoAnswer, type Reply } from './reply.js';
import { fill } from './scope.js';

const absent = 'kube-api-conformance-absent';
const reading = new Set<string>(['list', 'listAll', 'read', 'readPlain', 'readScale']);

/** Whether an answer can only come from an operation that is there. Refused users, and failures, say nothing. */
export function serves(reply: Reply): boolean {
  if (reply.status === 404) return typeof at(reply.tryValue(), 'details', 'name') === 'string';
  return reply.status < 300 || [400, 409, 415, 422].includes(reply.status);
}

/** The first read of a resource that the target serves; undefined where it serves none. */
export async function servedRead(client: Client, resource: Resource): Promise<string | undefined> {
  for (const { id, resource: own, verb, path } of operations) {
    if (own !== resource || !reading.has(verb)) continue;
    const call = { method: 'GET', path: `${fill(path, absent, absent)}?limit=1&timeoutSeconds=1` };
    const reply = await client.send(call).catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    // A page for people is not what an API answers.
    if (reply !== undefined && serves(reply) && typeof at(reply.tryValue(), 'kind') === 'string') return id;
  }
  return undefined;
}
