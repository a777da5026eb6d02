// How the suite spares a target: it sends small batches, and waits as long as a busy target asks for (429, Retry-After).

/** The longest single wait, and the sum of all waits of one client, in milliseconds. */
const longest = 10_000;
const budget = 60_000;
/** The maximum number of times that one request is sent: to a busy target, and after a 408. */
const tries = 5;
const triesAfterTimeout = 3;

/** The waits of one client. */
export class Backoff {
  #left = budget;

  /**
   * Returns the milliseconds after which a request is sent again, given the response to its nth try; undefined if that
   * response counts. A target that asks for more than the longest wait gets the request after the longest wait.
   */
  pause(status: number, retryAfter: string | undefined, attempt: number): number | undefined {
    // The target ended a connection that was idle for too long, and this crossed the request (RFC 9110, 15.5.9).
    if (status === 408) return attempt < triesAfterTimeout ? 0 : undefined;
    if (status !== 429 || retryAfter === undefined || attempt >= tries) return undefined;
    const asked = millisecondsOf(retryAfter);
    if (asked === undefined) return undefined;
    const pause = Math.min(asked, longest);
    if (pause > this.#left) return undefined;
    // A wait of zero counts too: a target that asks for zero for ever does not get requests for ever.
    this.#left -= Math.max(pause, 100);
    return pause;
  }
}

/** Returns the milliseconds of a Retry-After, which holds seconds or a date. */
function millisecondsOf(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The number of actions at the same time: only the cases load a target heavily. */
const batch = 8;

/** Runs `act` on every item, eight at a time. Returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(act))));
  }
  return results;
}
