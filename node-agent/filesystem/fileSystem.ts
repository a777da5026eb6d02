// A container's virtual file system: paths, links, mounts; kept in memory, within the pod's budget.
import { posix } from 'node:path';
import { Input, type Output } from '../programs/streams.js';
import { Budget, Device, Directory, File, FileError, Link, Mount, type Node } from './nodes.js';

const maxLinks = 40;
/** What a file, a directory or a link takes of the budget, whatever is in it. */
const nodeCost = 256;

interface Found {
  /** The directory that holds it; undefined for the root. */
  readonly parent: Directory | undefined;
  readonly name: string;
  /** Undefined when only its directory is there. */
  readonly node: Exclude<Node, Mount> | undefined;
  readonly mounted: boolean;
  readonly readOnly: boolean;
}

/** Paths are absolute, or relative to a directory that the caller has joined them to. */
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

  /** What is at a path, links followed. Throws FileError. */
  get(path: string): Directory | File | Device {
    const { node } = this.#find(path, true);
    if (node === undefined || node.kind === 'link') throw new FileError(path, 'missing');
    return node;
  }

  /** What is at a path, the last link not followed; undefined when nothing is. */
  look(path: string): Exclude<Node, Mount> | undefined {
    try {
      return this.#find(path, false).node;
    } catch (error) {
      if (error instanceof FileError) return undefined;
      throw error;
    }
  }

  /** The names in a directory, sorted. Throws FileError. */
  list(path: string): string[] {
    const node = this.get(path);
    if (node.kind !== 'directory') throw new FileError(path, 'notDirectory');
    return [...node.entries.keys()].sort();
  }

  /** Makes a directory and those above it. Throws FileError where a file is in the way. */
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

  /** Opens a file for writing; it is made where it is missing. Throws FileError. */
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

  /** The bytes of a file. Throws FileError. */
  read(path: string): Buffer {
    const node = this.get(path);
    if (node.kind === 'directory') throw new FileError(path, 'directory');
    return node.kind === 'device' ? Buffer.alloc(0) : Buffer.concat([...node.chunks()]);
  }

  /** Reads a file piece by piece. Throws FileError. */
  input(path: string): Input {
    const node = this.get(path);
    if (node.kind === 'directory') throw new FileError(path, 'directory');
    if (node.kind === 'device') return new Input({ read: async () => node.read(), close: () => {} });
    const chunks = node.chunks();
    return new Input({ read: async () => chunks.next().value ?? undefined, close: () => {} });
  }

  /** Makes a symbolic link. Throws FileError where something is there already. */
  link(path: string, target: string): void {
    const found = this.#find(path, false);
    if (found.node !== undefined) throw new FileError(path, 'exists');
    this.#add(found, new Link(target), path);
  }

  /** Removes a file, a link or an empty directory; with `recursive` a full one too. Throws FileError. */
  remove(path: string, recursive = false): void {
    const found = this.#find(path, false);
    if (found.node === undefined) throw new FileError(path, 'missing');
    if (found.parent === undefined || found.mounted) throw new FileError(path, 'busy');
    this.#writable(found, path);
    if (found.node.kind === 'directory') {
      if (found.node.entries.size > 0 && !recursive) throw new FileError(path, 'notEmpty');
      for (const name of [...found.node.entries.keys()]) this.remove(posix.join(path, name), true);
    } else if (found.node.kind === 'file') found.node.truncate();
    found.parent.entries.delete(found.name);
    this.budget.take(-nodeCost, path);
  }

  /** Shows a directory or a file of another tree at a path. */
  mount(path: string, node: Directory | File, readOnly: boolean): void {
    const parent = this.makeDirectory(posix.dirname(posix.join('/', path)));
    parent.entries.set(posix.basename(path), new Mount(node, readOnly));
  }

  #forWriting(path: string): File | Device {
    const found = this.#find(path, true);
    if (found.node?.kind === 'directory') throw new FileError(path, 'directory');
    if (found.node?.kind === 'device') return found.node;
    if (found.node?.kind !== 'file') return this.#add(found, new File(this.budget), path);
    this.#writable(found, path);
    return found.node;
  }

  #add<Kind extends Directory | File | Link>(place: Found, node: Kind, path: string): Kind {
    this.#writable(place, path);
    this.budget.take(nodeCost, path);
    place.parent?.entries.set(place.name, node);
    return node;
  }

  #writable({ readOnly }: Found, path: string): void {
    if (readOnly) throw new FileError(path, 'readOnly');
  }

  #find(path: string, followLast: boolean): Found {
    let left = split(path);
    let links = 0;
    let found: Found = { parent: undefined, name: '/', node: this.#root, mounted: false, readOnly: false };
    /** The way to where we are, for `..` and for relative links. */
    let way: Found[] = [];
    while (left.length > 0) {
      const [name = '', ...rest] = left;
      if (name === '..') {
        found = way.pop() ?? found;
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
          found = way[0] ?? found;
          way = [];
        }
        left = [...split(target), ...rest];
        continue;
      }
      way.push(found);
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
