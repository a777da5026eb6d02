// Writes the files of a volume as a kubelet does: all at once, behind the link `..data`, so that no reader sees half of them.
import { posix } from 'node:path';
import type { FileSystem } from '../kernel/fileSystem.js';

export interface VolumeFile {
  readonly content: Buffer | string;
  readonly mode: number;
}

/** The files of a volume by their paths in it. */
export type Payload = ReadonlyMap<string, VolumeFile>;

const dataLink = '..data';

export class AtomicWriter {
  #written: Payload | undefined;
  /** The directory of the present files. */
  #current: string | undefined;
  #count = 0;

  /** `root` is the directory of the volume. */
  constructor(
    readonly files: FileSystem,
    readonly root: string,
  ) {}

  /** Replaces the files of the volume, if they differ. Throws FileError if there is no room. */
  write(payload: Payload): void {
    if (this.#written !== undefined && areEqual(this.#written, payload)) return;
    const { files, root } = this;
    const name = this.#nextName();
    const directory = posix.join(root, name);
    files.makeDirectory(directory);
    for (const [path, { content, mode }] of payload) {
      // For any path, this one is inside the directory.
      const target = posix.join(directory, posix.join('/', path));
      files.makeDirectory(posix.dirname(target));
      files.write(target, content, mode);
    }
    files.link(name, posix.join(root, dataLink));
    const shown = topOf(payload);
    for (const entry of shown) files.link(posix.join(dataLink, entry), posix.join(root, entry));
    for (const entry of this.#written === undefined ? [] : topOf(this.#written)) {
      if (!shown.has(entry)) files.remove(posix.join(root, entry));
    }
    if (this.#current !== undefined) files.remove(this.#current);
    this.#current = directory;
    this.#written = payload;
  }

  /** Returns a name that holds the time, such as `..2026_01_02_03_04_05.000000001`. */
  #nextName(): string {
    const time = new Date().toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
    return `..${time}.${String(++this.#count).padStart(9, '0')}`;
  }
}

/** Returns the first parts of the paths. */
const topOf = (payload: Payload): ReadonlySet<string> =>
  new Set([...payload.keys()].map((path) => posix.join('/', path).split('/')[1] ?? ''));

const areEqual = (one: Payload, other: Payload): boolean =>
  one.size === other.size &&
  [...one].every(([path, { content, mode }]) => {
    const found = other.get(path);
    return found?.mode === mode && Buffer.from(content).equals(Buffer.from(found.content));
  });
