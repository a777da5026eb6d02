// The interface by which the suite's workers configure the stand-ins and read their calls, as a client of its endpoint.

import { Pool } from 'undici';
import type { StandInName } from '../fixtures/fixtures.js';
import type { IdentityUser } from './identityService.js';
import type { IdTokenRequest } from './idTokens.js';
import type { ReceivedCall } from './secureServer.js';
import type { ReviewReply } from './webhookReviewer.js';

/**
 * Controls the stand-ins. Reviews and users belong to a token or a name, so that workers do not interfere with each
 * other. `setReachable` and `showCertificate` affect all workers, so the caller must undo them.
 */
export interface BackendControl {
  /** Sets the response to later reviews of this token. Unknown tokens are not authenticated. */
  setReview(token: string, reply: ReviewReply): Promise<void>;
  /** Adds or replaces a user of the identity service. */
  setIdentityUser(username: string, user: IdentityUser): Promise<void>;
  /** Returns an ID token of the issuer, valid unless the request says otherwise. */
  mintIdToken(request: IdTokenRequest): Promise<string>;
  /** Makes the issuer sign with new keys; the old keys stay published. */
  rotateKeys(): Promise<void>;
  /**
   * Returns the calls about this token or user, or with this text in any part; all calls without `about`. With `since`,
   * an ISO 8601 time, only later calls.
   */
  calls(standIn: StandInName, about?: string, since?: string): Promise<readonly ReceivedCall[]>;
  /** Returns why connections ended before they carried a call. */
  refusedHandshakes(standIn: StandInName): Promise<readonly string[]>;
  /** `false` refuses connections until `true` is set. */
  setReachable(standIn: StandInName, reachable: boolean): Promise<void>;
  /** Sets the server certificate of later connections: the stand-in's own, or one of an unknown authority. */
  showCertificate(standIn: StandInName, which: 'own' | 'foreign'): Promise<void>;
}

export const controlOperations = [
  'setReview',
  'setIdentityUser',
  'mintIdToken',
  'rotateKeys',
  'calls',
  'refusedHandshakes',
  'setReachable',
  'showCertificate',
] as const satisfies readonly (keyof BackendControl)[];

/** Returns the control behind a URL. Its operations reject if the endpoint is gone or refuses the call. */
export const connectControl = (url: string): BackendControl => connectOperations(url, controlOperations);

/** Returns the operations that another process serves at a URL, as functions. */
export function connectOperations<T extends object>(url: string, operations: readonly (keyof T & string)[]): T {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin);
  const operation =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const body = JSON.stringify({ operation: name, arguments: args });
      const answer = await pool.request({ path, method: 'POST', body });
      const { result, error } = (await answer.body.json()) as { readonly result?: unknown; readonly error?: string };
      if (answer.statusCode !== 200) throw new Error(`control: ${name}: ${error ?? answer.statusCode}`);
      return result;
    };
  return Object.fromEntries(operations.map((name) => [name, operation(name)])) as T;
}
