// Sends the exchanges of server-side apply, and compares the responses with the table.
import type { Exchange } from './applyExchange.js';

export const mediaTypeOf: Readonly<Record<NonNullable<Exchange['type']>, string>> = {
  apply: 'application/apply-patch+yaml',
  yaml: 'application/apply-patch+yaml',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
};

type Json = Readonly<Record<string, unknown>>;

/** Returns the owners in an object, as in `Exchange.owners`. */
export function ownersIn(object: Json): readonly (readonly [string, unknown])[] {
  const { managedFields = [] } = (object.metadata ?? {}) as { managedFields?: readonly Record<string, string>[] };
  return managedFields.map(({ manager, operation, apiVersion, subresource, fieldsV1 }) => [
    [manager, operation, apiVersion, subresource].filter((word) => word !== undefined).join(' '),
    fieldsV1,
  ]);
}

/** Returns a field of an object: `spec.containers[a].ports.0`. */
export function fieldAt(object: unknown, path: string): unknown {
  return path.split(/[.[]/).reduce((value: unknown, step) => {
    if (!step.endsWith(']')) return (value as Json | undefined)?.[step];
    return (value as readonly { name: string }[] | undefined)?.find(({ name }) => name === step.slice(0, -1));
  }, object);
}

/** A response with its parsed body. */
export interface Answered {
  readonly code: number;
  readonly body: Json;
}

export type Send = (exchange: Exchange, path: string) => Promise<Answered>;

/** Returns what differs from the table in a list of exchanges: an empty list if nothing does. */
export async function differences(list: readonly Exchange[], send: Send): Promise<readonly string[]> {
  const found: string[] = [];
  let version: unknown;
  for (const exchange of list) {
    const path = exchange.path.startsWith('/') ? exchange.path : `/api/v1/namespaces/default/${exchange.path}`;
    const { code, body } = await send(exchange, path);
    const differ = (what: string, is: unknown, should: unknown): void => {
      const [one, other] = [JSON.stringify(inOrder(is)), JSON.stringify(inOrder(should))];
      if (one !== other) found.push(`${exchange.what}: ${what} is ${one}, not ${other}`);
    };
    // The interface answers a create with 200.
    if (code !== exchange.code && !(exchange.method === 'POST' && code === 200)) {
      differ('the code', `${code} ${body.message}`, exchange.code);
    }
    for (const [field, value] of Object.entries(exchange.has ?? {})) differ(field, fieldAt(body, field), value);
    if (exchange.owners !== undefined) differ('the owners', sorted(ownersIn(body)), sorted(exchange.owners));
    const next = fieldAt(body, 'metadata.resourceVersion');
    if (exchange.sameVersion === true) differ('the resourceVersion', next, version);
    version = next;
  }
  return found;
}

/** The owners by name: their order depends on the second in which they wrote. */
const sorted = (owners: readonly (readonly [string, unknown])[]) =>
  [...owners].sort(([one], [other]) => (one < other ? -1 : 1));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, inOrder(inner)]));
}
