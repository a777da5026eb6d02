// A document during a JSON patch: operations make editable copies of the values that they change, and share all others.
import { maximumDepth } from '../codecs/jsonScanner.js';
import { excerpt } from '../excerpt.js';
import { isRecord, own, setOwn } from '../schema/object.js';
import { EditableList } from './editableList.js';
import { indexOf, indexToAdd } from './pointer.js';

/**
 * Bytes that the copies of one patch may add, besides the size of the document and the patch. Without a limit, a few
 * copies of copies would fill the memory or take too long.
 */
const freelyCopied = 256 * 1024;
/** The most bytes that copies may add in any case: the maximum size of a body. */
const mostCopied = 3 * 1024 * 1024;

/** An editable object. A value that is neither this nor an EditableList is JSON that never changes. */
class EditableFields extends Map<string, unknown> {}

type Editable = EditableFields | EditableList;

/**
 * A document with the operations of a JSON patch. Steps are the names and indices of a JSON pointer. A path to an
 * absent value throws an error, which ends the patch.
 */
export class PatchedDocument {
  #root: unknown;
  /** Bytes that copies may still add; undefined before the first copy. */
  #room: number | undefined;
  readonly #measures = new Measures();

  /** Neither the document nor the patch changes. The size of the patch counts for the limit of copies. */
  constructor(
    readonly document: unknown,
    readonly patch: unknown = [],
  ) {
    this.#root = document;
  }

  /** Throws if there is no value at the path. */
  require(steps: readonly string[]): void {
    this.#at(steps);
  }

