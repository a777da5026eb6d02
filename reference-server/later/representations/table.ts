// Objects as a table: the rows, each with its cells and its object, and the definitions of the columns.
import type { ApiObject } from '../../codecs/codec.js';
import { badRequest } from '../../errors.js';
import type { KubeObject } from '../../schema/object.js';
import type { TableColumns } from './columns/column.js';

/** Returns an object with its metadata only. `apiVersion` is that of the representation. */
export function partialOf({ metadata }: ApiObject, apiVersion: string): ApiObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

const inclusions = ['Metadata', 'Object', 'None'] as const;

/** What the rows have as their object, from the parameter `includeObject`. */
export type Inclusion = (typeof inclusions)[number];

/** Returns the inclusion of a query: `Metadata` by default. Throws 400 for any other value. */
export function inclusionOf(query: URLSearchParams): Inclusion {
  const asked = query.get('includeObject') || 'Metadata';
  const known = inclusions.find((inclusion) => inclusion === asked);
  if (known === undefined) {
    throw badRequest(`includeObject: Invalid value: ${JSON.stringify(asked)}: must be Metadata, Object or None`);
  }
  return known;
}

/** How the objects of one request become rows. */
export interface TableForm {
  /** The version of the table, and of the metadata in its rows. */
  readonly apiVersion: string;
  readonly columns: TableColumns;
  readonly inclusion: Inclusion;
  /** The time for which ages are shown. */
  readonly now: () => Date;
}

/** The fields of a table except the rows. `definitions` is null in the later events of a watch. */
export function tableHead(
  { apiVersion }: TableForm,
  metadata: ApiObject,
  definitions: TableColumns['definitions'] | null,
): ApiObject {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions: definitions };
}

/** Returns the row of an object. Ages are those at `now`, in milliseconds since 1970. */
export function rowOf({ apiVersion, columns, inclusion }: TableForm, object: KubeObject, now: number): ApiObject {
  const conditions = columns.conditions?.(object) ?? [];
  return {
    cells: columns.cells(object, now),
    ...(conditions.length > 0 && { conditions }),
    object: inclusion === 'None' ? null : inclusion === 'Object' ? object : partialOf(object, apiVersion),
  };
}

/** Returns a table with one object. It has the version and the link of the object. */
export function tableOfOne(
  form: TableForm,
  object: KubeObject,
  definitions: TableColumns['definitions'] | null = form.columns.definitions,
): ApiObject {
  const { selfLink, resourceVersion } = object.metadata;
  const metadata = { ...(selfLink && { selfLink }), ...(resourceVersion && { resourceVersion }) };
  return { ...tableHead(form, metadata, definitions), rows: [rowOf(form, object, form.now().getTime())] };
}
