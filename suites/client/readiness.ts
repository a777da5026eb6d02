// What the target is not ready for yet: it refuses a request for now, and the same request succeeds some time later.

import { askedToRetry } from './backoff.js';
import type { Call } from './calls.js';
import type { Reply } from './reply.js';

/** Milliseconds between two tries if the target does not say when to try again, and the longest such time. */
const usualPause = 250;
const longestPause = 5_000;
/** How many times the time for a response a request is sent again if the target says when. */
const patience = 4;

/**
 * Reports whether a pod was refused because the namespace is new: its default service account, or the token of that
 * account, does not exist yet. The server asks to try again.
 */
const isInNewNamespace = ({ method, path }: Call, reply: Reply): boolean =>
  method === 'POST' &&
  /\/pods(?:$|\?)/.test(path) &&
  (reply.status === 403 || reply.status === 500) &&
  /service ?account[^,:]*\bdefault\b/i.test(reply.excerpt());

/** Returns the kind of a request: its method and the resource of its path. */
function kindOf({ method, path }: Call): string {
  const [resource] = /(?<=\/v\d\w*\/(?:namespaces\/[^/]+\/)?)(?!namespaces\/[^/]+\/)[^/?]+/.exec(path) ?? [path];
  return `${method} ${resource}`;
}

/** The requests of one client that the target was not ready for. */
export class Readiness {
  /** The kinds of requests that have waited in vain: the next one waits only after another one has succeeded. */
  readonly #vain = new Set<string>();

  /**
   * Returns the milliseconds after which a request is sent again, `waited` milliseconds after its first try; undefined if
   * the response counts. `time`: the milliseconds that a response may take.
   */
  pause(call: Call, reply: Reply, waited: number, time: number): number | undefined {
    const kind = kindOf(call);
    const asked = askedToRetry(reply);
    if (asked === undefined && !isInNewNamespace(call, reply)) {
      if (reply.status < 300) this.#vain.delete(kind);
      return undefined;
    }
    if (waited >= (asked === undefined ? time : patience * time)) this.#vain.add(kind);
    return this.#vain.has(kind) ? undefined : Math.min(Math.max(asked ?? 0, usualPause), longestPause);
  }
}
