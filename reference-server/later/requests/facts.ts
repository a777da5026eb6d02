// What is known of a request: who sent it, and what it asks for.
import type { IncomingMessage } from 'node:http';
import { attributesOf } from '../../authorization/attributes.js';
import type { Locals } from '../../edge/locals.js';
import { splitTarget } from '../../resolver/resolver.js';
import { isRecord } from '../../schema/object.js';

/** What a request asks for. The fields of resources are absent for other paths. */
export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly verb: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
}

/** What the middleware has found out about a request. */
type Found = Partial<Pick<Locals, 'query' | 'user' | 'body'>>;

/** Returns the facts of a request, as far as the middleware has come. A create has its name in the body. */
export function factsOf({ method = '', url = '' }: IncomingMessage, { query, user, body }: Found): RequestFacts {
  const { pathname } = splitTarget(url);
  const attributes = attributesOf(method, pathname, query ?? new URLSearchParams());
  const sender = user === undefined ? {} : { user: user.name };
  if ('path' in attributes) return { method, ...attributes, ...sender };
  const name = attributes.name || (attributes.verb === 'create' ? nameIn(body?.value) : '');
  return { method, path: pathname, ...attributes, name, ...sender };
}

function nameIn(body: unknown): string {
  const metadata = isRecord(body) ? body.metadata : undefined;
  return isRecord(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
}
