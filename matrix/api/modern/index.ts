// The field table of the reference server: the table of the interface, grown to the fields and kinds of present servers
// (readings, 23). The suite reads `../types`, the table of the interface alone.
import type { Scalar as ScalarOfInterface } from '../types/field.js';
import { type FieldOf, type KindOf, type TypeIn, typeGraph } from '../types/graph.js';
import { sharedTypes as sharedInInterface } from '../types/table.js';
import { metaV1 } from './data/metaV1.js';
import { kinds, table } from './table.js';

export type TypeName = string;
export type Field = FieldOf<TypeName>;
export type Type = TypeIn<TypeName>;
export type Kind = KindOf<TypeName>;
/** The scalars of the interface, the time with microseconds of leases and events, and the numbers in schemas. */
export type Scalar = ScalarOfInterface | 'microTime' | 'number';

export { kinds } from './table.js';
export const { types, typeOf, listTypeOf, typeOfKind, isTypeName, fieldsOf } = typeGraph(table, kinds);

/** The types that belong to no group: object metadata, discovery, Status and the like. */
export const sharedTypes: ReadonlySet<string> = new Set([...sharedInInterface, ...Object.keys(metaV1)]);
