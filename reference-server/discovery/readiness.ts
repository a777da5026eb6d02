// The health pages of a server whose storage can be away: not ready, but alive.
import type { Handler } from '../request.js';
import type { Storage } from '../storage/storage.js';

const paths: readonly string[] = ['/readyz', '/healthz'];
const mediaType = 'text/plain; charset=utf-8';

/** Returns a handler that says 500 on the pages of readiness while the storage does not respond. */
export function readiness(storage: Pick<Storage, 'probe'>, other: Handler): Handler {
  return async (request) => {
    const { path } = request.operation;
    if (!paths.includes(path)) return other(request);
    try {
      await storage.probe();
    } catch {
      return { status: 500, raw: `[-]etcd failed: reason withheld\n${path.slice(1)} check failed\n`, mediaType };
    }
    return other(request);
  };
}
