// The connections to the members of an etcd: calls that go to another member when one fails, and streams.

import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { OptionError } from '../../optionValues.js';
import { StatusError } from '../../statusError.js';
import { StorageAway, StorageFull } from '../../storage/storage.js';
import { CallFailed, Connection, codes, type Duplex, type StreamReader } from './connection.js';
import type { Endpoints } from './endpoints.js';
import type { Method } from './messages.js';

/** etcd no longer has the revision that a call asks for. */
export class RevisionCompacted extends Error {}

/** How long a call waits for an etcd that does not respond, in milliseconds: longer than the election of a leader. */
const patienceMillis = 10_000;
const [leastPause, mostPause] = [20, 250];

export interface CallOptions {
  /** How long to wait for an etcd that does not respond, in milliseconds. */
  readonly patience?: number;
  /** Called if the request is sent again although etcd may have received it. */
  readonly onRepeat?: () => void;
}

export class EtcdClient {
  readonly #members: readonly Connection[];
  /** The member that calls go to. */
  #current = 0;
  /** Since when no member has responded, in milliseconds of `performance.now()`; undefined while one does. */
  #awaySince: number | undefined;
  #closed = false;

  /** Throws OptionError if a certificate or a key cannot be used. */
  constructor({ addresses, tls }: Endpoints) {
    try {
      if (tls) createSecureContext({ ca: tls.ca, cert: tls.certificate, key: tls.key });
    } catch (error) {
      throw new OptionError(`--etcd-servers: ${(error as Error).message}`);
    }
    this.#members = addresses.map((address) => new Connection(address, tls));
  }

  /**
   * Calls a method that may be called again: a read, or a transaction with conditions. Goes on to the next member while
   * etcd does not respond. Throws StorageAway if no member does, StorageFull, RevisionCompacted, 413 for a request that
   * is too large, and 504 if it is unknown whether a write happened.
   */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: Request,
    { patience = patienceMillis, onRepeat }: CallOptions = {},
  ): Promise<Response> {
    const begun = performance.now();
    let isUnknown = false;
    for (let attempt = 0; ; attempt++) {
      try {
        // A member that is cut off does not respond: the others still have half of the time.
        const millis = this.#members.length > 1 ? patience / 2 : patience;
        const response = await this.#member.call(method, request, millis);
        this.#awaySince = undefined;
        return response;
      } catch (error) {
        const failure = failureOf(error);
        if (failure !== 'away') throw failure;
        if (this.#closed) throw new StorageAway('it is closed');
        isUnknown ||= !(error as CallFailed).isUnsent;
        this.#awaySince ??= performance.now();
        this.turnAway();
        // Not every call waits again for an etcd that has been unreachable for a while.
        const waited = performance.now() - Math.min(begun, this.#awaySince);
        if (waited > patience && attempt + 1 >= this.#members.length)
          throw isUnknown && isWrite(method) ? unknownOutcome() : new StorageAway(reasonOf(error as CallFailed));
        if (isUnknown) onRepeat?.();
        await pause(Math.min(mostPause, leastPause * 2 ** attempt));
      }
    }
  }

  /** Opens a stream to the current member. The stream fails if the member loses its leader. */
  open<Request, Response>(method: Method<Request, Response>, reader: StreamReader<Response>): Duplex<Request> {
    return this.#member.open(method, reader);
  }

  /** Chooses the next member, after a stream has failed. */
  turnAway(): void {
    this.#current = (this.#current + 1) % this.#members.length;
  }

  close(): void {
    this.#closed = true;
    for (const member of this.#members) member.close();
  }

  /** The member that calls go to. Throws StorageAway once the client is closed: a member would connect again. */
  get #member(): Connection {
    if (this.#closed) throw new StorageAway('it is closed');
    return this.#members[this.#current] as Connection;
  }
}

const isWrite = (method: Method<never, unknown>): boolean => method.path.endsWith('/Txn');

/** Returns the error for the caller, or 'away' if another member, or the same one later, may respond. */
function failureOf(error: unknown): Error | 'away' {
  if (!(error instanceof CallFailed)) return error as Error;
  const { code, message } = error;
  if (/database space exceeded|NOSPACE/i.test(message)) return new StorageFull();
  if (/revision has been compacted/.test(message)) return new RevisionCompacted(message);
  if (/too large|larger than max/.test(message)) return tooLarge();
  if (/future revision/.test(message)) return error;
  if (passing.includes(code) || /too many requests|leader|timed out|stopped/.test(message)) return 'away';
  return error;
}

/** The codes of failures that another member, or the same one later, may not have. */
const passing: readonly number[] = [codes.unavailable, codes.deadlineExceeded, codes.cancelled, codes.internal];

/** The reason without the addresses of the members, which clients need not know. */
function reasonOf({ message }: CallFailed): string {
  return /^etcdserver: /.test(message) ? message : 'etcd does not respond';
}

const tooLarge = () =>
  new StatusError(413, 'RequestEntityTooLarge', 'etcd does not take an object of this size: make it smaller');

const unknownOutcome = () =>
  new StatusError(504, 'Timeout', 'etcd did not respond in time: the write may have happened, or happen later', {
    retryAfterSeconds: 1,
  });
