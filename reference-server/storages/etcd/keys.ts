// The keys of a storage in etcd, below its prefix.

/** The keys of one storage. Objects and head are in one range, which one watch follows. */
export class Keys {
  /** The range that the servers follow. */
  readonly followed: { readonly key: Buffer; readonly range_end: Buffer };
  readonly objects: { readonly key: Buffer; readonly range_end: Buffer };
  /**
   * Every write also puts this key, so the revision of its last put is the revision of the newest write: other programs
   * may write to the same etcd. A removal puts the last state of the object here.
   */
  readonly head: Buffer;
  /**
   * A full etcd takes no put. A removal then leaves the head as it is, and removes this key, which says that the head is
   * the newest write. The next put brings the key back. While it is absent, the newest write is the head or a removal
   * since: then the number of objects says which.
   */
  readonly headIsNewest: Buffer;
  /** The range of the head and of the key beside it. */
  readonly heads: { readonly key: Buffer; readonly range_end: Buffer };
  readonly #objects: string;

  constructor(readonly prefix: string) {
    this.#objects = `${prefix}/state/objects/`;
    this.followed = rangeOf(`${prefix}/state/`);
    this.objects = rangeOf(this.#objects);
    this.head = Buffer.from(`${prefix}/state/head`);
    this.headIsNewest = Buffer.from(`${prefix}/state/head/is-newest`);
    this.heads = rangeOf(`${prefix}/state/head`);
  }

  of(key: string): Buffer {
    return Buffer.from(this.#objects + key);
  }

  /** The key of an object in the storage; undefined for a key that is not one of an object. */
  objectOf(key: Buffer): string | undefined {
    const text = key.toString();
    return text.startsWith(this.#objects) ? text.slice(this.#objects.length) : undefined;
  }

  /** A key that is not one of an object, and that no server follows. */
  other(name: string): Buffer {
    return Buffer.from(`${this.prefix}/${name}`);
  }
}

/** The range of all keys with a prefix whose last byte is less than 255. */
function rangeOf(prefix: string): { readonly key: Buffer; readonly range_end: Buffer } {
  const [key, end] = [Buffer.from(prefix), Buffer.from(prefix)];
  end[end.length - 1] = (end.at(-1) as number) + 1;
  return { key, range_end: end };
}
