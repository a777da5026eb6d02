// Faults that options ask for: `--latency` delays every request, `--crash-on` ends the process at the first such request.

import { setTimeout as wait } from 'node:timers/promises';
import { OptionError } from '../optionValues.js';
import { splitTarget } from '../resolver/resolver.js';
import type { Middleware } from './locals.js';

const longest = 10_000;

/** Delays requests by a number of milliseconds. Throws an OptionError unless it is a whole number from 0 to 10000. */
export function latency(milliseconds: number): Middleware {
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > longest)
    throw new OptionError(`--latency: ${milliseconds} is not a number of milliseconds from 0 to ${longest}`);
  return async (_request, _response, next) => {
    await wait(milliseconds);
    next();
  };
}

/** The exit code of a requested crash. */
const crashCode = 70;

/**
 * Ends the process with code 70 on a matching request. Throws an OptionError unless the text has the form `PUT
 * /api/v1/namespaces/*`.
 */
export function crash(on: string): Middleware {
  const matches = requestMatcher(on);
  return ({ method, url }, _response, next) => {
    if (matches(method, splitTarget(url).pathname)) process.exit(crashCode);
    next();
  };
}

/**
 * Returns a matcher of requests: `*` matches any method, or any text without a slash. Throws an OptionError for invalid
 * text.
 */
export function requestMatcher(text: string): (method: string, pathname: string) => boolean {
  const [, method, path] = /^([A-Z]+|\*) (\/\S*)$/.exec(text) ?? [];
  if (method === undefined || path === undefined)
    throw new OptionError(
      `--crash-on: "${text}" is not understood; write it as 'PUT /api/v1/namespaces/*/configmaps/*'`,
    );
  const literal = path.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`^${literal.join('[^/]*')}$`);
  return (asked, pathname) => (method === '*' || method === asked) && pattern.test(pathname);
}
