// The consistency of the field table itself, and the functions that read it.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type Field,
  fieldsOf,
  isTypeName,
  kinds,
  listTypeOf,
  type Scalar,
  type TypeName,
  typeOf,
  typeOfKind,
  types,
} from './index.js';

/** Types without a kind that are exchanged by themselves. */
const unkinded: TypeName[] = ['WatchEvent'];

const scalars: Record<Scalar, true> = {
  string: true,
  boolean: true,
  int32: true,
  int64: true,
  bytes: true,
  quantity: true,
  intOrString: true,
  time: true,
  raw: true,
};

const named = Object.values(types);

describe('the table', () => {
  it('writes every type once', async () => {
    const files = readdirSync(import.meta.dirname).filter((file) => /^\w+\.ts$/.test(file));
    const modules: object[] = await Promise.all(files.map((file) => import(/* @vite-ignore */ `./${file}`)));
    const tables = modules.flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Types')));
    const names = tables.flatMap(([, rows]) => Object.keys(rows));
    expect(names.sort()).toEqual(Object.keys(types).sort());
  });

  it('refers to scalars and to its own types, and uses every scalar', () => {
    const used = new Set(named.flatMap(({ fields }) => fields.map(({ type }) => type)));
    expect([...used].filter((type) => !isTypeName(type)).sort()).toEqual(Object.keys(scalars).sort());
  });

  it('reaches every type from a kind', () => {
    const reached = new Set<TypeName>();
    const visit = (name: TypeName): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const { type } of typeOf(name).fields) if (isTypeName(type)) visit(type);
    };
    for (const { type } of kinds) visit(type);
    for (const name of unkinded) {
      expect(reached).not.toContain(name);
      visit(name);
    }
    expect([...reached].sort()).toEqual(Object.keys(types).sort());
  });

  it('has distinct numbers and names for the fields of a type', () => {
    for (const type of named) {
      const numbers = type.fields.map(({ proto }) => proto);
      expect(new Set(numbers).size, type.name).toBe(numbers.length);
      expect(Math.min(...numbers), type.name).toBeGreaterThan(0);
      const names = (type.bare ? type.fields : fieldsOf(type)).map(({ name }) => name);
      expect(new Set(names).size, type.name).toBe(names.length);
    }
  });

  it('merges lists of objects by a field that the items have', () => {
    const broken = named.flatMap(({ name, fields }) =>
      fields.filter((field) => field.mergeKey && !mergeable(field)).map((field) => `${name}.${field.name}`),
    );
    // A tag of the Go type that no server uses: the field is not a list.
    expect(broken).toEqual(['LabelSelectorRequirement.key']);
  });
});

describe('lookups', () => {
  it('finds a type by apiVersion and kind, list kinds included', () => {
    expect(typeOfKind('v1', 'Pod')).toBe(types.Pod);
    expect(typeOfKind('batch/v1', 'Job')).toBe(types.Job);
    expect(typeOfKind('extensions/v1beta1', 'Job')).toBe(types['extensions.Job']);
    expect(typeOfKind('extensions/v1beta1', 'JobList')).toBe(listTypeOf('extensions.Job'));
    expect(typeOfKind('policy/v1beta1', 'DeleteOptions')).toBe(types.DeleteOptions);
    expect(typeOfKind('v1', 'BindingList')).toBeUndefined();
    expect(typeOfKind('v1', 'Job')).toBeUndefined();
  });

  it('has a list kind for each kind with lists', () => {
    expect(listTypeOf('Pod').fields.map(({ name, type, proto }) => [name, type, proto])).toEqual([
      ['metadata', 'ListMeta', 1],
      ['items', 'Pod', 2],
    ]);
    expect(() => listTypeOf('Container')).toThrow('Container has no list');
  });

  it('flattens inlined fields, and puts apiVersion and kind first', () => {
    expect(fieldsOf(types.IngressRule).map(({ name }) => name)).toEqual(['host', 'http']);
    expect(fieldsOf(types.Binding).map(({ name }) => name)).toEqual(['apiVersion', 'kind', 'metadata', 'target']);
    expect(() => fieldsOf(types.ExtraValue)).toThrow('not an object');
  });
});

function mergeable({ type, shape, mergeKey }: Field): boolean {
  return shape === 'list' && isTypeName(type) && fieldsOf(typeOf(type)).some(({ name }) => name === mergeKey);
}
