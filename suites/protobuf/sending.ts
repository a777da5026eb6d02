// Sends bodies in protobuf: objects, and invalid bytes.
import type { Client } from '../client/client.js';
import { encodeBody, wireType } from '../client/decoders.js';
import type { JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';

/** Sends an object in protobuf and asks for JSON. */
export function sendProtobuf(client: Client, method: string, path: string, body: JsonObject): Promise<Reply> {
  return sendBytes(client, method, path, Buffer.from(encodeBody('protobuf', body)));
}

/** Sends bytes with the Content-Type of protobuf and asks for JSON. */
export function sendBytes(client: Client, method: string, path: string, body: Uint8Array): Promise<Reply> {
  const headers = { 'content-type': wireType('protobuf', client.target), accept: 'application/json' };
  return client.send({ method, path, headers, body });
}
