// Serves the log of a container, with the query parameters of the API's `log`.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { currentTime, parseTime } from '../api/time.js';
import type { LogOptions } from '../containers/log.js';
import type { PodManager } from '../pods/podManager.js';
import { containerOf, HttpError, type KubeletRequest } from './request.js';

/** Writes the log to the response, until it ends or the client disconnects. Throws HttpError. */
export async function containerLogs(
  pods: PodManager,
  request: KubeletRequest,
  response: ServerResponse,
): Promise<void> {
  const worker = containerOf(pods, request);
  const { options, previous } = readLogQuery(request.query);
  const { container, pod } = request;
  const found = previous ? worker.previous : worker.current;
  if (found === undefined) {
    const why = previous
      ? `previous terminated container "${container}" in pod "${pod}" not found`
      : `container "${container}" in pod "${pod}" is waiting to start: ${worker.status.state?.waiting?.reason ?? 'unknown'}`;
    throw new HttpError(400, why);
  }
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.flushHeaders();
  for await (const chunk of found.log.read(options, disconnected.signal)) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: disconnected.signal }).catch(() => {});
  }
  // A kube-apiserver that reads the last bytes together with the end does not send them to a WebSocket.
  await setImmediate();
  response.end();
}

/** Throws HttpError. */
function readLogQuery(query: URLSearchParams): { readonly options: LogOptions; readonly previous: boolean } {
  const sinceSeconds = wholeNumber(query, 'sinceSeconds', 1);
  const sinceTime = query.get('sinceTime') || undefined;
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw new HttpError(422, 'at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  const since = sinceSeconds === undefined ? timeOf(sinceTime) : currentTime() - BigInt(sinceSeconds) * 1_000_000_000n;
  const tailLines = wholeNumber(query, 'tailLines', 0);
  const limitBytes = wholeNumber(query, 'limitBytes', 1);
  return {
    previous: isSet(query, 'previous'),
    options: {
      follow: isSet(query, 'follow'),
      timestamps: isSet(query, 'timestamps'),
      ...(since !== undefined && { since }),
      ...(tailLines !== undefined && { tailLines }),
      ...(limitBytes !== undefined && { limitBytes }),
    },
  };
}

function timeOf(text: string | undefined): bigint | undefined {
  try {
    return text === undefined ? undefined : parseTime(text);
  } catch {
    throw new HttpError(400, `sinceTime: "${text}" is not a RFC 3339 time`);
  }
}

function wholeNumber(query: URLSearchParams, name: string, minimum: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new HttpError(400, `${name}: "${text}" is not a whole number`);
  if (Number(text) < minimum) throw new HttpError(422, `${name}: must be ${minimum} or more`);
  return Number(text);
}

/** An empty value is false. */
const isSet = (query: URLSearchParams, name: string): boolean =>
  query.has(name) && !['false', '0', ''].includes(query.get(name) ?? '');
