// Values that a schema allows: for each field a few candidates, the smallest first.
import { generateSync } from 'json-schema-faker';
import type { Json, JsonObject } from '../../client/json.js';
import { within } from '../../client/within.js';
import {
  type Effort,
  itemOf,
  type Located,
  listOf,
  type OpenApiSchema,
  objectOf,
  propertyOf,
  resolveReference,
} from './schemas.js';

/** The deepest nesting of a generated value: a schema may require itself. */
const deepest = 12;

/** The number of values in one: each of several members may require its schema itself. */
const mostValues = 1_000;

/** Texts of the forms that fields of the API often have. A pattern or a refusal of the server chooses among them. */
const texts = [
  'example',
  'Example',
  'a',
  '1',
  'example.com',
  'example.com/example',
  'https://example.com/example',
  '100m',
  '1Gi',
  '1h',
  '192.0.2.1',
  '192.0.2.0/24',
  '/example',
  '2024-01-01T00:00:00Z',
  '2024-01-01',
  'registry.example/example:1',
  'v1',
  '*',
  '0 0 * * *',
  'TCP',
  '80',
  'EXAMPLE',
  'ab12cd34',
  '11111111-2222-3333-4444-555555555555',
  '{}',
  '',
] as const;

const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2024-01-01T00:00:00Z',
  date: '2024-01-01',
  byte: 'ZXhhbXBsZQ==',
  uri: 'https://example.com/example',
  url: 'https://example.com/example',
  hostname: 'example.com',
  email: 'user@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  cidr: '192.0.2.0/24',
  uuid: '11111111-2222-3333-4444-555555555555',
  duration: '1h',
  'int-or-string': '1',
};

/** Returns the smallest value of a schema: an object has what is required of it. */
export function smallest(located: Located, depth = 0, effort: Effort = { left: mostValues }): Json {
  return candidates(located, depth, effort)[0] ?? null;
}

/** Returns values that a schema allows, as far as it says; of a scalar several, to choose another if one is refused. */
export function candidates(located: Located, depth = 0, effort: Effort = { left: mostValues }): readonly Json[] {
  effort.left -= 1;
  if (effort.left < 0) return [];
  const schema = firstForm(located);
  if (schema.default !== undefined && schema.default !== null && !isContainer(schema)) {
    return [schema.default, ...scalars(schema)];
  }
  const allowed = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : undefined;
  if (allowed !== undefined)
    return [...allowed.filter((value) => value !== ''), ...allowed.filter((one) => one === '')];
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return [1, '1', '10%'];
  if (isObjectSchema(schema)) return [smallestObject({ ...located, schema }, depth, effort)];
  if (schema.type === 'array') return [smallestList({ ...located, schema }, depth, effort)];
  return scalars(schema);
}

function firstForm(located: Located): OpenApiSchema {
  const schema = resolveReference(located);
  const [form] = [schema.oneOf, schema.anyOf].flatMap((forms) => (Array.isArray(forms) ? forms.slice(0, 1) : []));
  if (form === undefined) return schema;
  const own = resolveReference({ ...located, schema: objectOf(form) });
  const required = [...listOf(schema.required), ...listOf(own.required)];
  const properties = { ...objectOf(own.properties), ...objectOf(schema.properties) };
  return {
    ...own,
    ...schema,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const isObjectSchema = ({ type, properties }: OpenApiSchema): boolean =>
  type === 'object' || (type === undefined && properties !== undefined);

const isContainer = (schema: OpenApiSchema): boolean => schema.type === 'array' || isObjectSchema(schema);

function smallestObject(located: Located, depth: number, effort: Effort): JsonObject {
  const { schema } = located;
  if (depth > deepest) return {};
  if (schema['x-kubernetes-embedded-resource'] === true)
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'example' } };
  const names = new Set(listOf(schema.required));
  const least = typeof schema.minProperties === 'number' ? Math.min(schema.minProperties, deepest) : 0;
  const others = Object.keys(objectOf(schema.properties)).filter((name) => !names.has(name));
  for (let count = names.size; count < least; count += 1) names.add(others.shift() ?? `example${count}`);
  const entries = [...names].map((name): [string, Json] => {
    const member = propertyOf(located, name);
    return [name, member === undefined ? 'example' : smallest(member, depth + 1, effort)];
  });
  return Object.fromEntries(entries);
}

