// The members of a body that the field table lacks: newer servers have them, so they are told and never judged.
import { fieldsOf, isTypeName, type Type, typeOf } from '../../../matrix/api/types/index.js';
import { Note } from '../expect.js';
import { isObject } from '../json.js';
import { typeOf as typeOfBody } from './validate.js';

/** How many are told of one body. */
const most = 40;

/** The members of a body that its kind lacks, such as `Pod: spec.containers[].resizePolicy`; undefined where none are. */
export function additionalIn(body: unknown): Note | undefined {
  const type = typeOfBody(body);
  if (type === undefined) return undefined;
  const found = new Set<string>();
  visit(type, body, '', found);
  return found.size === 0 ? undefined : new Note(`${type.name}: ${[...found].join(', ')}`);
}

function visit(type: Type, value: unknown, path: string, found: Set<string>): void {
  if (!isObject(value) || type.bare !== undefined || found.size >= most) return;
  const known = new Map(fieldsOf(type).map((field) => [field.name, field]));
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
