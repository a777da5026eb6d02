// Draws structural schemas, versions of definitions with them, and values that mostly fit: what a hostile author writes. A
// server accepts the definitions: each part keeps the rules, and `schemaFlaws.ts` breaks them.
import fc from 'fast-check';
import type { AnyShape } from '../../testing/anyShape.js';

type Draw = fc.GeneratorValue;

const properties = ['a', 'b', 'c', 'items', 'constructor', 'a.b', 'a/b', '$ref', 'x-y', 'ä', ''];
/** The names of the fields of values, with one that no body may have. */
const names = [...properties, '__proto__'];
const kinds = ['string', 'integer', 'number', 'boolean', 'object', 'map', 'list', 'any', 'intOrString'];
const leaves = ['string', 'integer', 'number', 'boolean', 'any', 'intOrString'];
/** Patterns that are slow for other engines, or large. */
const patterns = ['^a*$', '^(a+)+$', '^(a|aa)*b$', '(a*)*c', '^(x{0,50}){0,20}$', '\\p{Greek}+', '(?i)abc'];
const formats = [
  'date',
  'date-time',
  'duration',
  'int32',
  'int64',
  'double',
  'byte',
  'uuid',
  'ipv4',
  'email',
  'cidr',
  'no',
];
const texts = [
  '',
  'a',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '1h',
  '10.0.0.1',
  'a@b.c',
  '😀',
  '%',
];
const numbers = [0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 1e-308];
const columnPaths = [
  '.spec.a',
  '.spec',
  '..a',
  '.spec.a[*].b',
  '.spec.a[?(@.b==1)].c',
  '.a[',
  '.a[0,1]',
  '.a[1:2:0]',
  '.*',
];
const often = (draw: Draw, percent: number): boolean => draw(fc.integer, { min: 1, max: 100 }) <= percent;
const one = <Item>(draw: Draw, items: readonly Item[]): Item => items[draw(fc.nat, { max: items.length - 1 })] as Item;
const several = <Item>(draw: Draw, most: number, make: () => Item): Item[] =>
  Array.from({ length: draw(fc.nat, { max: most }) }, make);
const maybe = (draw: Draw, percent: number, make: () => object): object => (often(draw, percent) ? make() : {});

function drawSchema(draw: Draw, depth: number): AnyShape {
  const kind = one(draw, depth > 0 ? kinds : leaves);
  const schema = {
    ...ofKind(draw, kind, depth),
    ...maybe(draw, 10, () => ({ nullable: true })),
    ...logic(draw, depth),
  };
  const value = often(draw, 25) ? fittingValue(draw, schema) : undefined;
  return value === undefined ? schema : { ...schema, default: value };
}

