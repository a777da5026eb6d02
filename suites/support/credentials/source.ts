// What a mechanism's credentials are made with, and what the suite knows of whom they let in.
import type { Credential } from '../../../matrix/requirements/index.js';
import type { Fixtures } from '../../fixtures/fixtures.js';
import type { StandInControl } from '../../stand-ins/control.js';
import type { Scope } from '../scope.js';

/** The target and what it was started with. */
export interface Setting {
  readonly scope: Scope;
  readonly fixtures: Fixtures;
  readonly standIns: StandInControl;
}

/** Who a credential lets in. What is absent is not known; `groups` are those that the user has at least. */
export interface KnownUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A credential that lets somebody in. */
export interface GoodCredential {
  readonly credential: Credential;
  readonly user: KnownUser;
}

/** The credentials of a mechanism, by what is particular about each. They reject where the target denies what they need. */
export interface Source {
  readonly good: Readonly<Record<string, (setting: Setting) => Promise<GoodCredential>>>;
  /** These let nobody in. */
  readonly bad: Readonly<Record<string, (setting: Setting) => Promise<Credential>>>;
}

/** A table with the same keys and other values. */
export function mapped<Key extends string, From, To>(
  table: Readonly<Record<Key, From>>,
  change: (row: From, key: Key) => To,
): Record<Key, To> {
  const keys = Object.keys(table) as Key[];
  return Object.fromEntries(keys.map((key) => [key, change(table[key], key)])) as Record<Key, To>;
}
