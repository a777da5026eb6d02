// What opens the storage of a server: memory by default. Other storages are opened from outside of the core.
import { makeSigningKey, type SigningKey } from './serviceaccounts/signingKey.js';
import { MemoryStorage } from './storage/memory.js';
import { alone, type Leadership, type Storage } from './storage/storage.js';

/** An open storage, and what depends on whether other servers use it too. */
export interface OpenStorage {
  readonly storage: Storage;
  readonly leadership: Leadership;
  readonly isShared: boolean;
  /** Returns the key that signs the tokens of service accounts. */
  signingKey(): Promise<SigningKey>;
}

export const inMemory = async (): Promise<OpenStorage> => ({
  storage: new MemoryStorage(),
  leadership: alone,
  isShared: false,
  signingKey: makeSigningKey,
});
