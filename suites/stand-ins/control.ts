// How the suite's workers program the stand-ins and see their calls: one interface, here as a client of its endpoint.

import type { StandInName } from '../fixtures/fixtures.js';
import type { IdentityUser } from './identityService.js';
import type { IdTokenRequest } from './idTokens.js';
import type { ReceivedCall } from './secureServer.js';
import type { ReviewReply } from './webhookReviewer.js';

/**
 * What can be done with the stand-ins. Reviews and users belong to a token or a name, so that workers do not meet;
 * `setReachable` and `showCertificate` are felt by all of them: put things right again.
 */
export interface StandInControl {
  /** How reviews of this token are answered from now on. Unknown tokens are not authenticated. */
  setReview(token: string, reply: ReviewReply): Promise<void>;
  /** Adds a user of the identity service, or replaces one. */
  setIdentityUser(username: string, user: IdentityUser): Promise<void>;
  /** An ID token of the issuer, good unless the request says otherwise. */
  mintIdToken(request: IdTokenRequest): Promise<string>;
  /** The issuer signs with new keys from now on; the old ones stay published. */
  rotateKeys(): Promise<void>;
  /**
   * The calls about this token or user, or that hold the text anywhere; all of them without a text. Only those since a
   * time, ISO 8601, where one is given.
   */
  calls(standIn: StandInName, about?: string, since?: string): Promise<readonly ReceivedCall[]>;
  /** Why connections ended before they carried a call. */
  refusedHandshakes(standIn: StandInName): Promise<readonly string[]>;
  /** False: connections are refused until it is true again. */
  setReachable(standIn: StandInName, reachable: boolean): Promise<void>;
  /** The server certificate of later connections: its own, or one of an authority that nobody trusts. */
  showCertificate(standIn: StandInName, which: 'own' | 'foreign'): Promise<void>;
}

/** The name of every operation of the control. */
export const controlOperations = [
  'setReview',
  'setIdentityUser',
  'mintIdToken',
  'rotateKeys',
  'calls',
  'refusedHandshakes',
  'setReachable',
  'showCertificate',
] as const satisfies readonly (keyof StandInControl)[];

/** The control behind a URL. Its operations reject where the endpoint is gone or refuses what it is asked. */
export const connectControl = (url: string): StandInControl => connect(url, controlOperations);

/** The operations that another process serves at a URL, as functions. */
export function connect<T extends object>(url: string, operations: readonly (keyof T & string)[]): T {
  const operation =
    (name: string) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ operation: name, arguments: args }) });
      const { result, error } = (await answer.json()) as { readonly result?: unknown; readonly error?: string };
      if (!answer.ok) throw new Error(`control: ${name}: ${error ?? answer.status}`);
      return result;
    };
  return Object.fromEntries(operations.map((name) => [name, operation(name)])) as T;
}
