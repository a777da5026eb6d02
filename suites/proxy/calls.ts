// Requests through a proxy, and the request as the backend received it.
import type { Call } from '../client/calls.js';
import { fail } from '../client/expect.js';
import { at, isObject, readJson } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { type Backends, backendsOf } from './backends.js';

export interface BackendRequest {
  readonly method: unknown;
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** The headers, by names in lower case; of several with one name, the last. */
  readonly headers: ReadonlyMap<string, string>;
  /** The values of all headers of this name, in lower case. */
  all(name: string): readonly string[];
}

/** Returns the path of an operation on a backend, or on the given name; `rest` replaces `{path}`. */
export function proxyPath(
  { path, resource }: OperationSubject['operation'],
  ends: Pick<Backends, 'namespace' | 'pods' | 'services' | 'nodes'>,
  rest = '',
  name = ends[(resource?.plural ?? 'pods') as 'pods'],
): string {
  return path.replace('{namespace}', ends.namespace).replace('{name}', name).replace('{path}', rest);
}

/** The content of a request; `rest` replaces `{path}`. */
export interface ProxyContent extends Pick<Call, 'body' | 'over' | 'isProbe'> {
  readonly rest?: string;
  readonly query?: string;
  readonly name?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request by the operation. */
export async function through(
  { operation }: OperationSubject,
  context: Context,
  sent: ProxyContent = {},
): Promise<Reply> {
  const ends = await backendsOf(context);
  const { rest, query, name, method = operation.method, headers = {}, ...call } = sent;
  const path = proxyPath(operation, ends, rest, name) + (query === undefined ? '' : `?${query}`);
  return context.client.send({ method, path, headers, ...call });
}

/** Returns the request as the backend received it. Throws Failure if the response is not from the backend. */
export function seenBy(reply: Reply): BackendRequest {
  return (
    requestIn(reply.tryValue()) ??
    fail(`${reply.request}: expected the response of the backend, got ${reply.status} ${reply.excerpt()}`)
  );
}

/** Returns the request that a message of the backend shows; undefined for any other message. */
export function shownIn(message = ''): BackendRequest | undefined {
  try {
    return requestIn(readJson(message));
  } catch {
    return undefined;
  }
}

function requestIn(value: unknown): BackendRequest | undefined {
  const headers = at(value, 'headers');
  if (!isObject(value) || !Array.isArray(headers) || value.method === undefined) return undefined;
  const { method, path, query, body } = value as Record<string, unknown>;
  const pairs = headers as unknown as readonly (readonly [string, string])[];
  const lower = pairs.map(([name, text]): readonly [string, string] => [name.toLowerCase(), text]);
  const all = (name: string) => lower.filter(([each]) => each === name).map(([, text]) => text);
  return { method, path, query, body, headers: new Map(lower), all };
}
