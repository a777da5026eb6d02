// The types of credential sources: the setting that a source needs, and the known facts about the users.

import type { Fixtures } from '../../fixtures/fixtures.js';
import type { Sandbox } from '../../objects/sandbox.js';
import type { Credential } from '../../requirements/index.js';
import type { BackendControl } from '../../stand-ins/control.js';

/** The target and the configuration that it was started with. */
export interface Setting {
  readonly sandbox: Sandbox;
  readonly fixtures: Fixtures;
  readonly backends: BackendControl;
}

/** The user of a credential. An absent field is unknown; the user may have more groups than `groups`. */
export interface KnownUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface GoodCredential {
  readonly credential: Credential;
  readonly user: KnownUser;
}

/** The credentials of a mechanism, by variant. They reject if the target refuses a request that they need. */
export interface Source {
  readonly good: Readonly<Record<string, (setting: Setting) => Promise<GoodCredential>>>;
  /** Bad credentials, which a server must refuse. */
  readonly bad: Readonly<Record<string, (setting: Setting) => Promise<Credential>>>;
}

/** Returns a table with the same keys and other values. */
export function mapRows<Key extends string, From, To>(
  table: Readonly<Record<Key, From>>,
  change: (row: From, key: Key) => To,
): Record<Key, To> {
  const keys = Object.keys(table) as Key[];
  return Object.fromEntries(keys.map((key) => [key, change(table[key], key)])) as Record<Key, To>;
}

export const swapCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');

/** A long secret with another end: a server that compares only so many characters would accept it. */
export const otherEnd = (secret: string): string => `${secret.slice(0, -1)}-`;
