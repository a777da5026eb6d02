// The nodes of a virtual file system: directories, files, links, devices, and the mounts between trees.

/** What went wrong with a path, in the words of the C library. */
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
  exists: 'File exists',
  directory: 'Is a directory',
  notDirectory: 'Not a directory',
  notEmpty: 'Directory not empty',
  readOnly: 'Read-only file system',
  busy: 'Device or resource busy',
  loop: 'Too many levels of symbolic links',
  full: 'No space left on device',
} as const;

/** The bytes that the file systems of one pod may hold. */
export class Budget {
  #used = 0;

  constructor(readonly limit = 67_108_864) {}

  /** Takes bytes, or gives them back where the number is negative. Throws FileError when there are none left. */
  take(bytes: number, path: string): void {
    if (this.#used + bytes > this.limit) throw new FileError(path, 'full');
    this.#used += bytes;
  }
}

export type Node = Directory | File | Link | Device | Mount;

export class Directory {
  readonly kind = 'directory';
  readonly entries = new Map<string, Node>();
  modified = new Date();

  constructor(public mode = 0o755) {}
}

export class Link {
  readonly kind = 'link';
  readonly mode = 0o777;
  modified = new Date();

  constructor(readonly target: string) {}
}

/** A file of the kernel: `null` and `zero`. */
export class Device {
  readonly kind = 'device';
  readonly mode = 0o666;
  modified = new Date();

  /** `read` gives the bytes of every read; undefined is the end. */
  constructor(readonly read: () => Buffer | undefined) {}
}

/** A directory or a file of another tree, seen at a place of this one. */
export class Mount {
  readonly kind = 'mount';

  constructor(
    readonly node: Directory | File,
    readonly readOnly: boolean,
  ) {}
}

export class File {
  readonly kind = 'file';
  modified = new Date();
  #chunks: Buffer[] = [];
  #size = 0;
  #waiting: (() => void)[] = [];

  constructor(
    readonly budget: Budget,
    public mode = 0o644,
  ) {}

  get size(): number {
    return this.#size;
  }

  /** Throws FileError when the pod has no bytes left. */
  append(chunk: Buffer, path: string): void {
    this.budget.take(chunk.length, path);
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    this.#touch();
  }

  truncate(): void {
    this.budget.take(-this.#size, '');
    this.#chunks = [];
    this.#size = 0;
    this.#touch();
  }

  /** The bytes from an offset on, as they are now. */
  *chunks(offset = 0): Generator<Buffer, void, void> {
    let skip = offset;
    for (const chunk of [...this.#chunks]) {
      if (skip >= chunk.length) skip -= chunk.length;
      else {
        yield chunk.subarray(skip);
        skip = 0;
      }
    }
  }

  /** Resolves at the next change. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #touch(): void {
    this.modified = new Date();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
