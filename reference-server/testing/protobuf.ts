// Requests and responses in protobuf, for tests.

import type { ApiObject } from '../codecs/codec.js';
import { createProtobuf } from '../codecs/protobuf.js';
import type { RunningServer } from '../server.js';
import type { AnyShape } from './anyShape.js';
import { ask } from './standIn.js';

export const mediaType = 'application/vnd.kubernetes.protobuf';
export const protobuf = createProtobuf(mediaType);

/** A response with its object decoded. */
export interface ProtobufReply {
  readonly status: number;
  readonly type: unknown;
  readonly object: AnyShape;
}

/** Sends an object or bytes as protobuf. Asks for a protobuf response by default. */
export async function sendProtobuf(
  server: RunningServer,
  method: string,
  path: string,
  body?: ApiObject | Uint8Array,
  accept = mediaType,
): Promise<ProtobufReply> {
  const bytes = body === undefined || body instanceof Uint8Array ? body : protobuf.encode(body, false);
  const headers = { Accept: accept, ...(bytes && { 'Content-Type': mediaType }) };
  const answer = await ask(server, path, { method, headers, ...(bytes && { body: bytes }) });
  const type = answer.headers['content-type'];
  const object = type === mediaType ? protobuf.decode(answer.bytes) : JSON.parse(answer.text);
  return { status: answer.status, type, object };
}
