// Stored records as code may read them. An earlier version, another program or a hand may have stored them, so each field
// is checked once more, and what does not have its type is left out.
import { apiVersionOf, type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { type Type, typeOf, typeOfKind } from '../../matrix/api/modern/index.js';
import { laterResources } from '../../matrix/api/modern/resources.js';
import { doAll } from '../turns.js';
import { decodeValue } from './decode.js';
import { isRecord, type KubeObject } from './object.js';
import { TypeMismatch } from './scalars.js';

type Fields = Readonly<Record<string, unknown>>;

/** A record without what was left out, and why it was. */
export interface ReadRecord {
  readonly value: KubeObject;
  readonly faults: readonly string[];
}

const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

const stored = new Map(
  [...laterResources, ...resources]
    .filter(({ storageVersion }) => storageVersion === undefined)
    .map((resource) => [resourceId(resource), resource] as const),
);

/**
 * Returns the record under a key. A field of the object or of its metadata is left out as a whole, because half of a
 * rule may permit more than the rule. Nulls are absent fields, as in a request. The name of an object is that of its key.
 */
export function readRecord(key: string, record: unknown, mayHaveNulls = true): ReadRecord {
  const faults: string[] = [];
  const [group, plural, ...place] = key.split('/');
  const resource = stored.get(`${group}/${plural}`);
  const type = resource && typeOfKind(apiVersionOf(resource.groupVersion), resource.kind);
  const given = isRecord(record) ? record : {};
  const hasNulls = mayHaveNulls && hasNull(given);
  if (given !== record) faults.push('it is not an object');
  const metadata = namedAs(resource, place, checkedMetadata(given.metadata, hasNulls, faults));
  const object = metadata === given.metadata ? given : { ...given, metadata };
  if (type === undefined) return { value: object as KubeObject, faults };
  if (`${group}/${plural}` === definitions) return { value: checkedDefinition(type, object, hasNulls, faults), faults };
  return { value: checked(type, object, hasNulls, faults) as KubeObject, faults };
}

/** Returns a definition with its spec as it is: a condition says what is wrong with it. */
function checkedDefinition(type: Type, { spec, ...others }: Fields, hasNulls: boolean, faults: string[]): KubeObject {
  const known = { ...checked(type, others, hasNulls, faults), ...(spec !== undefined && { spec }) };
  const ofSpec: string[] = [];
  const whole = checked(type, known, hasNulls, ofSpec);
  return (ofSpec.length === 0 ? whole : known) as unknown as KubeObject;
}

function checkedMetadata(metadata: unknown, hasNulls: boolean, faults: string[]): Fields {
  if (isRecord(metadata)) return checked(typeOf('ObjectMeta'), metadata, hasNulls, faults, 'metadata.');
  faults.push('it has no metadata');
  return {};
}

/** Returns the fields that have their types. */
function checked(type: Type, given: Fields, hasNulls: boolean, faults: string[], path = ''): Fields {
  for (let fields = given; ; ) {
    try {
      const decoded = doAll(decodeValue(type, fields)) as Fields;
      return hasNulls ? { ...withoutNulls(fields), ...decoded } : fields;
    } catch (error) {
      if (!(error instanceof TypeMismatch)) throw error;
      faults.push(`${path}${error.path}: ${error.message}`);
      const [wrong] = error.path.split(/[.[]/, 1);
      fields = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== wrong));
    }
  }
}

const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Returns metadata with the name of the key, which has a namespace for a resource in namespaces. */
function namedAs(resource: Resource | undefined, place: readonly string[], metadata: Fields): Fields {
  if (resource === undefined || place.length !== (resource.namespaced ? 2 : 1)) return metadata;
  const [name, namespace] = [...place].reverse();
  if (metadata.name === name && metadata.namespace === namespace) return metadata;
  return { ...metadata, name, ...(namespace !== undefined && { namespace }) };
}

/** Reports whether a value has a null anywhere in it, however deep. */
function hasNull(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (next === null) return true;
    if (typeof next === 'object') for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}
