// Failures as authors of tests write them, in the form of the errors that real servers send.
import { STATUS_CODES } from 'node:http';
import { alreadyExists, conflict, expired, forbiddenResource, modified, notFound } from '../../errors.js';
import { OptionError } from '../../optionValues.js';
import type { ApiRequest } from '../../request.js';
import { StatusError } from '../../statusError.js';
import type { RequestFacts } from '../requests/facts.js';
import type { Disturbance, Effect } from './disturbances.js';
import { type MatchedServer, requestMatcherOf } from './match.js';
import type { Delay, Failure } from './surface.js';

/** The reasons that servers give with a code. Other codes have the text of HTTP, without its spaces. */
const reasons: Readonly<Record<number, string>> = {
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  500: 'InternalError',
  504: 'Timeout',
};

/** The longest delay, in milliseconds: that of a timer. */
const longestDelay = 2 ** 31 - 1;

/** Returns the disturbance of a failure. Throws an OptionError for invalid input. */
export function failureOf(failure: Failure, server: MatchedServer): Disturbance {
  const what = 'fail';
  const own = ['status', 'reset', 'reason', 'message', 'retryAfter', 'afterWrite', 'times'];
  const matches = requestMatcherOf(what, failure, server, own);
  const { status, reset, retryAfter, afterWrite = false, times } = failure;
  const effect = (): Effect => {
    if (reset === true) {
      if (status !== undefined) throw new OptionError(`${what}: status and reset contradict each other: give one`);
      return { cut: true, afterWrite };
    }
    if (status === undefined) throw new OptionError(`${what}: give a status, such as 500, or reset: true`);
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new OptionError(`${what}: status: ${status} is not a code of an error; give one from 400 to 599`);
    if (retryAfter !== undefined && (!Number.isInteger(retryAfter) || retryAfter < 0))
      throw new OptionError(`${what}: retryAfter: give a whole number of seconds`);
    return { error: (request, facts) => errorOf({ ...failure, status }, request, facts), afterWrite };
  };
  return { matches, effect: effect(), left: timesOf(what, times), calls: 0 };
}

/** Returns the disturbance of a delay. Throws an OptionError for invalid input. */
export function delayOf(delay: Delay, server: MatchedServer): Disturbance {
  const what = 'delay';
  const matches = requestMatcherOf(what, delay, server, ['milliseconds', 'times']);
  const { milliseconds, times } = delay;
  if (typeof milliseconds !== 'number' || !(milliseconds >= 0 && milliseconds <= longestDelay))
    throw new OptionError(`${what}: milliseconds: give a number from 0 to ${longestDelay}`);
  return { matches, effect: { delay: milliseconds }, left: timesOf(what, times), calls: 0 };
}

function timesOf(what: string, times = Number.POSITIVE_INFINITY): number {
  if (times !== Number.POSITIVE_INFINITY && (!Number.isInteger(times) || times < 1))
    throw new OptionError(`${what}: times: give a whole number from 1`);
  return times;
}

function errorOf(failure: Failure & { status: number }, request: ApiRequest, facts: RequestFacts): StatusError {
  const { status, message, reason, retryAfter = status === 429 ? 1 : undefined } = failure;
  const usual = usualError(status, request, facts);
  const details = retryAfter === undefined ? usual.details : { ...usual.details, retryAfterSeconds: retryAfter };
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new StatusError(status, reason ?? usual.reason, message ?? usual.message, details, headers);
}

/** The error of a code as the server itself would send it for this request. */
function usualError(status: number, { operation }: ApiRequest, facts: RequestFacts): StatusError {
  const { resource } = operation;
  const { name = '', verb, user = '', group = '', namespace = '', subresource = '' } = facts;
  if (resource !== undefined) {
    if (status === 403) {
      const attributes = { verb, group, resource: resource.plural, subresource, namespace, name };
      return forbiddenResource(user, attributes);
    }
    if (status === 404) return notFound(resource, name);
    if (status === 409) return verb === 'create' ? alreadyExists(resource, name) : conflict(resource, name, modified);
  }
  if (status === 410) return expired('The resourceVersion for the provided request is too old.');
  if (status === 429) return new StatusError(429, 'TooManyRequests', 'Too many requests, please try again later.', {});
  const text = STATUS_CODES[status] ?? 'Unknown';
  return new StatusError(status, reasons[status] ?? text.replaceAll(/[^A-Za-z]/g, ''), text);
}
