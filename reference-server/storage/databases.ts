// The databases of a store on lmdb, and how all who open it do so.
import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb';

/** The objects by key, the changes by revision, and what is true of the store as a whole. */
export interface Databases {
  readonly root: RootDatabase;
  readonly objects: Database<string, string>;
  readonly log: Database<string, number>;
  readonly meta: Database<string, string>;
}

/** Opens the databases in a directory. */
export function openDatabases({ open }: Pick<typeof import('lmdb'), 'open'>, path: string): Databases {
  const root = open({ path, ...settings });
  return {
    root,
    objects: root.openDB<string, string>({ name: 'objects', encoding: 'string' }),
    log: root.openDB<string, number>({ name: 'log', encoding: 'string', keyEncoding: 'ordered-binary' }),
    meta: root.openDB<string, string>({ name: 'meta', encoding: 'string' }),
  };
}

/** How many records a database says that it has. */
export function countOf(database: Database<string, string> | Database<string, number>): number {
  return (database.getStats() as { readonly entryCount: number }).entryCount;
}

// `permissionsMode` is not in the published types.
const settings: RootDatabaseOptions & { readonly permissionsMode: number } = {
  encoding: 'string',
  maxDbs: 3,
  permissionsMode: 0o600,
  /** A commit is durable when it is answered. */
  overlappingSync: false,
  /** Batches are made above; those of lmdb have a promise that nobody handles when a commit fails. */
  eventTurnBatching: false,
};
