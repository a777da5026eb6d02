// Who can own what in a type: lists and maps with one owner, and those whose items or entries have owners of their own.
import type { Field, Type } from './index.js';
import { atomicTypes, listTypes, presentFields } from './listTypeData.js';
import { tableNameOf } from './table.js';

/** A field that identifies the items of a list, and the value of an absent one. */
interface ItemKey {
  readonly name: string;
  readonly fallback?: string;
}

/**
 * The owners of a list, map or object: `atomic` has one, `granular` one for each field, `set` one for each value, and a
 * list with keys one for each item.
 */
export type Ownership = 'atomic' | 'granular' | 'set' | readonly ItemKey[];

const atomic: ReadonlySet<string> = new Set(atomicTypes.map(tableNameOf));

const byField = new Map(
  Object.entries(listTypes).map(([path, text]): [string, Ownership] => {
    const end = path.lastIndexOf('.');
    return [`${tableNameOf(path.slice(0, end))}${path.slice(end)}`, ownershipIn(text)];
  }),
);

/** The same of definitions, whose types no OpenAPI document has in the form of the others. */
const ofDefinitions = {
  'apiextensions.v1.CustomResourceDefinition': 'spec status',
  'apiextensions.v1.CustomResourceDefinitionSpec': 'names',
  'apiextensions.v1.CustomResourceDefinitionStatus': 'acceptedNames',
};

const present = new Map(
  Object.entries({ ...presentFields, ...ofDefinitions }).map(([type, names]) => [tableNameOf(type), names.split(' ')]),
);

/** The groups whose types were those of extensions/v1beta1. */
const successors = ['apps.v1', 'networking.v1'];

/** Returns the fields of a type that every object has, with an object that may be empty. */
export function presentFieldsOf(type: string): readonly string[] {
  const known = [type, ...successors.map((group) => `${group}.${type}`)].find((name) => present.has(name));
  return present.get(known ?? '') ?? [];
}

/** Types of the interface that later servers do not have, beside those that they have. */
const earlier: Readonly<Record<string, string>> = { 'extensions.JobStatus': 'JobStatus' };

function ownershipIn(text: string): Ownership {
  if (text === 'atomic' || text === 'granular' || text === 'set') return text;
  return text.split(' ').map((key) => {
    const [name = '', fallback] = key.split('=');
    return { name, ...(fallback !== undefined && { fallback }) };
  });
}

/** Reports whether the values of a type have one owner each. */
export const isAtomicType = (name: string): boolean => atomic.has(name);

export function ownershipOf({ name: type }: Pick<Type, 'name'>, field: Field): Ownership {
  const { name, shape, strategy = '', mergeKey } = field;
  const known = byField.get(`${earlier[type] ?? type}.${name}`);
  if (known !== undefined) return known;
  if (shape !== 'list') return shape === undefined && isAtomicType(field.type) ? 'atomic' : 'granular';
  if (!strategy.includes('merge')) return 'atomic';
  return mergeKey === undefined ? 'set' : [{ name: mergeKey }];
}
