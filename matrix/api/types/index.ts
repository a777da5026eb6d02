// The field table: every field of every type that the kinds of the interface need, as protobuf messages and as JSON
// objects.
import { type FieldOf, type TypeIn, typeGraph } from './graph.js';
import { kinds } from './kinds.js';
import { type TypeName, table } from './table.js';

export type { Scalar } from './field.js';
export { kinds } from './kinds.js';
export type { TypeName } from './table.js';
export type Field = FieldOf<TypeName>;
export type Type = TypeIn<TypeName>;

export const { types, typeOf, listTypeOf, typeOfKind, isTypeName, fieldsOf } = typeGraph(table, kinds);
