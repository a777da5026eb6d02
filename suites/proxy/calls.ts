// Requests through a proxy, and what the other end says that it was asked.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { fail } from '../support/expect.js';
import { at, isObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import type { Context } from '../support/worker.js';
import { type Ends, endsOf } from './ends.js';

/** What the other end saw. */
export interface Seen {
  readonly method: unknown;
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The path of an operation on an end, or on the name that is given; `rest` is what stands for `{path}`. */
export function proxyPath(
  { path, resource }: OperationSubject['operation'],
  ends: Pick<Ends, 'namespace' | 'pods' | 'services' | 'nodes'>,
  rest = '',
  name = ends[(resource?.plural ?? 'pods') as 'pods'],
): string {
  return path.replace('{namespace}', ends.namespace).replace('{name}', name).replace('{path}', rest);
}

/** What is sent; the rest goes in the place of the path. */
export interface Sent {
  readonly rest?: string;
  readonly query?: string;
  readonly name?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request by the operation. */
export async function through({ operation }: OperationSubject, context: Context, sent: Sent = {}): Promise<Reply> {
  const ends = await endsOf(context);
  const { rest, query, name, method = operation.method, headers = {}, body } = sent;
  const path = proxyPath(operation, ends, rest, name) + (query === undefined ? '' : `?${query}`);
  return context.client.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
}

/** What the other end saw of a request; fails where the answer is not from there. */
export function seenBy(reply: Reply): Seen {
  const value = reply.tryValue();
  const headers = at(value, 'headers');
  if (!isObject(value) || !Array.isArray(headers) || value.method === undefined) {
    fail(`${reply.request}: expected the answer of the other end, got ${reply.status} ${reply.excerpt()}`);
  }
  const { method, path, query, body } = value as Record<string, unknown>;
  const pairs = headers as unknown as readonly (readonly [string, string])[];
  return { method, path, query, body, headers: new Map(pairs.map(([name, text]) => [name.toLowerCase(), text])) };
}
