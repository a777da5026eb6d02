// The members of a body that the field table lacks. Newer servers have some, so they are reported and never checked.
import { type Field, fieldsOf, isTypeName, type Type, typeOf } from '../../../matrix/api/types/index.js';
import { Note } from '../../client/expect.js';
import { isObject } from '../../client/json.js';
import { typeOf as typeOfBody } from './validate.js';

/** The maximum number of reported members per body. */
const most = 40;

/**
 * Returns a note with the members that a body's kind lacks, such as `Pod: spec.containers[].resizePolicy`; undefined if
 * there are none.
 */
export function additionalIn(body: unknown): Note | undefined {
  const type = typeOfBody(body);
  if (type === undefined) return undefined;
  const found = new Set<string>();
  visit(type, body, '', found);
  return found.size === 0 ? undefined : new Note(`${type.name}: ${[...found].join(', ')}`);
}

const namedFields = new WeakMap<Type, ReadonlyMap<string, Field>>();

function namedFieldsOf(type: Type): ReadonlyMap<string, Field> {
  const known = namedFields.get(type) ?? new Map(fieldsOf(type).map((field) => [field.name, field]));
  namedFields.set(type, known);
  return known;
}

function visit(type: Type, value: unknown, path: string, found: Set<string>): void {
  if (!isObject(value) || type.bare !== undefined || found.size >= most) return;
  const known = namedFieldsOf(type);
  for (const [name, member] of Object.entries(value)) {
    const field = known.get(name);
    const here = path === '' ? name : `${path}.${name}`;
    if (field === undefined) found.add(here);
    else if (isTypeName(field.type)) {
      const inner = typeOf(field.type);
      if (field.shape === 'list' && Array.isArray(member))
        for (const item of member) visit(inner, item, `${here}[]`, found);
      else if (field.shape === 'map' && isObject(member))
        for (const item of Object.values(member)) visit(inner, item, `${here}{}`, found);
      else visit(inner, member, here, found);
    }
  }
}
