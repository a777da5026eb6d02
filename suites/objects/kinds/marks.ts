// Values that checks write to objects of a kind: a status, another status, and another spec.
import type { FoundKind } from '../../../matrix/api/index.js';
import type { Json, JsonObject } from '../../client/json.js';
import { type Located, objectOf, propertyOf, resolveReference } from './schemas.js';
import { candidates, smallest } from './values.js';

/** The values that checks write. A member is absent if the schema names none. */
export type Marks = Pick<FoundKind, 'status' | 'otherStatus' | 'otherSpec'>;

/** Members of a status that controllers of many kinds write, or whose form is not free. */
const avoided = new Set(['observedGeneration', 'conditions', 'selector', 'labelSelector']);

/** Returns pairs of a status: the two differ in one member. The most likely pair comes first. */
export function statusPairs(located: Located | undefined): readonly (readonly [JsonObject, JsonObject])[] {
  const status = located && propertyOf(located, 'status');
  if (status === undefined) return [];
  const schema = resolveReference(status);
  const required = objectOf(smallest(status));
  const names = Object.keys(objectOf(schema.properties)).filter((one) => !avoided.has(one));
  const pairs = names.flatMap((name): (readonly [JsonObject, JsonObject])[] => {
    const [first, second] = scalarsAt(status, name);
    if (first === undefined || second === undefined) return [];
    return [
      [
        { ...required, [name]: first },
        { ...required, [name]: second },
      ],
    ];
  });
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? [...pairs, [{ note: 'written' }, { note: 'by a write of the object' }]] : pairs;
}

/** Returns a spec that differs from the sample in one scalar; undefined if the schema has no member for it. */
export function otherSpecOf(located: Located | undefined, sample: JsonObject): JsonObject | undefined {
  const spec = located && propertyOf(located, 'spec');
  if (spec === undefined) return undefined;
  const own = objectOf(sample.spec);
  for (const name of Object.keys(objectOf(resolveReference(spec).properties))) {
    const standing = own[name] ?? resolveReference(propertyOf(spec, name) ?? spec).default;
    const other = scalarsAt(spec, name).find((value) => value !== standing);
    if (other !== undefined) return { [name]: other };
  }
  return undefined;
}

/** Returns values of a member that is not an object, a list or a time. */
function scalarsAt(located: Located, name: string): readonly Json[] {
  const member = propertyOf(located, name);
  if (member === undefined) return [];
  const { type, format } = resolveReference(member);
  if (format === 'date-time' || (type !== 'string' && type !== 'integer' && type !== 'boolean')) return [];
  return candidates(member).filter((value) => value !== '' && value !== 0 && value !== false);
}
