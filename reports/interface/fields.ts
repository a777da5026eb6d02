// docs/interface-fields.md: the fields of every kind, with their types, protobuf numbers and merge keys.
import { type Field, isTypeName, kinds, type Scalar, type Type, types } from '../../matrix/api/types/index.js';
import { anchorOf } from '../../matrix/interface/index.js';
import { countOf } from '../page/words.js';

const all: readonly Type[] = Object.values(types);

/** Returns the page in Markdown. */
export function renderFields(): string {
  const lines = [...introduction(), ...kindTable(), ...all.flatMap(typeLines)];
  return `${lines.join('\n').trimEnd()}\n`;
}

const rule = (number: string): string => `rule [${number}](interface.md#${anchorOf(number)})`;
const anchorOfType = (name: string): string => `t-${name.toLowerCase()}`;
const linkTo = (name: string): string => `[${name}](#${anchorOfType(name)})`;
const code = (text: string): string => `\`${text}\``;

function introduction(): string[] {
  const fields = all.reduce((sum, type) => sum + type.fields.length, 0);
  return [
    '<!-- Made by `npm run docs` from matrix/api/types. -->',
    '',
    '# Fields of the objects',
    '',
    `This page belongs to [the interface](interface.md). It lists the fields of each kind, as the API of Kubernetes 1.5 has them: ${countOf(all.length, 'type')} with ${countOf(fields, 'field')}.`,
    `The fields that [section 3](interface.md#s-3) of the interface names are required; all others are recommended (${rule('3.8')}).`,
    '',
    `- **Number** is the number of the field in protobuf (${rule('16.1')}). \`apiVersion\` and \`kind\` have none: they are in the envelope.`,
    `- **Merge key** is the field by which a strategic merge patch finds the items of a list (${rule('8.6')}); \`values\` marks a list of plain values that merges.`,
    '- **Required** marks a field that an object of the type cannot omit.',
    '',
  ];
}

function kindTable(): string[] {
  const rows = kinds.map(({ apiVersion, kind, type, listed }) =>
    row(code(apiVersion), code(kind), linkTo(type), listed ? code(`${kind}List`) : ''),
  );
  return [
    '## Kinds',
    '',
    row('apiVersion', 'kind', 'Type', 'List'),
    row('---', '---', '---', '---'),
    ...rows,
    '',
  ].concat([
    'Every list has `apiVersion`, `kind`, `metadata` (a [ListMeta](#t-listmeta), number 1) and `items` (number 2).',
    '',
    '## Types',
    '',
  ]);
}

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function typeLines(type: Type): string[] {
  const heading = `### <a id="${anchorOfType(type.name)}"></a>${type.name}`;
  if (type.fields.length === 0) return [heading, '', 'It has no fields.', ''];
  const merges = type.fields.some((field) => mergeOf(field) !== '');
  const needs = type.fields.some(({ required }) => required);
  const cells = (name: string, kind: string, number: string, need: string, merge: string): string =>
    row(name, kind, number, ...(needs ? [need] : []), ...(merges ? [merge] : []));
  return [
    heading,
    '',
    ...(type.bare ? [`In JSON it is written as the value of \`${type.bare.name}\` alone.`, ''] : []),
    cells('Field', 'Type', 'Number', 'Required', 'Merge key'),
    cells('---', '---', '---', '---', '---'),
    ...type.fields.map((field) =>
      cells(nameOf(field), typeOf(field), String(field.proto), field.required ? 'yes' : '', mergeOf(field)),
    ),
    '',
  ];
}

const nameOf = ({ name, inlined }: Field): string =>
  inlined ? `${code(name)} (its fields stand here in JSON)` : code(name);

function mergeOf({ mergeKey, strategy, shape }: Field): string {
  if (mergeKey !== undefined) return code(mergeKey);
  return shape === 'list' && strategy?.includes('merge') ? 'values' : '';
}

const scalars: Readonly<Record<Scalar, string>> = {
  string: 'string',
  boolean: 'boolean',
  int32: 'integer (32 bits)',
  int64: 'integer (64 bits)',
  bytes: 'base64 string',
  quantity: 'quantity',
  intOrString: 'integer or string',
  time: 'RFC 3339 time',
  raw: 'any object',
};

function typeOf({ type, shape }: Field): string {
  const one = isTypeName(type) ? linkTo(type) : scalars[type];
  if (shape === 'list') return `list of ${one}`;
  return shape === 'map' ? `map from string to ${one}` : one;
}
