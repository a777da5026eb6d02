// The contract of an authenticator: it accepts, ignores or rejects the credential of a request.
import type { IncomingMessage } from 'node:http';

/** The user of a request. All values are opaque here (Authentication/General rules, 3). */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the user if the credential belongs to this mechanism and is valid, and `undefined` if the request has no
 * credential of this mechanism. Throws or rejects if the credential is invalid; the reason goes to the log, never to
 * the client. A token that names audiences must be for one of the given ones; the default is this server.
 */
export type Authenticator = (
  request: IncomingMessage,
  audiences?: readonly string[],
) => Promise<User | undefined> | User | undefined;
