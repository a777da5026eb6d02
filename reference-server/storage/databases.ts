// The databases of a store on lmdb, and the settings that every program opens them with.
import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb';

/** The objects by key, the changes by revision, and the metadata of the store. */
export interface Databases {
  readonly root: RootDatabase;
  readonly objects: Database<string, string>;
  readonly log: Database<string, number>;
  readonly meta: Database<string, string>;
}

/** Opens the databases in a directory, and makes them if they are absent. */
export function openDatabases({ open }: Pick<typeof import('lmdb'), 'open'>, path: string): Databases {
  const root = open({ path, ...settings });
  return {
    root,
    objects: root.openDB<string, string>({ name: 'objects', encoding: 'string' }),
    log: root.openDB<string, number>({ name: 'log', encoding: 'string', keyEncoding: 'ordered-binary' }),
    meta: root.openDB<string, string>({ name: 'meta', encoding: 'string' }),
  };
}

/** The number of records in the statistics of a database. */
export function countOf(database: Database<string, string> | Database<string, number>): number {
  return (database.getStats() as { readonly entryCount: number }).entryCount;
}

// `permissionsMode` is not in the published types.
const settings: RootDatabaseOptions & { readonly permissionsMode: number } = {
  encoding: 'string',
  maxDbs: 3,
  permissionsMode: 0o600,
  /** A commit resolves when it is durable. */
  overlappingSync: false,
  /** DurableStorage makes the batches. A batch of lmdb has a promise that is left unhandled when a commit fails. */
  eventTurnBatching: false,
};
