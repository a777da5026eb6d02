// The shape of a type: which of its parts have owners of their own. Managed fields need nothing else of a type.

/** A value with one owner: a scalar, or an object or list that is replaced as a whole. */
export interface Leaf {
  readonly kind: 'leaf';
  /** The type that a server requires in an applied configuration; absent for any. */
  readonly scalar?: 'string' | 'boolean' | 'numeric';
  /** What is inside an object or list with one owner, in an applied configuration; absent for any value. */
  readonly inside?: ObjectShape | ListShape;
}

/** A field that no one owns, such as the resourceVersion. */
interface Hidden {
  readonly kind: 'hidden';
}

/** A value of any type: its objects have parts with owners of their own, its lists are leaves. */
export interface AnyValue {
  readonly kind: 'any';
}

/** An object whose fields have owners of their own. */
export interface ObjectShape {
  readonly kind: 'object';
  /** Returns the shape of a field that the type names; undefined for any other. */
  field(name: string): Shape | undefined;
  /** The shape of all other fields, as in a map; absent if there are none. */
  readonly others?: Shape;
  /** The fields that every object has, perhaps empty; none if absent. */
  present?(): readonly string[];
  /** The values of scalars that no one owns in a new object, since servers write them for absent ones; none if absent. */
  zeros?(): Readonly<Record<string, unknown>>;
}

/** A list whose items have owners of their own: a set of scalars, or objects with keys. */
export interface ListShape {
  readonly kind: 'list';
  /** The fields that identify an item, with the values of absent ones; absent for a set. */
  readonly keys?: readonly ListKey[];
  readonly items: Shape;
}

export interface ListKey {
  readonly name: string;
  readonly fallback?: unknown;
}

export type Shape = Leaf | Hidden | AnyValue | ObjectShape | ListShape;

export const leaf: Leaf = { kind: 'leaf' };
const hidden: Hidden = { kind: 'hidden' };
export const anyValue: AnyValue = { kind: 'any' };

/** The fields of metadata that no one owns. */
const unownedMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
];

function withFields(shape: ObjectShape, changed: Readonly<Record<string, Shape>>): ObjectShape {
  return { ...shape, field: (name) => (Object.hasOwn(changed, name) ? changed[name] : shape.field(name)) };
}

/**
 * Returns the shape of a whole object of the API, from the shape of its type: no one owns apiVersion, kind and most of
 * the metadata. `unowned` are the fields that a write of this part does not change, such as `status`, or
 * `metadata.labels`.
 */
export function wholeObject(shape: ObjectShape, unowned: readonly string[] = []): ObjectShape {
  const metadata = shape.field('metadata');
  const inMetadata = unowned
    .filter((path) => path.startsWith('metadata.'))
    .map((path) => path.slice('metadata.'.length));
  const hiddenOnes = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, hidden]));
  return withFields(shape, {
    apiVersion: hidden,
    kind: hidden,
    ...(metadata?.kind === 'object' && {
      metadata: withFields(metadata, hiddenOnes([...unownedMetadata, ...inMetadata])),
    }),
    ...hiddenOnes(unowned.filter((path) => !path.includes('.'))),
  });
}
