// The columns of a table: how a resource describes its columns, and the columns that most resources have.
import type { KubeObject } from '../../../schema/object.js';
import { ageOf, unknownTime } from './age.js';

/** The definition of a column, as clients receive it. */
interface ColumnDefinition {
  readonly name: string;
  /** The type of the cells in OpenAPI terms. Some columns of type `string` have numbers as cells, as on real servers. */
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 for a column that is always shown, more for a column of the wide output. */
  readonly priority: number;
}

type Cell = string | number | bigint | boolean | null;

/** A condition of a row. Clients may gray out or hide a row whose condition `Completed` is true. */
export interface RowCondition {
  readonly type: 'Completed';
  readonly status: 'True';
  readonly reason: string;
  readonly message: string;
}

/** How a resource is shown as a table. A custom resource makes one from its printer columns. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** Returns the cells of an object, one for each column. `now` is in milliseconds since 1970. */
  cells(object: KubeObject, now: number): readonly Cell[];
  conditions?(object: KubeObject): readonly RowCondition[];
}

/** One column. `Shape` has the fields that the column reads; all may be absent, as in the object of a bookmark. */
export interface Column<Shape> {
  readonly name: string;
  readonly description: string;
  /** `string` by default. */
  readonly type?: 'string' | 'integer' | 'boolean' | 'date';
  readonly format?: 'name';
  /** Whether only the wide output shows the column. */
  readonly wide?: true;
  readonly cell: (object: KubeObject & Shape, now: number) => Cell;
}

/** Makes the table of a resource from its columns. `Shape` must agree with the type of the resource. */
export function tableOf<Shape>(
  columns: readonly Column<Shape>[],
  conditions?: (object: KubeObject & Shape) => readonly RowCondition[],
): TableColumns {
  return {
    definitions: columns.map(({ name, type = 'string', format = '', description, wide }) => ({
      name,
      type,
      format,
      description,
      priority: wide ? 1 : 0,
    })),
    cells: (object, now) => columns.map(({ cell }) => cell(object as KubeObject & Shape, now)),
    ...(conditions && { conditions: (object) => conditions(object as KubeObject & Shape) }),
  };
}

/** The cell of an absent value. */
export const none = '<none>';

/** The cell of an absent value that has a default elsewhere. */
export const unset = '<unset>';

export const nameColumn: Column<unknown> = {
  name: 'Name',
  format: 'name',
  description: 'The name of the object.',
  cell: ({ metadata }) => metadata.name ?? '',
};

export const ageColumn: Column<unknown> = {
  name: 'Age',
  description: 'The time since the object was created.',
  cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now),
};

/** The table of resources without columns of their own. */
export const defaultColumns = tableOf<unknown>([
  nameColumn,
  {
    name: 'Created At',
    type: 'date',
    description: 'The time at which the object was created.',
    cell: ({ metadata }) => metadata.creationTimestamp ?? unknownTime,
  },
]);
