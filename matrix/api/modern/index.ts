// The field table of the reference server: the table of the interface, grown to the fields and kinds of present servers
// (readings, 23). The suite reads `../types`, the table of the interface alone.
import type { Scalar as ScalarOfInterface } from '../types/field.js';
import { type FieldOf, type TypeIn, typeGraph } from '../types/graph.js';
import { kinds, table } from './table.js';

export type TypeName = string;
export type Field = FieldOf<TypeName>;
export type Type = TypeIn<TypeName>;
/** The scalars of the interface, and the time with microseconds of leases and events. */
export type Scalar = ScalarOfInterface | 'microTime';

export { kinds } from './table.js';
export const { types, typeOf, listTypeOf, typeOfKind, isTypeName, fieldsOf } = typeGraph(table, kinds);
