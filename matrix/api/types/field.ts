// A row of the field table, which is one field of one API type, and the constructors of rows.

export type Scalar = 'string' | 'boolean' | 'int32' | 'int64' | 'bytes' | 'quantity' | 'intOrString' | 'time' | 'raw';

export type MergeStrategy = 'merge' | 'retainKeys' | 'merge,retainKeys';

export interface Row<T extends string = string> extends Options {
  readonly type: T;
  /** A list of values, or a map from strings to values, of the type. */
  readonly shape?: 'list' | 'map';
  /** The protobuf field number. */
  readonly proto: number;
  /** JSON has the fields of this field in its parent; protobuf nests them in a message of this name. */
  readonly inlined?: true;
  /**
   * JSON has only the value of this field instead of an object; protobuf wraps it in a message, because protobuf has no
   * map of lists.
   */
  readonly bare?: true;
  /** A value that the field has in place of one of its type; it is kept as it is. */
  readonly or?: 'boolean' | 'list';
}

interface Options {
  readonly required?: true;
  /**
   * An optional number or boolean whose zero has a meaning, or a time that may be absent. Any other zero is an absent
   * field in JSON, and any other time that is not there is null.
   */
  readonly presence?: true;
  /** The key that identifies the items of a list in a strategic merge patch. */
  readonly mergeKey?: string;
  readonly strategy?: MergeStrategy;
}

export const field = <T extends string>(type: T, proto: number, options: Options = {}): Row<T> => ({
  type,
  proto,
  ...options,
});

export const list = <T extends string>(type: T, proto: number, options: Options = {}): Row<T> => ({
  type,
  shape: 'list',
  proto,
  ...options,
});

export const map = <T extends string>(type: T, proto: number): Row<T> => ({ type, shape: 'map', proto });

export const inline = <T extends string>(type: T, proto: number): Row<T> => ({ type, proto, inlined: true });

export const bare = <T extends string>(type: T, proto: number): Row<T> => ({ type, shape: 'list', proto, bare: true });
