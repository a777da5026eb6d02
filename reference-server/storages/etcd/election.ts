// The leader among the servers of an etcd: the one that has put a key with a lease that it keeps alive.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Leadership } from '../../storage/storage.js';
import type { EtcdClient } from './client.js';
import { type Int64, lastWrittenAt, methods, numberOfInt64 } from './messages.js';

/** How long a server leads without news of it, in seconds. */
const leaseSeconds = 5;
/** How often a server renews its lease, or looks whether there is a leader, in milliseconds. */
const lookMillis = 1_000;

export class Election implements Leadership {
  readonly #id = randomUUID();

  constructor(
    readonly client: EtcdClient,
    readonly key: Buffer,
  ) {}

  async whileLeading(act: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lease = await this.#campaign().catch(() => undefined);
      if (lease === undefined) {
        await pause(lookMillis, undefined, { signal }).catch(() => undefined);
        continue;
      }
      const term = new AbortController();
      const stop = () => term.abort();
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      const kept = this.#keep(lease, term);
      try {
        await act(term.signal);
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
        await kept;
        // The next leader need not wait for the end of the lease.
        await this.client.call(methods.revoke, { ID: lease }, { patience: lookMillis }).catch(() => undefined);
      }
    }
  }

  /** Puts the key, and returns its lease, or undefined if another server leads. */
  async #campaign(): Promise<Int64 | undefined> {
    const { kvs } = await this.client.call(methods.range, { key: this.key });
    if (kvs.length > 0) return undefined;
    const { ID } = await this.client.call(methods.grant, { TTL: leaseSeconds });
    const { succeeded } = await this.client.call(methods.txn, {
      compare: [lastWrittenAt(0, this.key)],
      success: [{ request_put: { key: this.key, value: Buffer.from(this.#id), lease: ID } }],
    });
    if (succeeded) return ID;
    await this.client.call(methods.revoke, { ID }).catch(() => undefined);
    return undefined;
  }

  /** Keeps the lease alive until the term ends, and ends the term before the lease can have ended. */
  async #keep(lease: Int64, term: AbortController): Promise<void> {
    const { signal } = term;
    let until = performance.now() + leaseSeconds * 1_000;
    while (!signal.aborted) {
      await pause(lookMillis, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const asked = performance.now();
      const left = await this.#renew(lease, signal).catch(() => undefined);
      if (left !== undefined) until = asked + left * 1_000;
      if (left === 0 || performance.now() > until - lookMillis) term.abort();
    }
  }

  /** Renews the lease. Returns for how many seconds, 0 if it has ended. */
  #renew(lease: Int64, signal: AbortSignal): Promise<number> {
    return new Promise<number>((resolve, reject) => {
      const over = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        stream.cancel();
      };
      const fail = (failure: Error) => {
        reject(failure);
        over();
      };
      const end = () => fail(new Error('the term has ended'));
      const stream = this.client.open(methods.keepAlive, {
        data: ({ TTL }) => {
          resolve(numberOfInt64(TTL));
          over();
        },
        end: (failure) => fail(failure ?? new Error('etcd ended the stream')),
      });
      const timer = setTimeout(() => fail(new Error('no news of the lease')), lookMillis);
      signal.addEventListener('abort', end, { once: true });
      stream.write({ ID: lease });
    });
  }
}
