// The directory that a durable store is in: its own, closed to other users, and used by one server at a time.
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
import { dirname, join, resolve } from 'node:path';

/** A data directory cannot be used; the message says what to do. */
export class DataDirectoryError extends Error {}

/** A directory that no other server can use until it is released. */
export interface OwnDirectory {
  readonly path: string;
  release(): void;
}

const ownerOnly = 0o700;
const ownerFile = 0o600;
const others = 0o077;

/**
 * Makes a directory this server's own; it is made if it is not there. Throws DataDirectoryError where another server
 * uses it, where other users can read it, or where it cannot be locked.
 */
export function claimDirectory(directory: string): OwnDirectory {
  const path = resolve(directory);
  makeDirectory(path);
  requireClosed(directory, path);
  const lock = lockIn(directory, path);
  return { path, release: () => closeSync(lock) };
}

/** Makes a directory inside of a data directory, and closes it and its files to other users. */
export function closeToOthers(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: ownerOnly });
  if (process.platform === 'win32') return;
  chmodSync(path, ownerOnly);
  for (const name of readdirSync(path)) chmodSync(join(path, name), ownerFile);
}

/** Makes a directory and those above it. (Node's own `recursive` never ends below /proc.) */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  mkdirSync(directory, { mode: ownerOnly });
}

/** What is stored holds secrets. An empty directory is closed here; one with other things in it is the user's to close. */
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
 * Locks a file for as long as it is open. The lock is that of an open file, not of a process (OFD locks on Linux,
 * flock on macOS, LockFileEx on Windows): the kernel drops it when its holder dies, however that happens; it holds
 * between two servers in one process, between namespaces of process ids, and between hosts where the file system has
 * locks (NFS does). Node has none of these. What was tried instead: the locks of LMDB let several processes write;
 * a file with a process id outlives its process and says nothing in another namespace; a bound socket does not reach
 * other hosts; LevelDB's lock brings a second store, and packages that lock by a file's time wait for it to grow old.
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
    // Earlier versions left their number here.
    rmSync(join(path, 'server.pid'), { force: true });
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Says who holds the lock, where there is room on the disk to say so: the lock does not depend on it. */
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
      `fs-native-extensions is not there (${why}): npm install fs-native-extensions, or run without a data directory`,
    );
  }
}
