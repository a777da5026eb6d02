// The connections to the members of an etcd: calls that go to another member when one fails, and streams.

import { setTimeout as pause } from 'node:timers/promises';
import type * as Grpc from '@grpc/grpc-js';
import { OptionError } from '../../optionError.js';
import { StatusError } from '../../statusError.js';
import { StorageAway, StorageFull } from '../storage.js';
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

/** A stream in both directions. */
export type Duplex<Request, Response> = Grpc.ClientDuplexStream<Request, Response>;

export class EtcdClient {
  readonly #grpc: typeof Grpc;
  readonly #members: readonly Grpc.Client[];
  /** The member that calls go to. */
  #current = 0;
  /** Since when no member has responded, in milliseconds of `performance.now()`; undefined while one does. */
  #awaySince: number | undefined;
  #closed = false;

  private constructor(grpc: typeof Grpc, { addresses, tls }: Endpoints) {
    this.#grpc = grpc;
    const credentials = tls
      ? grpc.credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.certificate ?? null)
      : grpc.credentials.createInsecure();
    this.#members = addresses.map((address) => new grpc.Client(address, credentials, channelOptions));
  }

  /** Loads the package. Throws OptionError if it is not installed, or if a certificate cannot be used. */
  static async load(endpoints: Endpoints): Promise<EtcdClient> {
    const grpc = await import('@grpc/grpc-js').catch((error: Error) => {
      throw new OptionError(
        `--etcd-servers: @grpc/grpc-js is not there (${error.message}): npm install @grpc/grpc-js, or run without etcd`,
      );
    });
    try {
      return new EtcdClient(grpc, endpoints);
    } catch (error) {
      throw new OptionError(`--etcd-servers: ${(error as Error).message}`);
    }
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
        const response = await this.#attempt(method, request, patience);
        this.#awaySince = undefined;
        return response;
      } catch (error) {
        const failure = failureOf(error as Grpc.ServiceError, this.#grpc.status);
        if (failure !== 'away') throw failure;
        if (this.#closed) throw new StorageAway('it is closed');
        isUnknown ||= !isUnsent(error as Grpc.ServiceError);
        this.#awaySince ??= performance.now();
        this.turnAway();
        // An etcd that has been away for a while is not waited for by every call anew.
        const waited = performance.now() - Math.min(begun, this.#awaySince);
        if (waited > patience && attempt + 1 >= this.#members.length)
          throw isUnknown && isWrite(method) ? unknownOutcome() : new StorageAway(reasonOf(error as Grpc.ServiceError));
        if (isUnknown) onRepeat?.();
        await pause(Math.min(mostPause, leastPause * 2 ** attempt));
      }
    }
  }

  /** Opens a stream to the current member. The stream fails if the member loses its leader. */
  open<Request, Response>({ path, encode, decode }: Method<Request, Response>): Duplex<Request, Response> {
    const metadata = new this.#grpc.Metadata();
    metadata.set('hasleader', 'true');
    const member = this.#members[this.#current] as Grpc.Client;
    return member.makeBidiStreamRequest(path, encode, decode, metadata);
  }

  /** Chooses the next member, after a stream has failed. */
  turnAway(): void {
    this.#current = (this.#current + 1) % this.#members.length;
  }

  close(): void {
    this.#closed = true;
    for (const member of this.#members) member.close();
  }

  #attempt<Request, Response>(
    { path, encode, decode }: Method<Request, Response>,
    request: Request,
    millis: number,
  ): Promise<Response> {
    const member = this.#members[this.#current] as Grpc.Client;
    // A member that is cut off does not respond: the others still have half of the time.
    const deadline = Date.now() + (this.#members.length > 1 ? millis / 2 : millis);
    return new Promise((resolve, reject) => {
      member.makeUnaryRequest(path, encode, decode, request, { deadline }, (error, response) => {
        if (error) reject(error);
        else resolve(response as Response);
      });
    });
  }
}

const channelOptions = {
  // Pages of large objects; etcd itself limits one object to 1.5 MB.
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // A member whose machine is gone does not close its connections.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.enable_http_proxy': 0,
  // This client sends calls again by itself, and counts nothing: both cost CPU in each call.
  'grpc.enable_retries': 0,
  'grpc.enable_channelz': 0,
};

const isWrite = (method: Method<never, unknown>): boolean => method.path.endsWith('/Txn');

/** Returns the error for the caller, or 'away' if another member, or the same one later, may respond. */
function failureOf(error: Grpc.ServiceError, codes: typeof Grpc.status): Error | 'away' {
  const { code, details = '' } = error;
  if (/database space exceeded|NOSPACE/i.test(details)) return new StorageFull();
  if (/revision has been compacted/.test(details)) return new RevisionCompacted(details);
  if (/too large|larger than max/.test(details)) return tooLarge();
  if (/future revision/.test(details)) return error;
  const passing: readonly number[] = [codes.UNAVAILABLE, codes.DEADLINE_EXCEEDED, codes.CANCELLED, codes.INTERNAL];
  if (passing.includes(code) || /too many requests|leader|timed out|stopped/.test(details)) return 'away';
  return error;
}

/** Reports whether a call that failed has not left this process. */
const isUnsent = ({ details = '' }: Grpc.ServiceError): boolean => /No connection established/.test(details);

/** The reason without the addresses of the members, which clients need not know. */
function reasonOf({ details = '' }: Grpc.ServiceError): string {
  return /^etcdserver: /.test(details) ? details : 'etcd does not respond';
}

const tooLarge = () =>
  new StatusError(413, 'RequestEntityTooLarge', 'etcd does not take an object of this size: make it smaller');

const unknownOutcome = () =>
  new StatusError(504, 'Timeout', 'etcd did not respond in time: the write may have happened, or happen later', {
    retryAfterSeconds: 1,
  });
