// `--latency`: middleware that delays every request.
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { OptionError } from '../optionError.js';

const longest = 10_000;

/** Delays requests by a number of milliseconds. Throws an OptionError unless it is a whole number from 0 to 10000. */
export function latency(milliseconds: number): RequestHandler {
  if (!Number.isInteger(milliseconds) || milliseconds < 0 || milliseconds > longest)
    throw new OptionError(`--latency: ${milliseconds} is no number of milliseconds from 0 to ${longest}`);
  return async (_request, _response, next) => {
    await wait(milliseconds);
    next();
  };
}
