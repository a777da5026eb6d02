// Reads the query of a log request (Pod log).
import type { LogOptions } from '../containers/log.js';
import { now, parseTime } from '../containers/time.js';
import { Refusal } from './refusal.js';

/** What is asked for: the options, and whether of the instance before. Throws Refusal. */
export function readLogQuery(query: URLSearchParams): { readonly options: LogOptions; readonly previous: boolean } {
  const sinceSeconds = wholeNumber(query, 'sinceSeconds', 1);
  const sinceTime = query.get('sinceTime') || undefined;
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw new Refusal(422, 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  const since = sinceSeconds === undefined ? timeOf(sinceTime) : now() - BigInt(sinceSeconds) * 1_000_000_000n;
  const tailLines = wholeNumber(query, 'tailLines', 0);
  const limitBytes = wholeNumber(query, 'limitBytes', 1);
  return {
    previous: isSet(query, 'previous'),
    options: {
      follow: isSet(query, 'follow'),
      timestamps: isSet(query, 'timestamps'),
      ...(since === undefined ? {} : { since }),
      ...(tailLines === undefined ? {} : { tailLines }),
      ...(limitBytes === undefined ? {} : { limitBytes }),
    },
  };
}

function timeOf(text: string | undefined): bigint | undefined {
  try {
    return text === undefined ? undefined : parseTime(text);
  } catch {
    throw new Refusal(400, `sinceTime: "${text}" is no RFC 3339 time`);
  }
}

function wholeNumber(query: URLSearchParams, name: string, least: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new Refusal(400, `${name}: "${text}" is no whole number`);
  if (Number(text) < least) throw new Refusal(422, `${name}: must be ${least} or more`);
  return Number(text);
}

/** A boolean of a query: there and not false. */
const isSet = (query: URLSearchParams, name: string): boolean =>
  query.has(name) && !['false', '0', ''].includes(query.get(name) ?? '');
