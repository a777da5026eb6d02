// The virtual file system of a container: directories, files and mounts, in memory, within the budget of the pod.
import { posix } from 'node:path';
import { Input, type Output } from './streams.js';

/** An operation on a path failed. The message equals that of the C library. */
export class FileError extends Error {
  override readonly name = 'FileError';

  constructor(
    readonly path: string,
    readonly code: keyof typeof reasons,
  ) {
    super(`${path}: ${reasons[code]}`);
  }
}

const reasons = {
  missing: 'No such file or directory',
  directory: 'Is a directory',
  notDirectory: 'Not a directory',
  readOnly: 'Read-only file system',
  full: 'No space left on device',
} as const;

/** The bytes that the file systems of one pod may use. */
export class StorageBudget {
  #used = 0;

  constructor(readonly limit = 67_108_864) {}

  /** Takes bytes, or returns them if the number is negative. Throws FileError if the budget is exhausted. */
  take(bytes: number, path: string): void {
    if (this.#used + bytes > this.limit) throw new FileError(path, 'full');
    this.#used += bytes;
  }
}

export type Inode = Directory | File | Device;

export class Directory {
  readonly kind = 'directory';
  readonly entries = new Map<string, Inode | Mount>();
  modified = new Date();
  /** Whether it is the root of a volume that a node keeps in memory. */
  isInMemory = false;

  constructor(public mode = 0o755) {}
}

/** `/dev/null` */
class Device {
  readonly kind = 'device';
  readonly mode = 0o666;
  modified = new Date();
}

/** A directory or a file of another tree. */
class Mount {
  readonly kind = 'mount';

  constructor(
    readonly inode: Directory | File,
    readonly readOnly: boolean,
  ) {}
}

class File {
  readonly kind = 'file';
  modified = new Date();
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    readonly budget: StorageBudget,
    public mode = 0o644,
  ) {}

  get size(): number {
    return this.#size;
  }

  /** Throws FileError if the budget is exhausted. */
  append(chunk: Buffer, path: string): void {
    this.budget.take(chunk.length, path);
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    this.modified = new Date();
  }

  truncate(): void {
    this.budget.take(-this.#size, '');
    this.#chunks = [];
    this.#size = 0;
    this.modified = new Date();
  }

  /** Yields the bytes that the file has now. */
  *chunks(): Generator<Buffer, void, void> {
    yield* [...this.#chunks];
  }
}

/** The cost of a file or a directory besides its content, in bytes. */
const inodeCost = 256;

interface Found {
  /** The parent directory; undefined for the root. */
  readonly parent: Directory | undefined;
  readonly name: string;
  /** Undefined if only the parent exists. */
  readonly inode: Inode | undefined;
  readonly readOnly: boolean;
}

/** All paths are absolute. */
export class FileSystem {
  readonly #root = new Directory();

  constructor(readonly budget = new StorageBudget()) {
    this.makeDirectory('/dev').entries.set('null', new Device());
    this.makeDirectory('/tmp').mode = 0o1777;
    this.makeDirectory('/etc');
    this.makeDirectory('/root');
  }

  /** Throws FileError if there is nothing at the path. */
  get(path: string): Inode {
    const { inode } = this.#find(path);
    if (inode === undefined) throw new FileError(path, 'missing');
    return inode;
  }

  /** Returns undefined if there is nothing at the path. */
  find(path: string): Inode | undefined {
    try {
      return this.#find(path).inode;
    } catch {
      return undefined;
    }
  }

  /** Returns the names in a directory, sorted. Throws FileError. */
  list(path: string): string[] {
    const inode = this.get(path);
    if (inode.kind !== 'directory') throw new FileError(path, 'notDirectory');
    return [...inode.entries.keys()].sort();
  }

  /** Creates a directory and its parents, if they do not exist. Throws FileError if a file is in the way. */
  makeDirectory(path: string): Directory {
    let at = '/';
    let directory = this.#root;
    for (const part of split(path)) {
      at = posix.join(at, part);
      const found = this.#find(at);
      const inode = found.inode ?? this.#add(found, new Directory(), at);
      if (inode.kind !== 'directory') throw new FileError(at, 'notDirectory');
      directory = inode;
    }
    return directory;
  }

  /** Opens a file for writing, and creates it if it does not exist. Throws FileError. */
  open(path: string, mode: 'truncate' | 'append'): Output {
    const file = this.#forWriting(path);
    if (file.kind === 'device') return { write: async () => {} };
    if (mode === 'truncate') file.truncate();
    return { write: async (chunk) => file.append(chunk, path) };
  }

  /** Writes a whole file. Throws FileError. */
  write(path: string, content: Buffer | string, mode = 0o644): void {
    const file = this.#forWriting(path);
    if (file.kind === 'device') return;
    file.truncate();
    file.append(Buffer.from(content), path);
    file.mode = mode;
  }

  /** Returns an input that reads a file in pieces. Throws FileError. */
  input(path: string): Input {
    const inode = this.get(path);
    if (inode.kind === 'directory') throw new FileError(path, 'directory');
    const chunks = inode.kind === 'device' ? [].values() : inode.chunks();
    return new Input({ read: async () => chunks.next().value ?? undefined, close: () => {} });
  }

  /** Mounts a directory or a file of another tree at a path. */
  mount(path: string, inode: Directory | File, readOnly: boolean): void {
    const parent = this.makeDirectory(posix.dirname(posix.join('/', path)));
    parent.entries.set(posix.basename(path), new Mount(inode, readOnly));
  }

  #forWriting(path: string): File | Device {
    const found = this.#find(path);
    const inode = found.inode ?? this.#add(found, new File(this.budget), path);
    if (inode.kind === 'directory') throw new FileError(path, 'directory');
    if (inode.kind === 'file' && found.readOnly) throw new FileError(path, 'readOnly');
    return inode;
  }

  #add<Kind extends Directory | File>({ parent, name, readOnly }: Found, inode: Kind, path: string): Kind {
    if (readOnly) throw new FileError(path, 'readOnly');
    this.budget.take(inodeCost, path);
    parent?.entries.set(name, inode);
    return inode;
  }

  #find(path: string): Found {
    let found: Found = { parent: undefined, name: '/', inode: this.#root, readOnly: false };
    for (const name of split(path)) {
      const { inode: parent, readOnly } = found;
      if (parent === undefined) throw new FileError(path, 'missing');
      if (parent.kind !== 'directory') throw new FileError(path, 'notDirectory');
      const entry = parent.entries.get(name);
      found =
        entry?.kind === 'mount'
          ? { parent, name, inode: entry.inode, readOnly: readOnly || entry.readOnly }
          : { parent, name, inode: entry, readOnly };
    }
    return found;
  }
}

const split = (path: string): string[] =>
  posix
    .resolve('/', path)
    .split('/')
    .filter((part) => part !== '');
