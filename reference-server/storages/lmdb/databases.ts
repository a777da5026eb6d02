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

interface Tree {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

interface Stats extends Tree {
  readonly root: Tree;
  readonly free: Tree;
  readonly lastPageNumber: number;
  readonly pageSize: number;
}

/** The number of pages before those of the trees. */
const metaPages = 2;

/** Returns the offset in bytes at which the pages of a store end. */
export function endOf({ root }: Databases): number {
  const { pageSize, lastPageNumber } = root.getStats() as Stats;
  return (lastPageNumber + 1) * pageSize;
}

/** Returns the bytes of the pages of a store that no tree uses. */
export function freeBytesOf({ root, objects, log, meta }: Databases): number {
  const { pageSize, lastPageNumber, ...stats } = root.getStats() as Stats;
  const trees: readonly Tree[] = [
    stats.root,
    stats.free,
    ...[objects, log, meta].map((each) => each.getStats() as Stats),
  ];
  const pages = trees.map((tree) => tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages);
  return (lastPageNumber + 1 - metaPages - pages.reduce((sum, each) => sum + each, 0)) * pageSize;
}

// `permissionsMode` is not in the published types.
const settings: RootDatabaseOptions & { readonly permissionsMode: number } = {
  encoding: 'string',
  maxDbs: 3,
  permissionsMode: 0o600,
  overlappingSync: false,
  /** DurableStorage makes the batches. A batch of lmdb has a promise that is left unhandled when a commit fails. */
  eventTurnBatching: false,
};
