// A second server like the target, with files of its own, which can be started again: for what counts from the next start.
import { connect } from '../stand-ins/control.js';

/** The files that say who may come in, or who is asked about it. */
export type UserFile = 'tokens.csv' | 'passwords.csv' | 'webhook.kubeconfig';

/** Where it is reached. */
export interface Reached {
  readonly url: string;
  /** PEM of the authority that signed its certificate. */
  readonly ca?: string;
}

/** What can be done with it. Only one is there at a time. */
export interface SecondServer {
  /** Starts it with its files as they are now; at first these are those of the target. */
  start(): Promise<Reached>;
  stop(): Promise<void>;
  /** Replaces a text in one of its files, whether it runs or not. */
  change(file: UserFile, from: string, to: string): Promise<void>;
  /** Makes its files those of the target again. */
  restore(): Promise<void>;
}

/** The name of every operation. */
export const secondServerOperations = [
  'start',
  'stop',
  'change',
  'restore',
] as const satisfies readonly (keyof SecondServer)[];

/** The second server behind a URL. Its operations reject where it cannot be had. */
export const connectSecondServer = (url: string): SecondServer => connect(url, secondServerOperations);
