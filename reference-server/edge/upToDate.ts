// Lets a request see what clients of other servers have written before it.
import { unless } from '../statusError.js';
import type { Storage } from '../storage/storage.js';
import type { Locals, Middleware } from './locals.js';

/** What a server that shares its storage keeps up to date. */
export interface SharedState {
  readonly storage: Pick<Storage, 'sync' | 'revision'>;
  /** Serves the resources of all stored definitions; absent if the server has no definitions. */
  readonly customResources?: { start(): Promise<void> };
}

/**
 * Waits until this server knows every write that was acknowledged before the request, except for reads of a version that
 * it knows already (`resourceVersion`). Throws 503 if the storage is away; discovery shows what this server knows then.
 */
export function upToDate(
  { storage, customResources }: SharedState,
  served: { resolve(method: string, pathname: string): object | undefined },
): Middleware {
  return async ({ method }, { locals }, next) => {
    const { pathname } = locals;
    const isDiscovery = discovery.test(pathname);
    if (!isDiscovery && !/^\/apis?\//.test(pathname)) return next();
    if (isDiscovery) await storage.sync().catch(unless(503));
    else if (method !== 'GET' || !(await knows(storage, locals))) await storage.sync();
    if (isDiscovery || served.resolve(method, pathname) === undefined) await customResources?.start();
    next();
  };
}

const discovery = /^\/(api(\/[^/]+)?|apis(\/[^/]+){0,2}|openapi\/.*)\/?$/;

/** Reports whether the server knows the version that a read asks for. */
async function knows(storage: Pick<Storage, 'revision'>, { query }: Locals): Promise<boolean> {
  const version = query.get('resourceVersion') ?? '';
  return /^\d{1,15}$/.test(version) && Number(version) <= (await storage.revision());
}
