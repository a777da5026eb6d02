// Requests with JSON to the server of a test.
import type { RunningServer } from '../server.js';
import type { AnyShape } from './anyShape.js';
import { ask } from './standIn.js';

/** A response with its body; that of a response without JSON is an empty object. */
export interface Sent {
  readonly status: number;
  readonly body: AnyShape;
}

/** Returns functions that send requests to a server, which may start later. */
export function sendingTo(server: () => RunningServer) {
  const send = async (method: string, path: string, body?: object, type = 'application/json'): Promise<Sent> => {
    const headers = { 'content-type': type };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const { status, text } = await ask(server(), path, sent);
    return { status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as AnyShape };
  };
  const create = (path: string, body: object) => send('POST', path, body);
  const read = async (path: string) => (await send('GET', path)).body;
  return { send, create, read };
}

/** Returns the fields of the causes of a refusal. */
export const causesOf = ({ body }: Sent): string[] =>
  (body.details?.causes ?? []).map((cause: { field: string }) => cause.field);
