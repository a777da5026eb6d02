// The virtual file system of a container: paths, links and mounts, in memory, within the budget of the pod.
import { posix } from 'node:path';
import { Budget, Device, Directory, File, FileError, Mount, type Node, Symlink } from './nodes.js';
import { Input, type Output } from './streams.js';

const maxLinks = 40;
/** The cost of a file, a directory or a link besides its content, in bytes. */
const nodeCost = 256;

interface Found {
  /** The parent directory; undefined for the root. */
  readonly parent: Directory | undefined;
  readonly name: string;
  /** Undefined if only the parent exists. */
  readonly node: Exclude<Node, Mount> | undefined;
  readonly mounted: boolean;
  readonly readOnly: boolean;
}

/** The file system. All paths are absolute. */
export class FileSystem {
  readonly #root = new Directory();

  constructor(readonly budget = new Budget()) {
    const dev = this.makeDirectory('/dev');
    dev.entries.set('null', new Device(() => undefined));
    dev.entries.set('zero', new Device(() => Buffer.alloc(4096)));
    this.makeDirectory('/tmp').mode = 0o1777;
    this.makeDirectory('/etc');
    this.makeDirectory('/root');
  }

  /** Returns the node at a path, and follows links. Throws FileError. */
  get(path: string): Directory | File | Device {
    const { node } = this.#find(path, true);
    if (node === undefined || node.kind === 'link') throw new FileError(path, 'missing');
    return node;
  }

  /** Returns the node at a path without following a link at its end. Returns undefined if there is none. */
  lookup(path: string): Exclude<Node, Mount> | undefined {
    try {
      return this.#find(path, false).node;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }

  /** Returns the names in a directory, sorted. Throws FileError. */
  list(path: string): string[] {
    const node = this.get(path);
    if (node.kind !== 'directory') throw new FileError(path, 'notDirectory');
    return [...node.entries.keys()].sort();
  }

  /** Creates a directory and its parents, if they do not exist. Throws FileError if a file is in the way. */
  makeDirectory(path: string): Directory {
    let at = '/';
    let directory = this.#root;
    for (const part of split(path)) {
      at = posix.join(at, part);
      const found = this.#find(at, true);
      if (found.node === undefined) {
        directory = this.#add(found, new Directory(), at);
      } else if (found.node.kind === 'directory') directory = found.node;
      else throw new FileError(at, 'notDirectory');
    }
    return directory;
  }

  /** Opens a file for writing, and creates it if it does not exist. Throws FileError. */
  open(path: string, mode: 'truncate' | 'append'): Output {
    const node = this.#forWriting(path);
    if (node.kind === 'device') return { write: async () => {} };
    if (mode === 'truncate') node.truncate();
    return { write: async (chunk) => node.append(chunk, path) };
  }

  /** Writes a whole file. Throws FileError. */
  write(path: string, content: Buffer | string, mode = 0o644): void {
    const node = this.#forWriting(path);
    if (node.kind === 'device') return;
    node.truncate();
    node.append(Buffer.from(content), path);
    node.mode = mode;
  }

  /** Returns the bytes of a file. Throws FileError. */
  read(path: string): Buffer {
    const node = this.get(path);
    if (node.kind === 'directory') throw new FileError(path, 'directory');
    return node.kind === 'device' ? Buffer.alloc(0) : Buffer.concat([...node.chunks()]);
  }

  /** Returns an input that reads a file in pieces. Throws FileError. */
  input(path: string): Input {
    const node = this.get(path);
    if (node.kind === 'directory') throw new FileError(path, 'directory');
    if (node.kind === 'device') return new Input({ read: async () => node.read(), close: () => {} });
    const chunks = node.chunks();
    return new Input({ read: async () => chunks.next().value ?? undefined, close: () => {} });
  }

  /** Creates a symbolic link. Throws FileError if the path exists. */
  symlink(path: string, target: string): void {
    const found = this.#find(path, false);
    if (found.node !== undefined) throw new FileError(path, 'exists');
    this.#add(found, new Symlink(target), path);
  }

  /** Removes a file, a link or an empty directory; with `recursive`, a directory with its content. Throws FileError. */
  remove(path: string, recursive = false): void {
    const found = this.#find(path, false);
    if (found.node === undefined) throw new FileError(path, 'missing');
    if (found.parent === undefined || found.mounted) throw new FileError(path, 'busy');
    if (found.readOnly) throw new FileError(path, 'readOnly');
    if (found.node.kind === 'directory') {
      if (found.node.entries.size > 0 && !recursive) throw new FileError(path, 'notEmpty');
      for (const name of [...found.node.entries.keys()]) this.remove(posix.join(path, name), true);
    } else if (found.node.kind === 'file') found.node.truncate();
    found.parent.entries.delete(found.name);
    this.budget.take(-nodeCost, path);
  }

  /** Mounts a directory or a file of another tree at a path. */
  mount(path: string, node: Directory | File, readOnly: boolean): void {
    const parent = this.makeDirectory(posix.dirname(posix.join('/', path)));
    parent.entries.set(posix.basename(path), new Mount(node, readOnly));
  }

  #forWriting(path: string): File | Device {
    const found = this.#find(path, true);
    if (found.node?.kind === 'directory') throw new FileError(path, 'directory');
    if (found.node?.kind === 'device') return found.node;
    if (found.node?.kind !== 'file') return this.#add(found, new File(this.budget), path);
    if (found.readOnly) throw new FileError(path, 'readOnly');
    return found.node;
  }

  #add<Kind extends Directory | File | Symlink>({ parent, name, readOnly }: Found, node: Kind, path: string): Kind {
    if (readOnly) throw new FileError(path, 'readOnly');
    this.budget.take(nodeCost, path);
    parent?.entries.set(name, node);
    return node;
  }

  #find(path: string, followLast: boolean): Found {
    let left = split(path);
    let links = 0;
    let found: Found = { parent: undefined, name: '/', node: this.#root, mounted: false, readOnly: false };
    /** The directories above `found`, for `..` and for relative links. */
    let parents: Found[] = [];
    while (left.length > 0) {
      const [name = '', ...rest] = left;
      if (name === '..') {
        found = parents.pop() ?? found;
        left = rest;
        continue;
      }
      if (found.node === undefined) throw new FileError(path, 'missing');
      if (found.node.kind !== 'directory') throw new FileError(path, 'notDirectory');
      const next = enter(found.node, name, found.readOnly);
      if (next.node?.kind === 'link' && (followLast || rest.length > 0)) {
        if (++links > maxLinks) throw new FileError(path, 'loop');
        const { target } = next.node;
        if (target.startsWith('/')) {
          found = parents[0] ?? found;
          parents = [];
        }
        left = [...split(target), ...rest];
        continue;
      }
      parents.push(found);
      found = next;
      left = rest;
    }
    return found;
  }
}

function enter(parent: Directory, name: string, readOnly: boolean): Found {
  const node = parent.entries.get(name);
  if (node?.kind !== 'mount') return { parent, name, node, mounted: false, readOnly };
  return { parent, name, node: node.node, mounted: true, readOnly: readOnly || node.readOnly };
}

const split = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');