/** Draws a value that fits a schema; undefined where that is hard to tell. */
function fittingValue(draw: Draw, schema: AnyShape): unknown {
  const { type, enum: options, properties = {}, additionalProperties, items, required = [], ...others } = schema;
  const checks = ['pattern', 'format', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'allOf', 'anyOf', 'oneOf'];
  if ('x-kubernetes-embedded-resource' in others || checks.some((word) => word in others)) return undefined;
  if (options !== undefined) return one(draw, options);
  if (type === 'string') return one(draw, texts);
  if (type === 'integer' || type === 'number') return one(draw, [0, 1, 3, -5]);
  if (type === 'boolean') return often(draw, 50);
  if (type === undefined) return 1;
  if (type === 'array') return fittingItems(draw, items, others);
  const fields: readonly string[] = additionalProperties === undefined ? Object.keys(properties) : ['a'];
  const of = (name: string) => fittingValue(draw, additionalProperties ?? properties[name]);
  const values = fields.filter((name) => required.includes(name) || often(draw, 50)).map((name) => [name, of(name)]);
  if (values.some(([name, value]) => value === undefined && required.includes(name))) return undefined;
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function fittingItems(draw: Draw, items: AnyShape, { maxItems = 1 }: AnyShape): readonly unknown[] {
  const item = maxItems > 0 && often(draw, 50) ? fittingValue(draw, items) : undefined;
  return item === undefined ? [] : [item];
}

function ofKind(draw: Draw, kind: string, depth: number): AnyShape {
  const inner = () => drawSchema(draw, depth - 1);
  if (kind === 'string') {
    return {
      type: 'string',
      ...maybe(draw, 30, () => ({ pattern: one(draw, patterns) })),
      ...maybe(draw, 30, () => ({ format: one(draw, formats) })),
      ...maybe(draw, 20, () => ({ maxLength: one(draw, [0, 1, 5, 2 ** 40]) })),
      ...maybe(draw, 20, () => ({ enum: [one(draw, texts), 'b'] })),
    };
  }
  if (kind === 'integer' || kind === 'number') {
    return {
      type: kind,
      ...maybe(draw, 30, () => ({ minimum: one(draw, numbers) })),
      ...maybe(draw, 20, () => ({ maximum: one(draw, numbers), exclusiveMaximum: often(draw, 50) })),
      ...maybe(draw, 20, () => ({ multipleOf: one(draw, [1, 0.1, 1e-300, 3]) })),
      ...maybe(draw, 20, () => ({ format: one(draw, formats) })),
    };
  }
  if (kind === 'boolean') return { type: 'boolean' };
  if (kind === 'intOrString') return { 'x-kubernetes-int-or-string': true };
  if (kind === 'any')
    return { 'x-kubernetes-preserve-unknown-fields': true, ...maybe(draw, 50, () => ({ type: 'object' })) };
  if (kind === 'map') {
    return { type: 'object', additionalProperties: inner(), ...maybe(draw, 20, () => ({ maxProperties: 2 })) };
  }
  if (kind === 'list') return listOf(draw, inner());
  const object = objectOf(Array.from({ length: draw(fc.nat, { max: 4 }) }, () => [one(draw, properties), inner()]));
  const known = Object.keys(object.properties);
  return {
    ...object,
    ...maybe(draw, 20, () => ({ required: known.filter(() => often(draw, 50)) })),
    ...maybe(draw, 10, () => ({ 'x-kubernetes-preserve-unknown-fields': true })),
    ...maybe(draw, known.length > 0 ? 10 : 0, () => ({ 'x-kubernetes-embedded-resource': true })),
    ...maybe(draw, 10, () => ({ 'x-kubernetes-map-type': one(draw, ['atomic', 'granular']) })),
  };
}

const objectOf = (fields: readonly (readonly [string, AnyShape])[]): AnyShape => ({
  type: 'object',
  properties: Object.fromEntries(fields),
});

function listOf(draw: Draw, items: AnyShape): AnyShape {
  const type = one(draw, [undefined, 'atomic', 'map', 'set']);
  const list = { type: 'array', ...maybe(draw, 20, () => ({ maxItems: one(draw, [0, 2, 1000]) })) };
  if (type === 'set') return { ...list, items: { type: 'string' }, 'x-kubernetes-list-type': type };
  if (type !== 'map') return { ...list, items, ...(type && { 'x-kubernetes-list-type': type }) };
  const isRequired = often(draw, 50);
  const keyed = objectOf([
    ['k', { type: 'string', ...(isRequired ? {} : { default: 'd' }) }],
    ['v', items],
  ]);
  return {
    ...list,
    items: { ...keyed, ...(isRequired && { required: ['k'] }) },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  };
}

/** Conditions on values, which have no structure of their own. */
function logic(draw: Draw, depth: number): object {
  if (depth === 0 || !often(draw, 15)) return {};
  const condition = () =>
    one(draw, [{ minLength: 1 }, { required: ['a'] }, { minimum: 0 }, { enum: [1, 'a', null] }, { not: {} }]);
  return { [one(draw, ['allOf', 'anyOf', 'oneOf'])]: [condition(), condition()] };
}

/** Draws a value that mostly fits a schema. */
export function drawValue(draw: Draw, schema: AnyShape, depth: number): unknown {
  if (depth === 0 || often(draw, 8)) return draw(fc.jsonValue, { maxDepth: 2 });
  const { type, enum: options, properties, additionalProperties, items } = schema;
  if (Array.isArray(options) && options.length > 0 && often(draw, 80)) return one(draw, options);
  if (type === 'string') return one(draw, texts);
  if (type === 'integer') return one(draw, [0, 1, 3, -5]);
  if (type === 'number') return one(draw, numbers);
  if (type === 'boolean') return often(draw, 50);
  if (type === 'array') return several(draw, 4, () => drawValue(draw, items ?? {}, depth - 1));
  if (type === 'object' && additionalProperties) {
    return Object.fromEntries(
      several(draw, 4, () => [one(draw, names), drawValue(draw, additionalProperties, depth - 1)]),
    );
  }
  if (type !== 'object') return draw(fc.jsonValue, { maxDepth: 2 });
  const known = Object.entries((properties ?? {}) as Record<string, AnyShape>).filter(() => often(draw, 80));
  return Object.fromEntries([
    ...known.map(([name, of]) => [name, drawValue(draw, of, depth - 1)]),
    ...several(draw, 1, () => [one(draw, names), 1]),
  ]);
}

/** Returns the paths of the fields in `spec` that a field selector can name. */
const selectablePaths = (spec: AnyShape): readonly string[] =>
  Object.entries((spec.properties ?? {}) as Record<string, AnyShape>)
    .filter(([name, { type }]) => /^[a-z]+$/.test(name) && ['string', 'integer', 'boolean'].includes(type))
    .map(([name]) => `.spec.${name}`);

/** Draws a version of a definition. */
export function drawVersion(draw: Draw): AnyShape {
  const spec = drawSchema(draw, 3);
  const schema = objectOf([
    ['spec', spec],
    ['status', drawSchema(draw, 1)],
  ]);
  const scale = {
    specReplicasPath: one(draw, ['.spec.a', '.spec.b', '.spec.absent']),
    statusReplicasPath: one(draw, ['.status.a', '.status.b']),
    ...maybe(draw, 30, () => ({ labelSelectorPath: one(draw, ['.status.a', '.spec.a']) })),
  };
  const column = () => ({
    name: one(draw, names.slice(0, 4)),
    type: one(draw, ['string', 'integer', 'number', 'boolean', 'date']),
    jsonPath: one(draw, columnPaths),
  });
  const selectable = selectablePaths(spec).filter(() => often(draw, 30));
  return {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...maybe(draw, 40, () => ({ subresources: { status: {}, ...maybe(draw, 30, () => ({ scale })) } })),
    ...maybe(draw, 40, () => ({ additionalPrinterColumns: several(draw, 4, column) })),
    ...maybe(draw, selectable.length > 0 ? 100 : 0, () => ({
      selectableFields: selectable.map((jsonPath) => ({ jsonPath })),
    })),
  };
}
