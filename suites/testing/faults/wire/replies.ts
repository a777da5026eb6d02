// Edits of replies: another status, header or body, or another reply.
import type { Broken, WireReply, WireRequest } from './fault.js';
import { type Edit, where } from './objects.js';
import { editedJson, every, failure, matches, ofBodies, type Requests } from './requests.js';

/** A status, or a function that accepts statuses. */
type Statuses = number | ((status: number) => boolean);

export const isError = (status: number): boolean => status > 399;
const isSuccess = (status: number): boolean => status < 300;
export const anyStatus = (): boolean => true;

const isOf = (statuses: Statuses, status: number): boolean =>
  typeof statuses === 'number' ? statuses === status : statuses(status);

/**
 * Replaces replies with certain statuses, after the good server has handled the request: by a reply, by a failure with this status, or by
 * the result of a function.
 */
export const replace = (
  which: Requests,
  statuses: Statuses,
  by: WireReply | number | ((reply: WireReply, request: WireRequest) => WireReply),
): Broken => ({
  reply: (reply, request) => {
    if (!isOf(statuses, reply.status) || !matches(which, request)) return reply;
    return typeof by === 'function' ? by(reply, request) : typeof by === 'number' ? failure(by) : by;
  },
});
/** Changes fields of the replies with certain statuses. */
export const replies = (
  which: Requests,
  statuses: Statuses,
  change: (reply: WireReply, request: WireRequest) => Partial<WireReply>,
): Broken => replace(which, statuses, (reply, request) => ({ ...reply, ...change(reply, request) }));
/** Replaces the status and keeps the rest of the reply. */
export const status = (which: Requests, from: Statuses, to: number): Broken =>
  replies(which, from, () => ({ status: to }));
/** Refuses what is absent with 403, as admission does that looks for an object before the server does. */
export const forbidsAbsent = (which: Requests): Broken =>
  replies(which, 404, ({ body }) => ({
    status: 403,
    body: body
      .replace(/\w+ (\\"[^"]+") not found/, (said) => `${said.replace(/not found$/, 'is forbidden')}: ${said}`)
      .replace('"NotFound"', '"Forbidden"')
      .replace(':404', ':403'),
  }));
/** Sets a header. */
export const shownHeader = (which: Requests, name: string, value: string): Broken =>
  replies(which, anyStatus, ({ headers }) => ({ headers: { ...headers, [name]: value } }));

/** Edits the JSON objects of successful replies: of a method, of a kind, or of both (`'GET Pod'`). */
export function shown(of: Requests, edit: Edit): Broken {
  const [which, edits] = ofBodies(of, edit);
  return shownText(which, (body) => editedJson(body, edits), /^application\/json/);
}
/** Edits the bodies of lists. */
export const listed = (edit: Edit): Broken => shown(every, where('items', Array.isArray, edit));
/** Edits the text of successful replies of a media type. */
export const shownText = (which: Requests, edit: (body: string) => string, type = /^/): Broken =>
  bodies(which, isSuccess, edit, type);
/** Edits the text of error replies. */
export const errorText = (which: Requests, edit: (body: string) => string): Broken => bodies(which, isError, edit);
/** Edits the text of replies of a media type. */
export const bodies = (which: Requests, statuses: Statuses, edit: (body: string) => string, type = /^/): Broken =>
  replies(which, statuses, ({ headers, body }) =>
    type.test(headers['content-type'] ?? '') ? { body: edit(body) } : {},
  );
/** Edits the Status of error replies. */
export const errors = (edit: Edit): Broken => errorText(every, (body) => editedJson(body, edit));

/** Breaks the server after the first of these requests. */
export function after(which: Requests, { request: change, reply: answer, ...rest }: Broken): Broken {
  let begun = false;
  return {
    ...rest,
    starting: () => {
      begun = false;
      rest.starting?.();
    },
    request: (request, users) => {
      begun ||= matches(which, request, users);
      return begun && change ? change(request, users) : request;
    },
    reply: (reply, request) => (begun && answer ? answer(reply, request) : reply),
  };
}

/**
 * Changes the successful replies, and those of conflicts, to the first so many of these requests of a path: they are held
 * back until all are there, as those that a client sends at once.
 */
export function atOnce(which: Requests, count: number, change: (reply: WireReply) => WireReply): Broken {
  const held = new Map<string, Map<WireRequest, () => void>>();
  return {
    starting: () => held.clear(),
    request: (request) => {
      const first = held.get(request.path) ?? new Map<WireRequest, () => void>();
      if (!matches(which, request) || first.size === count) return request;
      held.set(request.path, first);
      return new Promise((resolve) => {
        first.set(request, () => resolve(request));
        if (first.size === count) for (const pass of first.values()) pass();
      });
    },
    reply: (reply, request) => {
      const isChanged = held.get(request.path)?.has(request) === true;
      return isChanged && (reply.status < 300 || reply.status === 409) ? change(reply) : reply;
    },
  };
}

/** Answers reads of an object with the first reply to such a read, on each connection or on all. */
export function caches(which: Requests, keyOf: (request: WireRequest) => unknown = ({ port }) => port): Broken {
  const first = new Map<string, WireReply>();
  return {
    reply: (reply, request) => {
      if (request.method !== 'GET' || !matches(which, request)) return reply;
      const key = `${keyOf(request)} ${request.headers.accept} ${request.path}`;
      if (!first.has(key)) first.set(key, reply);
      return first.get(key) ?? reply;
    },
  };
}