function smallestList(located: Located, depth: number, effort: Effort): readonly Json[] {
  const least = typeof located.schema.minItems === 'number' ? located.schema.minItems : 0;
  const item = itemOf(located);
  if (item === undefined || depth > deepest) return [];
  const values = candidates(item, depth + 1, effort);
  const isOne = values.length === 1;
  // The items of a set or of a map by a key must differ. One that is used twice would double what is in it at each level.
  return Array.from({ length: Math.min(least, deepest) }, (_, index) =>
    isOne && index > 0 ? smallest(item, depth + 1, effort) : (values[index % values.length] ?? null),
  );
}

function scalars(schema: OpenApiSchema): readonly Json[] {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return [true, false];
    case 'string':
      return strings(schema);
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true ? [{}, 'example', 1] : [{}, 'example', 1, true];
  }
}

function numbers({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: OpenApiSchema): readonly number[] {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : 1;
  const isAllowed = (value: number): boolean =>
    (typeof minimum !== 'number' || value > minimum || (value === minimum && exclusiveMinimum !== true)) &&
    (typeof exclusiveMinimum !== 'number' || value > exclusiveMinimum) &&
    (typeof maximum !== 'number' || value < maximum || (value === maximum && exclusiveMaximum !== true)) &&
    (typeof exclusiveMaximum !== 'number' || value < exclusiveMaximum);
  const bounds = [minimum, exclusiveMinimum].filter((bound) => typeof bound === 'number');
  const from = bounds.length === 0 ? 0 : Math.ceil(Math.max(...bounds) / step) * step;
  const near = [1, 2, 3, 0, 10, 80, 100, from, from + step, from + 2 * step, 1000].filter((one) => one % step === 0);
  const found = [...new Set(near)].filter(isAllowed);
  return found.length > 0 ? found : typeof maximum === 'number' ? [maximum] : [1];
}

function strings({ format, pattern, minLength, maxLength }: OpenApiSchema): readonly string[] {
  const known = typeof format === 'string' ? ofFormat[format] : undefined;
  if (known !== undefined) return [known, ...texts];
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY;
  const fits = ({ length }: string): boolean => length >= least && length <= most;
  const long = (text: string): string => (text === '' ? text : text.padEnd(Math.min(least, 1_000), text.at(-1) ?? ''));
  const fitting = [...new Set(texts.map(long))].filter(fits);
  if (typeof pattern !== 'string') return fitting.length > 0 ? fitting : ['a'.repeat(Math.min(least, 1_000))];
  const matched = matching(pattern, fitting);
  if (matched.length > 0) return matched;
  const generated = matching(pattern, generatedFor(pattern, least).filter(fits));
  return generated.length > 0 ? generated : fitting.slice(0, 1);
}

/** Milliseconds that a pattern of the target may take: some take forever on a few characters, or match only huge texts. */
const timeout = 1_000;
/** The number of texts that are generated for a pattern: some match it, but have another length. */
const attempts = 20;

/** Returns those of the texts that match a pattern of RE2; all if the pattern is not known here, or takes too long. */
function matching(pattern: string, of: readonly string[]): readonly string[] {
  return within(
    timeout,
    () => {
      const expression = new RegExp(pattern, 'u');
      return of.filter((text) => expression.test(text));
    },
    of,
  );
}

/** Returns texts that are made for a pattern; none if that takes too long. */
function generatedFor(pattern: string, minLength: number): readonly string[] {
  const generated = within(timeout, () => {
    const seeds = Array.from({ length: attempts }, (_, index) => index + 1);
    return seeds.map((seed) => generateSync({ type: 'string', pattern, minLength }, { seed }));
  }, []);
  return generated.filter((text) => typeof text === 'string');
}
