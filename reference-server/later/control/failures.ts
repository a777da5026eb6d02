// Failures as authors of tests write them, in the form of the errors that real servers send.

import { STATUS_CODES } from 'node:http';
import { longestDelay } from '../../../matrix/api/longestDelay.js';
import { alreadyExists, conflict, expired, forbiddenResource, modified, notFound } from '../../errors.js';
import { boolean, type Check, filled, number, whole } from '../../fieldChecks.js';
import { OptionError } from '../../optionValues.js';
import type { ApiRequest } from '../../request.js';
import { StatusError } from '../../statusError.js';
import type { RequestFacts } from '../requests/facts.js';
import type { Disturbance } from './disturbances.js';
import { requestMatcherOf, type Served } from './match.js';
import type { Delay, Failure, RequestMatch } from './surface.js';

/** The reasons that servers give with a code. Other codes have the text of HTTP, without its spaces. */
const reasons: Readonly<Record<number, string>> = {
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  500: 'InternalError',
  504: 'Timeout',
};

const timesCheck = { times: whole(1) };

const failureChecks = {
  status: whole(400, 599),
  reset: boolean,
  reason: filled,
  message: filled,
  retryAfter: whole(0, undefined, ' of seconds'),
  afterWrite: boolean,
  ...timesCheck,
} as const satisfies Record<Exclude<keyof Failure, keyof RequestMatch>, Check>;

const delayChecks = { milliseconds: number(0, longestDelay), ...timesCheck };

const reads = { verb: ['get', 'list', 'watch', 'head', 'options'], method: ['GET', 'HEAD', 'OPTIONS'] };

/** Returns the disturbance of a failure. Throws an OptionError for invalid input. */
export function failureOf(failure: Failure, served: Served): Disturbance {
  const what = 'fail';
  const matches = requestMatcherOf(what, failure, served, failureChecks);
  const { status, reset = false, afterWrite = false, times, verb = '', method = '' } = failure;
  if (reset && status !== undefined) throw new OptionError(`${what}: status and reset contradict each other: give one`);
  const ofResponse = (['reason', 'message', 'retryAfter'] as const).find((field) => failure[field] !== undefined);
  if (reset && ofResponse !== undefined)
    throw new OptionError(`${what}: ${ofResponse} and reset contradict each other: there is no response`);
  if (afterWrite && (reads.verb.includes(verb) || reads.method.includes(method)))
    throw new OptionError(`${what}: afterWrite: a ${verb || method} writes nothing: leave it out`);
  if (!reset && status === undefined) throw new OptionError(`${what}: give a status, such as 500, or reset: true`);
  const error = status === undefined ? undefined : errorsOf({ ...failure, status });
  const effect = { afterWrite, ...(error && { error }) };
  return { matches, effect, left: times ?? Number.POSITIVE_INFINITY, calls: 0 };
}

/** Returns the disturbance of a delay. Throws an OptionError for invalid input. */
export function delayOf(delay: Delay, served: Served): Disturbance {
  const matches = requestMatcherOf('delay', delay, served, delayChecks);
  const { milliseconds, times } = delay;
  if (milliseconds === undefined) throw new OptionError('delay: give milliseconds');
  return { matches, effect: { delay: milliseconds }, left: times ?? Number.POSITIVE_INFINITY, calls: 0 };
}

/** Returns the error of a failure for each request. */
const errorsOf =
  (failure: Failure & { status: number }) =>
  (request: ApiRequest, facts: RequestFacts): StatusError => {
    const { status, message, reason, retryAfter = status === 429 ? 1 : undefined } = failure;
    const usual = usualError(status, request, facts);
    const details = retryAfter === undefined ? usual.details : { ...usual.details, retryAfterSeconds: retryAfter };
    const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
    return new StatusError(status, reason ?? usual.reason, message ?? usual.message, details, headers);
  };

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
