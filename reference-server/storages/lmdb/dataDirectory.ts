// The directory of a durable store: closed to other users, and used by one server at a time.
import {
  chmodSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../../matrix/api/makeFolder.js';

/** A data directory cannot be used. The message says how to correct this. */
export class DataDirectoryError extends Error {}

/** A data directory that no other server can use until `release` is called. */
export interface OwnDirectory {
  readonly path: string;
  release(): void;
}

const ownerOnly = 0o700;
const ownerFile = 0o600;
const others = 0o077;

/**
 * Claims a directory for this server, and makes the directory if it is absent. Throws DataDirectoryError if another
 * server uses the directory, other users can read it, or it cannot be locked.
 */
export function claimDirectory(directory: string): OwnDirectory {
  const path = resolve(directory);
  makeFolder(path, ownerOnly);
  requireClosed(directory, path);
  const lock = lockIn(directory, path);
  return { path, release: () => closeSync(lock) };
}

/** Makes a directory inside a data directory, and closes the directory and its files to other users. */
export function restrictToOwner(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: ownerOnly });
  if (process.platform === 'win32') return;
  chmodSync(path, ownerOnly);
  for (const name of readdirSync(path)) chmodSync(join(path, name), ownerFile);
}

/**
 * Throws DataDirectoryError if other users can read the directory: stored objects include secrets. An empty directory
 * is closed here; the user must close a directory that has files.
 */
function requireClosed(directory: string, path: string): void {
  if (process.platform === 'win32') return;
  const mode = () => statSync(path).mode & 0o777;
  if ((mode() & others) !== 0 && readdirSync(path).length === 0) chmodSync(path, ownerOnly);
  if ((mode() & others) === 0) return;
  throw new DataDirectoryError(
    `${directory} is open to other users (mode ${mode().toString(8)}): chmod 700 it, or take another directory`,
  );
}

/**
 * Locks a file for as long as it is open. The lock belongs to the open file, not to the process (OFD locks on Linux,
 * flock on macOS, LockFileEx on Windows). The kernel drops the lock when the process dies, for any reason. The lock
 * holds between two servers in one process, between namespaces of process ids, and between hosts if the file system has
 * locks (NFS does). Node has no such locks. Alternatives that do not work: LMDB's locks allow several writers; a file
 * with a process id outlives its process and means nothing in another namespace; a bound socket does not reach other
 * hosts; LevelDB's lock adds a second store; packages that lock by a file's age have to wait for the age.
 */
function lockIn(directory: string, path: string): number {
  const file = join(path, 'lock');
  const tryLock = locking();
  const descriptor = openSync(file, 'a+', ownerFile);
  try {
    if (!tryLock(descriptor)) {
      const holder = readFileSync(file, 'utf8').trim();
      throw new DataDirectoryError(
        `${directory} is used by another server${holder === '' ? '' : ` (${holder})`}: stop it, or take another directory`,
      );
    }
    signLock(descriptor);
    // Earlier versions wrote their process id to this file.
    rmSync(join(path, 'server.pid'), { force: true });
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * Writes the process id and the host into the lock file. A full disk is not an error: the lock needs no text.
 */
function signLock(descriptor: number): void {
  try {
    ftruncateSync(descriptor);
    writeSync(descriptor, `process ${process.pid} on ${hostname()}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function locking(): (descriptor: number) => boolean {
  try {
    return (createRequire(import.meta.url)('fs-native-extensions') as { tryLock(of: number): boolean }).tryLock;
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new DataDirectoryError(
      `fs-native-extensions is not there (${why}): npm install lmdb fs-native-extensions, or run without a data directory`,
    );
  }
}
