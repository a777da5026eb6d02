// The table of a custom resource, from the printer columns of its definition.
import { isNumeric, jsonText } from '../../exactJson.js';
import { ageOf } from '../representations/columns/age.js';
import { nameColumn, type TableColumns, tableOf } from '../representations/columns/column.js';
import type { DefinitionVersion, PrinterColumn } from './definition.js';
import { type Find, findBy } from './jsonPath.js';

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** Returns the first printer column of a version whose path cannot be read. */
export const unreadColumn = ({ additionalPrinterColumns = [] }: DefinitionVersion): PrinterColumn | undefined =>
  additionalPrinterColumns.find(({ jsonPath }) => findBy(jsonPath) === undefined);

/**
 * Returns the table of a version: the name, and its printer columns, or the age. Like real servers, it ends before a
 * column whose path cannot be read.
 */
export function columnsOf(version: DefinitionVersion): TableColumns {
  const { additionalPrinterColumns } = version;
  const unread = unreadColumn(version);
  const columns = additionalPrinterColumns?.length
    ? additionalPrinterColumns.slice(0, unread && additionalPrinterColumns.indexOf(unread))
    : [age];
  const finds = columns.map(({ jsonPath }) => findBy(jsonPath));
  const { definitions, cells } = tableOf([nameColumn]);
  return {
    definitions: [
      ...definitions,
      ...columns.map(({ name, type, format = '', description, priority = 0, jsonPath }) => ({
        name,
        type,
        format,
        description: description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`,
        priority,
      })),
    ],
    cells: (object, now) => [
      ...cells(object, now),
      ...columns.map(({ type }, index) => cellOf(finds[index]?.(object) ?? [], type, now)),
    ],
  };
}

/** Returns the JSON that Go writes: it escapes what could end a script in a page. */
const goJson = (value: object): string =>
  jsonText(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the cell of the first value; null if there is none, or if it has another type. */
function cellOf([value]: ReturnType<Find>, type: string, now: number): string | number | bigint | boolean | null {
  if (value === undefined || value === null) return null;
  if (type === 'integer' || type === 'number') {
    if (!isNumeric(value)) return null;
    return type === 'integer' && typeof value === 'number' ? Math.trunc(value) : value;
  }
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type === 'date') {
    if (typeof value !== 'string') return null;
    return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now);
  }
  if (type !== 'string') return null;
  return typeof value === 'object' ? goJson(value) : String(value);
}
