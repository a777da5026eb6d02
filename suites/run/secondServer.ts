// A second server like the target, with its own files, that can be restarted: for settings that take effect at a start.
import { Prerequisite } from '../client/expect.js';
import { connectOperations } from '../stand-ins/control.js';

/** The files that define users, or the service that the server asks about users. */
export type UserFile = 'tokens.csv' | 'passwords.csv' | 'webhook.kubeconfig';

export interface SecondServerAddress {
  readonly url: string;
  /** PEM of the authority that signed the certificate. */
  readonly ca?: string;
}

/** Controls the second server. At most one runs at a time. */
export interface SecondServer {
  /** Starts the server with its current files, which at first equal those of the target. */
  start(): Promise<SecondServerAddress>;
  stop(): Promise<void>;
  /** Replaces a text in one of the files, whether the server runs or not. */
  change(file: UserFile, from: string, to: string): Promise<void>;
  /** Replaces the files with those of the target. */
  restore(): Promise<void>;
}

export const secondServerOperations = [
  'start',
  'stop',
  'change',
  'restore',
] as const satisfies readonly (keyof SecondServer)[];

/** Starts the server. Throws Prerequisite with the reason if it does not start. */
export async function started(server: SecondServer): Promise<SecondServerAddress> {
  try {
    return await server.start();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Prerequisite(`no second server could be started: ${why.slice(0, 500)}`, { cause });
  }
}

/** Returns the second server behind a URL. Its operations reject if the server is not available. */
export const connectSecondServer = (url: string): SecondServer => connectOperations(url, secondServerOperations);
