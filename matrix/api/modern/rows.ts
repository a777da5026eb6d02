// The rows of a type from their text in data/: `name number type marks`, separated by semicolons.
import type { MergeStrategy, Row } from '../types/field.js';
import { alternatives } from './customResourceDefinition.js';

type Rows = Readonly<Record<string, Row<string>>>;

/** Returns the rows of a type. `nameOf` returns the name of a type, or of a scalar, in the table. */
export function rowsOf(text: string, nameOf: (type: string) => string): Rows {
  if (text === '') return {};
  return Object.fromEntries(
    text.split('; ').map((field) => {
      const [name = '', number, type = '', ...marks] = field.split(' ');
      return [name, row(Number(number), type, marks, nameOf)];
    }),
  );
}

function row(proto: number, text: string, marks: readonly string[], nameOf: (type: string) => string): Row<string> {
  const shape = text.startsWith('[]') ? 'list' : text.startsWith('{}') ? 'map' : undefined;
  const type = nameOf(shape === undefined ? text : text.slice(2));
  return {
    type,
    proto,
    ...(shape && { shape }),
    ...Object.assign({}, ...marks.map(markOf)),
  };
}

function markOf(mark: string): Partial<Row<string>> {
  if (mark === 'required') return { required: true };
  if (mark === 'presence') return { presence: true };
  if (mark === 'inlined') return { inlined: true };
  if (mark === 'bare') return { bare: true, shape: 'list' };
  const or = alternatives[mark];
  if (or !== undefined) return { or };
  const [strategy, mergeKey] = mark.split('=');
  return { strategy: strategy as MergeStrategy, ...(mergeKey && { mergeKey }) };
}