  /** Reports whether the value at the path equals another value. */
  holds(steps: readonly string[], value: unknown): boolean {
    return isSame(this.#at(steps), value);
  }

  add(steps: readonly string[], value: unknown): void {
    const last = steps.at(-1);
    if (last === undefined) {
      this.#root = value;
      return;
    }
    const parent = this.#open(steps);
    if (parent instanceof EditableList) parent.insert(indexToAdd(last, parent.length), value);
    else parent.set(last, value);
  }

  replace(steps: readonly string[], value: unknown): void {
    const last = steps.at(-1);
    if (last === undefined) {
      this.#root = value;
      return;
    }
    const parent = this.#open(steps);
    childOf(parent, last);
    setChild(parent, last, value);
  }

  /** Removes the value at the path and returns it. */
  remove(steps: readonly string[]): unknown {
    const last = steps.at(-1);
    if (last === undefined) throw new Error('the whole object cannot be removed');
    const parent = this.#open(steps);
    if (parent instanceof EditableList) return parent.remove(indexOf(last, parent.length));
    const value = childOf(parent, last);
    parent.delete(last);
    return value;
  }

  /** Returns the value at the path, to add it elsewhere. Throws if the copies of the patch add too many bytes. */
  copyOf(steps: readonly string[]): unknown {
    const value = this.#at(steps);
    const measures = this.#measures;
    this.#room ??= Math.min(mostCopied, freelyCopied + measures.of(this.document).size + measures.of(this.patch).size);
    this.#room -= measures.openSize(value, this.#room);
    if (this.#room < 0) throw new Error('the copies of the patch add more than it and the object have');
    return this.#closed(value, 0);
  }

  /** The document after the operations. */
  result(): unknown {
    return this.#closed(this.#root, 0);
  }

  /**
   * Returns a JSON value for an editable value; other values are shared. Throws if the nesting is deeper than that of a
   * body may be.
   */
  #closed(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof EditableList) {
      requireDepth(depth);
      return value.toArray().map((item) => this.#closed(item, depth + 1));
    }
    if (value instanceof EditableFields) {
      requireDepth(depth);
      const fields: Record<string, unknown> = {};
      for (const [name, inner] of value) setOwn(fields, name, this.#closed(inner, depth + 1));
      return fields;
    }
    // Nothing in the value is editable, but a move may have made the nesting too deep.
    requireDepth(depth + this.#measures.of(value).height);
    return value;
  }

  #at(steps: readonly string[]): unknown {
    let value = this.#root;
    for (const step of steps) value = childOf(value, step);
    return value;
  }

  /** Makes the parent of a path and all its ancestors editable. Returns the parent. */
  #open(steps: readonly string[]): Editable {
    let node = editable(this.#root, steps[0]);
    this.#root = node;
    for (let depth = 0; depth < steps.length - 1; depth += 1) {
      const step = steps[depth] as string;
      const child = childOf(node, step);
      const opened = editable(child, steps[depth + 1]);
      if (opened !== child) setChild(node, step, opened);
      node = opened;
    }
    return node;
  }
}

function editable(value: unknown, step = ''): Editable {
  if (value instanceof EditableFields || value instanceof EditableList) return value;
  if (Array.isArray(value)) return new EditableList(value);
  if (isRecord(value)) return new EditableFields(Object.entries(value));
  throw absent(step);
}

const absent = (step: string) => new Error(`${excerpt(step)} is not there`);

/** Returns a child value. An undefined field counts as absent. */
function childOf(parent: unknown, step: string): unknown {
  if (parent instanceof EditableList) return parent.get(indexOf(step, parent.length));
  if (Array.isArray(parent)) return parent[indexOf(step, parent.length)];
  const value = parent instanceof EditableFields ? parent.get(step) : isRecord(parent) ? own(parent, step) : undefined;
  if (value === undefined) throw absent(step);
  return value;
}

function setChild(parent: Editable, step: string, value: unknown): void {
  if (parent instanceof EditableList) parent.set(indexOf(step, parent.length), value);
  else parent.set(step, value);
}

/**
 * Reports whether two values are equal JSON; the order of fields does not matter. The other value comes from the patch,
 * so its nesting is limited.
 */
function isSame(value: unknown, other: unknown): boolean {
  if (value === other) return true;
  const list = value instanceof EditableList ? value.toArray() : value;
  if (Array.isArray(list)) {
    return Array.isArray(other) && list.length === other.length && list.every((item, at) => isSame(item, other[at]));
  }
  if (!isRecord(other)) return false;
  const names = Object.keys(other);
  if (value instanceof EditableFields) {
    return value.size === names.length && names.every((name) => isSame(value.get(name), other[name]));
  }
  if (!isRecord(value)) return false;
  return (
    names.every((name) => isSame(own(value, name), other[name])) &&
    Object.values(value).filter((inner) => inner !== undefined).length === names.length
  );
}

function requireDepth(depth: number): void {
  if (depth > maximumDepth) throw new Error(`nesting is deeper than ${maximumDepth}`);
}

/** The approximate size of a value as JSON, in bytes, and the number of levels below it. */
interface Measure {
  readonly size: number;
  readonly height: number;
}

/**
 * The measures of values that are not editable. They never change, so each is measured once, however often it is
 * copied.
 */
class Measures {
  readonly #known = new WeakMap<object, Measure>();

  of(value: unknown): Measure {
    if (typeof value === 'string') return { size: value.length + 2, height: 0 };
    if (typeof value !== 'object' || value === null) return { size: String(value).length, height: 0 };
    let known = this.#known.get(value);
    if (known === undefined) {
      known = this.#take(value);
      this.#known.set(value, known);
    }
    return known;
  }

  #take(value: object): Measure {
    let size = 2;
    let height = 0;
    for (const [name, inner] of Object.entries(value)) {
      const measure = this.of(inner);
      size += (Array.isArray(value) ? 0 : name.length + 3) + 1 + measure.size;
      if (typeof inner === 'object' && inner !== null) height = Math.max(height, measure.height + 1);
    }
    return { size, height };
  }

  /** The size of a value that may be editable, in bytes. Stops counting above the limit. */
  openSize(value: unknown, limit: number): number {
    if (!(value instanceof EditableList || value instanceof EditableFields)) return this.of(value).size;
    let size = 2;
    const entries = value instanceof EditableList ? value.toArray().entries() : value;
    for (const [name, inner] of entries) {
      size += (typeof name === 'string' ? name.length + 3 : 0) + 1 + this.openSize(inner, limit - size);
      if (size > limit) break;
    }
    return size;
  }
}
