// Sends bodies in protobuf: objects, and bytes that are none.
import type { Client } from '../support/client.js';
import { encode, wireType } from '../support/decoders.js';
import type { JsonObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';

/** Sends an object in protobuf; the answer comes as JSON. */
export function sendProtobuf(client: Client, method: string, path: string, body: JsonObject): Promise<Reply> {
  return sendBytes(client, method, path, Buffer.from(encode('protobuf', body)));
}

/** Sends bytes that are called protobuf; the answer comes as JSON. */
export function sendBytes(client: Client, method: string, path: string, body: Uint8Array): Promise<Reply> {
  const headers = { 'content-type': wireType('protobuf', client.target), accept: 'application/json' };
  return client.send({ method, path, headers, body });
}
