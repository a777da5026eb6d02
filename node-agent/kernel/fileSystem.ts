// The virtual file system of a container: directories, files, links and mounts, in memory, within the budget of the pod.
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

  get reason(): string {
    return reasons[this.code];
  }
}

const reasons = {
  missing: 'No such file or directory',
  directory: 'Is a directory',
  notDirectory: 'Not a directory',
  readOnly: 'Read-only file system',
  full: 'No space left on device',
  exists: 'File exists',
  busy: 'Device or resource busy',
  loop: 'Too many levels of symbolic links',
  tooLong: 'File name too long',
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

export type Inode = Directory | File | Device | Link;

export class Directory {
  readonly kind = 'directory';
  readonly entries = new Map<string, Inode>();
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

/** A symbolic link. */
class Link {
  readonly kind = 'link';
  readonly mode = 0o777;
  readonly modified = new Date();

  constructor(readonly target: string) {}
}

/** The most links on the way to a file. */
const mostLinks = 40;

/** The most characters of a path and of a name, as on Linux. They bound how deep directories are. */
const longest = { path: 4096, name: 255 };

/** A directory or a file of another tree, which one file system shows at a path. */
class Mount {
  /** The mounts inside, by their directories and names. */
  readonly inside = new Map<Directory, Map<string, Mount>>();

  constructor(
    readonly inode: Directory | File,
    public readOnly: boolean,
    /** What pays for the files of the tree. */
    readonly budget: StorageBudget,
  ) {}
}

export class File {
  readonly kind = 'file';
  modified = new Date();
  #chunks: Buffer[] = [];
  #size = 0;
  /** The bytes of the budget that the file holds. */
  #charged = 0;

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
    this.#charged += chunk.length;
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    this.modified = new Date();
  }

  truncate(): void {
    this.release();
    this.#chunks = [];
    this.#size = 0;
    this.modified = new Date();
  }

  /** Returns what it holds of the budget, when no directory has it any more. Its content stays, for who has it open. */
  release(): void {
    this.budget.take(-this.#charged, '');
    this.#charged = 0;
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
  /** The mount that it is in, and whether it is the root of that. */
  readonly mount: Mount;
  readonly isMounted: boolean;
}

/** All paths are absolute. */
export class FileSystem {
  readonly #root: Mount;

  constructor(readonly budget = new StorageBudget()) {
    this.#root = new Mount(new Directory(), false, budget);
    this.makeDirectory('/dev').entries.set('null', new Device());
    this.makeDirectory('/tmp').mode = 0o1777;
    this.makeDirectory('/etc');
    this.makeDirectory('/root');
  }

  /** Forbids to write outside of what is mounted. */
  makeReadOnly(): void {
    this.#root.readOnly = true;
  }

  /** Throws FileError if there is nothing at the path. Never returns a link. */
  get(path: string): Exclude<Inode, Link> {
    const { inode } = this.#find(path);
    if (inode === undefined || inode.kind === 'link') throw new FileError(path, 'missing');
    return inode;
  }

  /** Returns what is at the path itself, which may be a link. Throws FileError. */
  getLink(path: string): Inode {
    const { inode } = this.#find(path, false);
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
    const { inode, mount } = this.#find(path);
    if (inode === undefined || inode.kind === 'link') throw new FileError(path, 'missing');
    if (inode.kind !== 'directory') throw new FileError(path, 'notDirectory');
    return [...new Set([...inode.entries.keys(), ...(mount.inside.get(inode)?.keys() ?? [])])].sort();
  }

  /** Creates a directory and its parents, if they do not exist. Throws FileError if a file is in the way. */
  makeDirectory(path: string): Directory {
    let at = '/';
    let directory = this.#root.inode as Directory;
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

  /** Creates a symbolic link, or replaces one. Throws FileError if something else is at the path. */
  link(target: string, path: string): void {
    const found = this.#find(path, false);
    if (found.inode !== undefined && found.inode.kind !== 'link') throw new FileError(path, 'exists');
    if (found.mount.readOnly) throw new FileError(path, 'readOnly');
    if (found.inode === undefined) found.mount.budget.take(inodeCost, path);
    found.parent?.entries.set(found.name, new Link(target));
  }

  /** Removes a file, a link, or a directory with all that is in it. Throws FileError. */
  remove(path: string): void {
    const { parent, name, inode, mount, isMounted } = this.#find(path, false);
    if (inode === undefined) throw new FileError(path, 'missing');
    if (mount.readOnly) throw new FileError(path, 'readOnly');
    if (parent === undefined || isMounted) throw new FileError(path, 'busy');
    if (inode.kind === 'directory') for (const entry of this.list(path)) this.remove(posix.join(path, entry));
    if (inode.kind === 'file') inode.release();
    if (inode.kind !== 'device') mount.budget.take(-inodeCost, path);
    parent.entries.delete(name);
  }

  /**
   * Mounts a directory or a file of another tree at a path. Its budget pays for what is written there. Other file systems
   * that show the tree around it do not show it.
   */
  mount(path: string, inode: Directory | File, readOnly: boolean, budget = this.budget): void {
    const name = split(path).at(-1);
    if (name === undefined) throw new FileError(path, 'busy');
    const above = posix.dirname(posix.resolve('/', path));
    const parent = this.makeDirectory(above);
    const { inside } = this.#find(above).mount;
    const mounts = inside.get(parent) ?? new Map<string, Mount>();
    inside.set(parent, mounts.set(name, new Mount(inode, readOnly, budget)));
  }

  #forWriting(path: string): File | Device {
    const found = this.#find(path);
    const inode = found.inode ?? this.#add(found, new File(found.mount.budget), path);
    if (inode.kind === 'link') throw new FileError(path, 'missing');
    if (inode.kind === 'directory') throw new FileError(path, 'directory');
    if (inode.kind === 'file' && found.mount.readOnly) throw new FileError(path, 'readOnly');
    return inode;
  }

  #add<Kind extends Directory | File>({ parent, name, mount }: Found, inode: Kind, path: string): Kind {
    if (mount.readOnly) throw new FileError(path, 'readOnly');
    mount.budget.take(inodeCost, path);
    parent?.entries.set(name, inode);
    return inode;
  }

  /** Finds what is at a path. A link at its end is followed by default. */
  #find(path: string, follows = true, links = 0): Found {
    const parts = split(path);
    const root = this.#root;
    let found: Found = { parent: undefined, name: '/', inode: root.inode, mount: root, isMounted: true };
    for (const [at, name] of parts.entries()) {
      const { inode: parent, mount } = found;
      if (parent === undefined) throw new FileError(path, 'missing');
      if (parent.kind !== 'directory') throw new FileError(path, 'notDirectory');
      const mounted = mount.inside.get(parent)?.get(name);
      const entry = mounted?.inode ?? parent.entries.get(name);
      if (entry?.kind === 'link' && (follows || at < parts.length - 1)) {
        if (links >= mostLinks) throw new FileError(path, 'loop');
        const target = posix.resolve('/', ...parts.slice(0, at), entry.target);
        return this.#find(posix.join(target, ...parts.slice(at + 1)), follows, links + 1);
      }
      found = { parent, name, inode: entry, mount: mounted ?? mount, isMounted: mounted !== undefined };
    }
    return found;
  }
}

/** Returns the names of a path. Throws FileError if it is too long. */
function split(path: string): string[] {
  const whole = posix.resolve('/', path);
  const parts = whole.split('/').filter((part) => part !== '');
  if (whole.length > longest.path || parts.some(({ length }) => length > longest.name))
    throw new FileError(`${path.slice(0, longest.name)}…`, 'tooLong');
  return parts;
}
