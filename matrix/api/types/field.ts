// A row of the table: one field of one API type, and the constructors that rows are written with.

export type Scalar = 'string' | 'boolean' | 'int32' | 'int64' | 'bytes' | 'quantity' | 'intOrString' | 'time' | 'raw';

type MergeStrategy = 'merge' | 'retainKeys' | 'merge,retainKeys';

export interface Row<T extends string = string> extends Options {
  readonly type: T;
  /** A map has string keys and values of the type. */
  readonly shape?: 'list' | 'map';
  /** Protobuf field number. */
  readonly proto: number;
  /** JSON writes the fields of this one among those of its parent; protobuf nests them in a message of this name. */
  readonly inlined?: true;
  /** JSON writes this one's value in place of its type; protobuf wraps it in a message, since a map of lists has no other form. */
  readonly bare?: true;
}

interface Options {
  readonly required?: true;
  /** An optional number or boolean whose zero says something: any other zero is written as an absent field in JSON. */
  readonly presence?: true;
  /** Strategic merge patch: what tells the items of a list apart. */
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
