// The contract of an authenticator: mine and valid, not mine, or mine and bad.
import type { IncomingMessage } from 'node:http';

/** Who a request comes from. All values are opaque here (Authentication/General rules, 3). */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * A user: the credential is this mechanism's and valid. `undefined`: it carries none of this mechanism's.
 * A rejection: it is this mechanism's and bad; the reason is for the log, never for the client.
 */
export type Authenticator = (request: IncomingMessage) => Promise<User | undefined> | User | undefined;
