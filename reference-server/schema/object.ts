// Objects of the API as code handles them: the metadata that all share, and a few helpers for plain values.
import type { ApiObject } from '../codecs/codec.js';

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  ownerReferences?: readonly OwnerReference[];
  finalizers?: readonly string[];
}

/** A stored object. It is shared, so it is never written to; changes are shallow copies. */
export interface KubeObject extends ApiObject {
  readonly metadata: Readonly<ObjectMeta>;
}

/** An object on its way in: decoded, owned by the request, its own fields may be set. */
export interface Draft {
  [field: string]: unknown;
  metadata: ObjectMeta;
}

/** A field that is an object, or an empty one. Its type is what decoding has checked. */
export function part<T extends object>(object: ApiObject | undefined, field: string): T {
  return (object?.[field] ?? {}) as T;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a field whatever its name is; `__proto__` is a name like any other. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else target[name] = value;
}

/** A field's value if the object itself has it. */
export function own(source: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}

/** Calls `use` with each name and its value. `Object.entries` makes an array of each pair: with many it takes three times as long. */
export function eachField<Value>(
  fields: Readonly<Record<string, Value>>,
  use: (name: string, value: Value) => void,
): void {
  for (const name of Object.keys(fields)) use(name, fields[name] as Value);
}

/** Whether two JSON values say the same; an absent field and an undefined one do. */
export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, index) => equal(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  if (!names.every((name) => equal(one[name], own(other, name)))) return false;
  return (
    names.length === Object.keys(other).length || Object.keys(other).every((name) => equal(own(one, name), other[name]))
  );
}
