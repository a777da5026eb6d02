// Requests through a proxy, and the request as the backend received it.
import { defined } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { fail } from '../client/expect.js';
import { at, isObject } from '../client/json.js';
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
export interface ProxyContent extends Pick<Call, 'over'> {
  readonly rest?: string;
  readonly query?: string;
  readonly name?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Call['body'];
}

/** Sends one request by the operation. */
export async function through(
  { operation }: OperationSubject,
  context: Context,
  sent: ProxyContent = {},
): Promise<Reply> {
  const ends = await backendsOf(context);
  const { rest, query, name, method = operation.method, headers = {}, body, over } = sent;
  const path = proxyPath(operation, ends, rest, name) + (query === undefined ? '' : `?${query}`);
  return context.client.send({ method, path, headers, ...defined({ body, over }) });
}

/** Returns the request as the backend received it. Throws Failure if the response is not from the backend. */
export function seenBy(reply: Reply): BackendRequest {
  const value = reply.tryValue();
  const headers = at(value, 'headers');
  if (!isObject(value) || !Array.isArray(headers) || value.method === undefined) {
    fail(`${reply.request}: expected the response of the backend, got ${reply.status} ${reply.excerpt()}`);
  }
  const { method, path, query, body } = value as Record<string, unknown>;
  const pairs = headers as unknown as readonly (readonly [string, string])[];
  const lower = pairs.map(([name, text]): readonly [string, string] => [name.toLowerCase(), text]);
  const all = (name: string) => lower.filter(([each]) => each === name).map(([, text]) => text);
  return { method, path, query, body, headers: new Map(lower), all };
}
