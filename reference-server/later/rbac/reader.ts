// Keeps a policy as new as the storage: it follows the changes, and a request waits for those before it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Storage } from '../../storage/storage.js';
import { Policy, type PolicyKind } from './policy.js';

/** The key prefixes of the objects of each kind, and of all of them. */
export interface Prefixes {
  readonly all: string;
  readonly kinds: Readonly<Record<PolicyKind, string>>;
}

/** One run of reading: from a list on, until the changes end. */
interface Reading {
  readonly stop: AbortController;
  readonly policy: Policy;
  /** The policy has all changes up to this revision. */
  revision: number;
}

export class PolicyReader {
  readonly #prefix: string;
  readonly #kinds: readonly (readonly [PolicyKind, string])[];
  #reading: Promise<Reading> | undefined;
  #policy = new Policy();

  constructor(
    readonly storage: Pick<Storage, 'revision' | 'list' | 'watch'>,
    { all, kinds }: Prefixes,
  ) {
    this.#prefix = all;
    this.#kinds = Object.entries(kinds) as [PolicyKind, string][];
  }

  /** The newest policy that is known. */
  get policy(): Policy {
    return this.#policy;
  }

  /**
   * Resolves when the policy has every change up to the newest revision that the storage knows. Throws the error of the
   * storage; the next call tries again.
   */
  async current(): Promise<void> {
    const wanted = await this.storage.revision();
    const reading = await this.#read();
    if (reading.revision >= wanted) return;
    // By then the watch has delivered the changes up to the revision, if there are any of these kinds.
    await nextTurn();
    reading.revision = Math.max(reading.revision, wanted);
    // The changes may have ended meanwhile.
    await this.#read();
  }

  stop(): void {
    const reading = this.#reading;
    this.#reading = undefined;
    reading?.then(({ stop }) => stop.abort()).catch(() => {});
  }

  #read(): Promise<Reading> {
    if (this.#reading !== undefined) return this.#reading;
    const begun = this.#begin();
    this.#reading = begun;
    const forget = (): void => {
      if (this.#reading === begun) this.#reading = undefined;
    };
    begun.then((reading) => this.#follow(reading)).then(forget, forget);
    return begun;
  }

  async #begin(): Promise<Reading> {
    const revision = await this.storage.revision();
    const policy = new Policy();
    for (const [kind, prefix] of this.#kinds) {
      const { entries } = await this.storage.list(prefix, { revision });
      for (const { value } of entries) policy.put(kind, value);
    }
    this.#policy = policy;
    return { stop: new AbortController(), policy, revision };
  }

  /** Takes note of changes until they end, or fail: then the next request reads all again, and gets the error if there is one. */
  async #follow({ policy, revision, stop }: Reading): Promise<void> {
    for await (const changes of this.storage.watch(this.#prefix, revision, stop.signal)) {
      for (const { type, entry, previous } of changes) {
        const [kind] = this.#kinds.find(([, prefix]) => entry.key.startsWith(prefix)) ?? [];
        if (kind === undefined) continue;
        if (type === 'put') policy.put(kind, entry.value, previous?.value);
        else policy.remove(kind, previous?.value ?? entry.value);
      }
    }
  }
}
