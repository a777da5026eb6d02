// When the client sends a request again that was not handled: 429 with Retry-After, within limits, and 408.

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
