// Compares the types of data/ with the models of the JavaScript client, which others made from the OpenAPI of 1.34.
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { hasPackages, packageFile, withoutPackages } from '../../../tools/clients/packages.js';
import { fieldsOf as fieldsOfInterface, types as typesOfInterface } from '../types/index.js';
import { kinds, types as texts } from './data/index.js';
import { type Field, fieldsOf, isTypeName, listTypeOf, typeOf, typeOfKind, types } from './index.js';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
  readonly format: string;
}

interface Model {
  readonly attributeTypeMap: readonly Attribute[];
}

/** The types of the client by type and format; its quantities are plain strings. */
const scalars: Readonly<Record<string, readonly string[]>> = {
  'string/': ['string', 'quantity'],
  'string/byte': ['bytes'],
  'boolean/': ['boolean'],
  'number/int32': ['int32'],
  'number/int64': ['int64'],
  'Date/date-time': ['time'],
  'V1MicroTime/date-time-micro': ['microTime'],
  'IntOrString/int-or-string': ['intOrString'],
  'any/': ['raw'],
};

const client: Readonly<Record<string, Model | undefined>> = hasPackages
  ? createRequire(import.meta.url)(packageFile('@kubernetes/client-node'))
  : {};

/** The name of a type in the table: the types that the interface has lack the prefix of their group version. */
const tableName = (id: string): string => (Object.hasOwn(types, id) ? id : id.slice(id.lastIndexOf('.') + 1));

/** The model of a type of data/: `V1Pod`, `V2MetricSpec`, and with the group where several groups have the name. */
function modelOf(id: string): Model | undefined {
  const [name = '', version = 'v1', group = 'core'] = id.split('.').reverse();
  const [prefix, named] = [version.toUpperCase(), group.charAt(0).toUpperCase() + group.slice(1)];
  return client[`${prefix}${name}`] ?? client[`${named}${prefix}${name}`];
}

function isSame({ type, shape }: Field, attribute: Attribute): boolean {
  const [, list, map, single] = /^(?:Array<(.+)>|\{ \[key: string\]: (.+); \}|(.+))$/.exec(attribute.type) ?? [];
  const item = list ?? map ?? single ?? '';
  const bare = isTypeName(type) ? typeOf(type).bare : undefined;
  if (bare !== undefined) return shape === 'map' && item === `Array<${bare.type}>`;
  if (shape !== (list !== undefined ? 'list' : map !== undefined ? 'map' : undefined)) return false;
  if (!isTypeName(type)) return scalars[`${item}/${attribute.format}`]?.includes(type) === true;
  return item.endsWith(type.slice(type.lastIndexOf('.') + 1));
}

describe.skipIf(!hasPackages)(`the types${hasPackages ? '' : ` (${withoutPackages})`}`, () => {
  const compared = Object.keys(texts).filter((id) => modelOf(id) !== undefined);

  it('are nearly all in the client', () => expect(compared.length).toBeGreaterThan(340));

  it.each(compared)('%s', (id) => {
    const name = tableName(id);
    const own = new Map(fieldsOf(typeOf(name)).map((field) => [field.name, field]));
    const different = (modelOf(id)?.attributeTypeMap ?? []).flatMap((attribute) => {
      const field = own.get(attribute.baseName);
      if (field !== undefined && isSame(field, attribute)) return [];
      const form = field === undefined ? 'absent' : `${field.shape ?? ''} ${field.type}`.trim();
      return [`${attribute.baseName}: ${form} ≠ ${attribute.type}/${attribute.format}`];
    });
    expect(different).toEqual([]);
  });
});

describe('the grown table', () => {
  it.each(Object.keys(typesOfInterface))('keeps the rows of the interface: %s', (name) => {
    const before = typesOfInterface[name as keyof typeof typesOfInterface];
    if (before.bare !== undefined) return expect(typeOf(name).bare).toEqual(before.bare);
    const after = new Map(fieldsOf(typeOf(name)).map((field) => [field.name, field]));
    for (const { type: _type, ...row } of fieldsOfInterface(before)) expect(after.get(row.name)).toMatchObject(row);
  });

  it('gives each field of a message a number of its own', () => {
    for (const { name, fields } of Object.values(types)) {
      expect([name, new Set(fields.map(({ proto }) => proto)).size]).toEqual([name, fields.length]);
    }
  });

  it('has a type for each kind, and for its list', () => {
    for (const [apiVersion, names] of Object.entries(kinds)) {
      for (const entry of names.split(' ')) {
        const kind = tableName(entry.replace('[]', '')).replace(/^.*\./, '');
        const type = typeOfKind(apiVersion, kind);
        expect([apiVersion, kind, type?.isKind]).toEqual([apiVersion, kind, true]);
        if (entry.endsWith('[]')) expect(typeOfKind(apiVersion, `${kind}List`)).toBe(listTypeOf(type?.name ?? ''));
      }
    }
  });

  it('refers to its own types', () => {
    const scalar = /^(?:string|boolean|int32|int64|bytes|quantity|intOrString|time|microTime|number|raw)$/;
    const unknown = Object.values(types).flatMap(({ name, fields }) =>
      fields.filter(({ type }) => !isTypeName(type) && !scalar.test(type)).map(({ type }) => `${name}: ${type}`),
    );
    expect(unknown).toEqual([]);
  });
});
