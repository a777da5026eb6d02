// The nodes of a virtual file system: directories, files, links, devices, and the mounts between trees.
import { Condition } from './condition.js';

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
  exists: 'File exists',
  directory: 'Is a directory',
  notDirectory: 'Not a directory',
  notEmpty: 'Directory not empty',
  readOnly: 'Read-only file system',
  busy: 'Device or resource busy',
  loop: 'Too many levels of symbolic links',
  full: 'No space left on device',
} as const;

/** The bytes that the file systems of one pod may use. */
export class Budget {
  #used = 0;

  constructor(readonly limit = 67_108_864) {}

  /**
   * Takes bytes from the budget, or returns them if the number is negative. Throws FileError if the budget is
   * exhausted.
   */
  take(bytes: number, path: string): void {
    if (this.#used + bytes > this.limit) throw new FileError(path, 'full');
    this.#used += bytes;
  }
}

export type Node = Directory | File | Symlink | Device | Mount;

export class Directory {
  readonly kind = 'directory';
  readonly entries = new Map<string, Node>();
  modified = new Date();

  constructor(public mode = 0o755) {}
}

export class Symlink {
  readonly kind = 'link';
  readonly mode = 0o777;
  modified = new Date();

  constructor(readonly target: string) {}
}

/** `/dev/null` or `/dev/zero`. */
export class Device {
  readonly kind = 'device';
  readonly mode = 0o666;
  modified = new Date();

  /** `read` returns the bytes of each read, and undefined at the end. */
  constructor(readonly read: () => Buffer | undefined) {}
}

/** A directory or a file of another tree, mounted in this one. */
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
  /** Notified at each change of the content. */
  readonly changed = new Condition();

  constructor(
    readonly budget: Budget,
    public mode = 0o644,
  ) {}

  get size(): number {
    return this.#size;
  }

  /** Appends bytes. Throws FileError if the pod's budget is exhausted. */
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

  /** Yields the current bytes from an offset on. */
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

  #touch(): void {
    this.modified = new Date();
    this.changed.notify();
  }
}
