// The classes that admission looks up, as it knows them with the answer to their writes.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../schema/object.js';
import type { Configurations } from './configurations.js';

type Of<Kind extends 'scheduling.v1.PriorityClass' | 'node.v1.RuntimeClass' | 'storage.v1.StorageClass'> = KubeObject &
  ObjectOf<Kind>;

export type PriorityClass = Of<'scheduling.v1.PriorityClass'>;
export type RuntimeClass = Of<'node.v1.RuntimeClass'>;
export type StorageClass = Of<'storage.v1.StorageClass'>;

/** What plug-ins ask about the classes of a kind. */
export type Classes<Class> = Pick<Configurations<Class>, 'items' | 'of'>;

/** Returns the function that tells which classes are a default. It looks through them once after each change. */
export function defaultsOf<Class>(
  classes: Classes<Class>,
  isDefault: (one: Class) => boolean,
  before: (one: Class, other: Class) => number,
): () => readonly Class[] {
  let known: { readonly of: readonly Class[]; readonly found: readonly Class[] } | undefined;
  return () => {
    const { items } = classes;
    if (known?.of !== items) known = { of: items, found: items.filter(isDefault).sort(before) };
    return known.found;
  };
}
