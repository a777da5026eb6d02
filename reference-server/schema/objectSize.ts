// The size of objects as they are stored, and its limit.
import { StatusError } from '../statusError.js';

/** The largest stored object by default, in bytes of JSON: 1.5 MiB, as the largest request of etcd. */
export const defaultMaxObjectSize = 1.5 * 1024 * 1024;

/**
 * Returns the bytes of a value as JSON, without the escapes of its strings. Counts no further once there are more than
 * `most`: parts of a value may be shared, so a small value can have a long text.
 */
export function jsonBytes(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : String(value).length;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      bytes += jsonBytes(item, most - bytes) + 1;
      if (bytes > most) break;
    }
    return bytes;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (fields[name] === undefined) continue;
    bytes += name.length + 4 + jsonBytes(fields[name], most - bytes);
    if (bytes > most) break;
  }
  return bytes;
}

/** 413 for an object that would be larger than the server stores. */
const objectTooLarge = (most: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `the object is too large to be stored: the limit is ${most} bytes`);

/**
 * Throws 413 if an object is larger than `most` bytes of JSON and larger than before. An object of an earlier limit can
 * still become smaller, or be deleted.
 */
export function requireSize(object: object, before: object | undefined, most: number): void {
  const bytes = jsonBytes(object, most);
  if (bytes > most && (before === undefined || jsonBytes(object) > jsonBytes(before))) throw objectTooLarge(most);
}

/** Counts what defaults add to one object. */
export interface DefaultsCount {
  /** Reports whether a default of this size, in bytes, is filled in. */
  takes(bytes: number): boolean;
}

/** The bytes that the defaults of the object of a request may still add. */
export class DefaultsRoom implements DefaultsCount {
  #left: number;

  constructor(readonly most: number) {
    this.#left = most;
  }

  /** Throws 413 if there is no room for a default of this size. */
  takes(bytes: number): boolean {
    this.#left -= bytes;
    if (this.#left < 0) throw objectTooLarge(this.most);
    return true;
  }
}

/** The same for an object that is stored already: it is shown without the defaults for which there is no room. */
export class ShownDefaults implements DefaultsCount {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  takes(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Adds up the bytes of defaults. Defaults inside of defaults multiply, so the sum may be any number. */
export class DefaultsSum implements DefaultsCount {
  bytes = 0;

  takes(bytes: number): boolean {
    this.bytes += bytes;
    return true;
  }
}
