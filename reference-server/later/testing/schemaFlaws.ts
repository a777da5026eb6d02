// Flaws of definitions: each breaks one rule of schemas, and the answer of a server must name where.
import type { AnyShape } from '../../testing/anyShape.js';

/** A field that breaks a rule, and the cause that the server gives: `field: message`. */
type Flaw = readonly [schema: AnyShape, cause: RegExp];

const items = { type: 'object', properties: { k: { type: 'string' } } };

/** The flaws of a field `flaw` of the spec. */
const ofField: Readonly<Record<string, Flaw>> = {
  'no type': [{}, /properties\[flaw\]\.type: Required value/],
  'an unknown type': [{ type: 'text' }, /properties\[flaw\]\.type: Unsupported value/],
  'a list without items': [{ type: 'array' }, /properties\[flaw\]\.items: Required value/],
  'items without a type': [{ type: 'array', items: {} }, /items\.type: Required value/],
  'an unknown type of lists': [
    { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'bag' },
    /x-kubernetes-list-type: Unsupported value/,
  ],
  'a map of a list without keys': [
    { type: 'array', items, 'x-kubernetes-list-type': 'map' },
    /x-kubernetes-list-map-keys: Required value/,
  ],
  'a key that may be absent': [
    { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    /properties\[k\]\.default: Required value/,
  ],
  'an unknown type of maps': [
    { type: 'object', 'x-kubernetes-map-type': 'other' },
    /x-kubernetes-map-type: Unsupported value/,
  ],
  'fields and a map': [
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    /additionalProperties: Forbidden/,
  ],
  'no pattern': [{ type: 'string', pattern: '[' }, /pattern: Invalid value/],
  'a pattern that looks ahead': [{ type: 'string', pattern: '(?=a)' }, /pattern: Invalid value/],
  'a default of another type': [{ type: 'integer', default: 'a' }, /properties\[flaw\]\.default: Invalid value/],
  'a default that breaks a bound': [{ type: 'integer', minimum: 2, default: 1 }, /properties\[flaw\]\.default/],
  'a default with unknown fields': [{ type: 'object', properties: {}, default: { a: 1 } }, /\.default: Invalid value/],
  'a type in a condition': [{ type: 'string', anyOf: [{ type: 'string' }] }, /anyOf\[0\]\.type: Forbidden/],
  'a reference': [{ type: 'object', $ref: '#/a' }, /\$ref: Forbidden/],
};

/** The flaws of a version beside its schema. */
const ofVersion: Readonly<Record<string, Flaw>> = {
  'a column of an unknown type': [
    { additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] },
    /additionalPrinterColumns\[0\]\.type: Invalid value/,
  ],
  'a path of replicas elsewhere': [
    { subresources: { scale: { specReplicasPath: '.metadata.a', statusReplicasPath: '.status.a' } } },
    /scale\.specReplicasPath: Invalid value/,
  ],
  'a selectable field that is absent': [
    { selectableFields: [{ jsonPath: '.nowhere' }] },
    /selectableFields\[0\]\.jsonPath: Invalid value/,
  ],
};

export const flaws: readonly string[] = [...Object.keys(ofField), ...Object.keys(ofVersion)];

/** Returns a version with a flaw, and what the server must say about it. */
export function flawed(version: AnyShape, name: string): { readonly version: AnyShape; readonly cause: RegExp } {
  const field = ofField[name];
  if (field !== undefined) {
    const spec = { type: 'object', properties: { flaw: field[0] } };
    const { properties } = version.schema.openAPIV3Schema;
    const { selectableFields: _fields, ...others } = version;
    const openAPIV3Schema = { type: 'object', properties: { ...properties, spec } };
    return { version: { ...others, schema: { openAPIV3Schema } }, cause: field[1] };
  }
  const [more, cause] = ofVersion[name] as Flaw;
  return { version: { ...version, ...more }, cause };
}
