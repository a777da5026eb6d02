// Edits of requests: refused, swallowed, rerouted, or passed on with another query, header or body.
import { STATUS_CODES } from 'node:http';
import { isObject, type JsonObject } from '../../../client/json.js';
import type { Broken, ServerUsers, WireReply, WireRequest } from './fault.js';
import { type Edit, fromJson, of, parsed, valueAt } from './objects.js';

/**
 * Requests of a method (`'PUT'`), requests whose line `METHOD /path?query` matches a pattern, requests that the function accepts, or
 * requests that are all of a list.
 */
export type Requests = string | RegExp | ((request: WireRequest, users: ServerUsers) => boolean) | readonly Requests[];

/** Every request. */
export const every = /^/;

/** Reports whether a request matches. Only edits of requests know the users. */
export function matches(which: Requests, request: WireRequest, users = undefined as unknown as ServerUsers): boolean {
  if (typeof which === 'function') return which(request, users);
  if (typeof which === 'string') return request.method === which;
  return which instanceof RegExp
    ? which.test(`${request.method} ${request.path}`)
    : which.every((one) => matches(one, request, users));
}

/** Requests that match none of these. */
export const not = (which: Requests) => (request: WireRequest, users: ServerUsers) => !matches(which, request, users);
/** Requests with a header that matches; an absent header is empty. */
export const withHeader = (name: string, value: RegExp) => (request: WireRequest) =>
  value.test(request.headers[name] ?? '');
/** Requests with a body of a media type that matches. */
export const withType = (type: RegExp): Requests => withHeader('content-type', type);
/** Requests with a body that matches. */
export const withBody = (text: RegExp) => (request: WireRequest) => text.test(request.body);

/** Changes fields of requests, or replies without the good server. */
export const instead = (
  which: Requests,
  change: (request: WireRequest, users: ServerUsers) => Partial<WireRequest> | WireReply,
): Broken => ({
  request: (request, users) => {
    const changed = matches(which, request, users) ? change(request, users) : {};
    return 'status' in changed ? changed : { ...request, ...changed };
  },
});

/** Replies to requests without the good server. */
export const answer = (which: Requests, reply: WireReply): Broken => instead(which, () => reply);
export const refuse = (which: Requests, status: number, reason?: string): Broken =>
  answer(which, failure(status, reason));
export const swallow = (which: Requests, body: JsonObject = success): Broken => answer(which, ok(body));

/** Replaces a part of the path and the query. */
export const reroute = (which: Requests, from: string | RegExp, to: string): Broken =>
  instead(which, ({ path }) => ({ path: path.replace(from, to) }));
/** Sets a header of requests; undefined drops the header. */
export const header = (which: Requests, name: string, value: string | undefined): Broken =>
  instead(which, (request) => headed(request, name, value));
/** The request with a header set; undefined drops the header. */
export function headed(request: WireRequest, name: string, value: string | undefined): WireRequest {
  const { [name]: _, ...others } = request.headers;
  return { ...request, headers: value === undefined ? others : { ...others, [name]: value } };
}

/** Refuses requests of a method for what was deleted. `keyOf` returns what the object of a request is known by. */
export function refuseGone(method: string, status: number, keyOf = ({ path }: WireRequest) => path): Broken {
  const deleted = new Set<string>();
  return instead(every, (request) => {
    if (request.method === 'DELETE') deleted.add(keyOf(request));
    return request.method === method && deleted.has(keyOf(request)) ? failure(status) : {};
  });
}
/** The name of the object that a request writes or selects. */
export const nameOf = ({ path, body }: WireRequest): string =>
  String(valueAt(parsed(body), 'metadata.name') ?? path.replace(/\?.*/, '').split('/').at(-1));

export const query = (which: Requests, edit: (parameters: URLSearchParams) => unknown): Broken =>
  instead(which, (request) => {
    const [path = '', text = ''] = request.path.split('?');
    const parameters = new URLSearchParams(text);
    const before = String(parameters);
    edit(parameters);
    return String(parameters) === before ? {} : { path: `${path}?${parameters}` };
  });
/** Ignores parameters of the query; values that match `but` are still read. */
export const ignore = (which: Requests, parameters: string, but = /^\b$/): Broken =>
  query(which, (given) => {
    for (const name of parameters.split(' ')) if (!but.test(given.get(name) ?? '')) given.delete(name);
  });
/** Reads a parameter of the query as another value. */
export const parameter = (which: Requests, name: string, value: string): Broken =>
  query(which, (given) => given.set(name, value));
/** Replaces the value of a parameter with the result of a function. */
export const reread = (which: Requests, name: string, to: (value: string) => string): Broken =>
  query(which, (given) => given.has(name) && given.set(name, to(given.get(name) ?? '')));

/** Edits the JSON objects of requests: of a method, of a kind, or of both (`'POST Pod'`). */
export function sent(bodies: Requests, edit: Edit): Broken {
  const [which, edits] = ofBodies(bodies, edit);
  return instead(which, ({ body }) => ({ body: editedJson(body, edits) }));
}
export function ofBodies(bodies: Requests, edit: Edit): readonly [Requests, Edit] {
  if (typeof bodies !== 'string') return [bodies, edit];
  const words = bodies.split(' ');
  const kind = words.find((word) => /[a-z]/.test(word));
  return [words.find((word) => word !== kind) ?? every, kind === undefined ? edit : of(kind, edit)];
}
/** Treats requests as merge patches. */
export const asPatch = (which: Requests, patch: () => JsonObject): Broken =>
  instead(which, (request) => ({
    ...headed(request, 'content-type', 'application/merge-patch+json'),
    method: 'PATCH',
    body: JSON.stringify(patch()),
  }));
export const sentText = (which: Requests, edit: (body: string) => string): Broken =>
  instead(which, ({ body }) => ({ body: edit(body) }));

/** Edits the object of a JSON text; returns any other text unchanged. */
export function editedJson(body: string, edit: Edit): string {
  const value = fromJson(body);
  return isObject(value) ? JSON.stringify(edit(value)) : body;
}

export const success: JsonObject = { kind: 'Status', apiVersion: 'v1', status: 'Success' };
export const reply = (status: number, body: JsonObject): WireReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
/** A successful reply in JSON. */
export const ok = (body: JsonObject = {}): WireReply => reply(200, body);
/** A successful reply with an empty object of a kind. */
export const some = (kind: string): WireReply => ok({ kind, apiVersion: 'v1' });

/** The reasons that are not the HTTP words for a status. */
const reasons: Readonly<Record<number, string>> = { 410: 'Expired', 422: 'Invalid', 500: 'InternalError' };
const reasonOf = (status: number) => reasons[status] ?? String(STATUS_CODES[status]).replaceAll(' ', '');
export const failure = (status: number, reason = reasonOf(status)): WireReply =>
  reply(status, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
