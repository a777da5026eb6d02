// A target that is busy says when to come back (429 with Retry-After): how long to wait for that, within bounds.

/** Milliseconds of the longest single wait, and of all waits of one client. */
const longest = 10_000;
const budget = 60_000;
/** How often one request is sent. */
const tries = 5;

/** The waits of one client. */
export class Backoff {
  #left = budget;

  /**
   * Milliseconds after which a request is to be sent again, by the answer to its nth try; undefined where that answer
   * counts. A target that asks for more than the longest wait is asked again no later than that.
   */
  pause(status: number, retryAfter: string | undefined, attempt: number): number | undefined {
    if (status !== 429 || retryAfter === undefined || attempt >= tries) return undefined;
    const asked = millisecondsOf(retryAfter);
    if (asked === undefined) return undefined;
    const pause = Math.min(asked, longest);
    if (pause > this.#left) return undefined;
    // Zero costs something too: a target that asks for it for ever is not asked for ever.
    this.#left -= Math.max(pause, 100);
    return pause;
  }
}

/** Retry-After holds seconds or a date. */
function millisecondsOf(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
