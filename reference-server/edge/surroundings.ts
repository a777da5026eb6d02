// What stands between a server and its clients: a base path, a delay, a request that it dies of.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { OptionError } from '../optionError.js';
import { splitTarget } from '../resolver/resolver.js';
import type { Serve } from './listen.js';

/** The options of it, as they are given. */
export interface SurroundingsOptions {
  /** `--latency`: how much later every request is dealt with, in milliseconds; 0 by default. */
  readonly latency?: number;
  /** `--base-path`: the path below which the whole API is, such as `/k8s/c1`; none by default. */
  readonly basePath?: string;
  /** `--crash-on`: the first request of this method and path ends the process, with code 70. */
  readonly crashOn?: string;
}

/** The same, checked. */
export interface Surroundings {
  readonly latency: number;
  /** Without a slash at its end; empty for none. */
  readonly basePath: string;
  readonly crashes: (method: string, pathname: string) => boolean;
}

/** The exit code of a server that crashed as it was told to. */
const crashCode = 70;
const longestLatency = 10_000;

/** Checks the options. Throws an OptionError that says what to write. */
export function readSurroundings({ latency = 0, basePath = '', crashOn }: SurroundingsOptions): Surroundings {
  if (!Number.isInteger(latency) || latency < 0 || latency > longestLatency)
    throw new OptionError(`--latency: ${latency} is no number of milliseconds from 0 to ${longestLatency}`);
  const path = basePath.replace(/\/$/, '');
  if (path !== '' && !/^(\/[\w.~-]+)+$/.test(path))
    throw new OptionError(`--base-path: "${basePath}" is no path; write it as /k8s/c1`);
  return { latency, basePath: path, crashes: crashOn === undefined ? never : patternOf(crashOn) };
}

const never = (): boolean => false;

function patternOf(text: string): Surroundings['crashes'] {
  const [, method, path] = /^([A-Z]+|\*) (\/\S*)$/.exec(text) ?? [];
  if (method === undefined || path === undefined)
    throw new OptionError(
      `--crash-on: "${text}" is not understood; write it as 'PUT /api/v1/namespaces/*/configmaps/*'`,
    );
  const literal = path.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`^${literal.join('[^/]*')}$`);
  return (asked, pathname) => (method === '*' || method === asked) && pattern.test(pathname);
}

const basePaths = new WeakMap<IncomingMessage, string>();

/** The base path that a request came by, which its URL no longer has. */
export const basePathOf = (request: IncomingMessage): string => basePaths.get(request) ?? '';

/** Serves as if the surroundings were there; the request that comes through has no base path. */
export function surrounded(serve: Serve, { latency, basePath, crashes }: Surroundings): Serve {
  if (latency === 0 && basePath === '' && crashes === never) return serve;
  return async (request, response, upgrade) => {
    const { pathname, search } = splitTarget(request.url ?? '/');
    const inner = withoutBase(pathname, basePath);
    if (inner !== undefined && crashes(request.method ?? '', inner)) process.exit(crashCode);
    if (latency > 0) await wait(latency);
    if (inner === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`404 ${STATUS_CODES[404]}\n`);
      return;
    }
    if (basePath !== '') {
      basePaths.set(request, basePath);
      request.url = search === '' ? inner : `${inner}?${search}`;
    }
    serve(request, response, upgrade);
  };
}

function withoutBase(pathname: string, basePath: string): string | undefined {
  if (basePath === '') return pathname;
  if (pathname === basePath) return '/';
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : undefined;
}
