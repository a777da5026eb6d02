// What the target is not ready for yet: it refuses a request for now, and the same request succeeds some time later.

import { askedToRetry } from './backoff.js';
import type { Call } from './calls.js';
import { at } from './json.js';
import { hasNoAddress, type Reply } from './reply.js';

/** Milliseconds between two tries if the target does not say when to try again, at first, and the longest such time. */
const usualPause = 250;
const longestPause = 5_000;
/** How many times the time for a response a request is sent again: one controller may be busy with many namespaces. */
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

/** Reports whether a write lost a race for the usage of a quota, which admission reads from a cache that may be late. */
const isBeatenToQuota = ({ path }: Call, reply: Reply): boolean =>
  reply.status === 409 &&
  !/\/resourcequotas\b/.test(path) &&
  /\bon resourcequotas "[^"]*": the object has been modified/.test(String(at(reply.tryValue(), 'message')));

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
    const isNew = isInNewNamespace(call, reply);
    // Another account may never get its token, and says nothing about the account of a new namespace.
    const [kind, inNew] = [kindOf(call), `${kindOf(call)} in a new namespace`];
    // A range of addresses may be small, and those of other cases become free when they end.
    const isLate = isBeatenToQuota(call, reply) || hasNoAddress(reply);
    const left = patience * time - waited;
    // as long again as it has waited, so that a target that has none for long gets few requests
    const asked = askedToRetry(reply) ?? (isLate ? Math.min(waited, left) : undefined);
    if (asked === undefined && !isNew) {
      if (reply.status < 300) for (const each of [kind, inNew]) this.#vain.delete(each);
      return undefined;
    }
    const waiting = isNew ? inNew : kind;
    if (left <= 0) this.#vain.add(waiting);
    return this.#vain.has(waiting) ? undefined : Math.min(Math.max(asked ?? 0, usualPause), longestPause);
  }
}
