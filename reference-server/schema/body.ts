// Decodes a body as an object of the expected kind, or refuses it with a 400 that names the mistake.
import { apiVersionOf, mediaTypes, type Resource } from '../../matrix/api/index.js';
import { fieldsOf, type Type, typeOfKind } from '../../matrix/api/modern/index.js';
import type { DecodedBody } from '../codecs/codec.js';
import type { RepeatedField } from '../codecs/fieldPaths.js';
import { badRequest, invalid } from '../errors.js';
import { excerpt } from '../excerpt.js';
import type { StatusError } from '../statusError.js';
import { doAll, doInTurns, type Steps } from '../turns.js';
import { Causes } from './causes.js';
import { decodeValue } from './decode.js';
import type { FieldCheck } from './fieldValidation.js';
import { type DecodedObject, isRecord, own } from './object.js';
import { type BodyType, runTimeKindOf } from './runTimeKind.js';
import { TypeMismatch, typeName } from './scalars.js';
import { mistakesIn, sentenceOf, unknownField } from './unknownFields.js';

/** The apiVersion and kind that a body must have. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
  /** The later group version in which the kind has the same fields: an eviction may name either. */
  readonly later?: string;
  /** The body, if the kind is not in the field table. */
  readonly body?: BodyType;
}

/** Returns what a body of the own kind of a resource must have. */
export function expectedOf(resource: Resource): Expected {
  const body = runTimeKindOf(resource)?.body;
  return { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind, ...(body && { body }) };
}

/**
 * Decodes a body. Its apiVersion and kind may be absent. A long body is decoded in turns with other requests. Throws
 * 400 if there is no body, or it has another kind, a field of the wrong type, or a field that the check refuses.
 */
export async function decodeBody(
  expected: Expected,
  body: DecodedBody | undefined,
  check?: FieldCheck,
): Promise<DecodedObject> {
  if (body === undefined) throw unrecognized(expected, "couldn't get version/kind; the body is empty");
  const steps = decodeAndCheck(expected, body.value, check, body);
  const decoded = await (body.isLong ? doInTurns(steps) : doAll(steps));
  if (body.written !== undefined) requireIntegers(expected, body.written());
  return decoded;
}

/** Throws 400 if an integer of an object of the field table is written as 3.0 or 1e3 in a value of `DecodedBody.written`. */
export function requireIntegers(expected: Expected, written: unknown): void {
  if (expected.body === undefined) doAll(decodeObject(expected, written));
}

/** Where an object comes from: the body that it is, and the mistakes of a patch that made it. */
interface Origin extends Partial<Pick<DecodedBody, 'mediaType' | 'duplicates'>> {
  readonly mistakes?: readonly string[];
}

/** Decodes an object, and checks it for unknown fields, if there is a check. */
export function* decodeAndCheck(
  expected: Expected,
  value: unknown,
  check: FieldCheck | undefined,
  origin: Origin,
): Steps<DecodedObject> {
  const decoded = yield* decodeObject(expected, value);
  if (check !== undefined) yield* checkFields(expected, value, check, origin);
  return decoded;
}

/** Returns a sentence for each field that a body repeats. */
export const repeatedFields = ({ duplicates = [] }: Pick<DecodedBody, 'duplicates'>): string[] =>
  duplicates.map(sentenceOf);

/** Returns the text of a strict refusal for repeated fields, in which those of YAML are one mistake, and other mistakes. */
export function strictly(repeated: readonly RepeatedField[], others: readonly string[]): string {
  const lines = repeated.filter((field) => 'line' in field).map((field) => `\n  ${sentenceOf(field)}`);
  const inJson = repeated.filter((field) => 'path' in field).map(sentenceOf);
  return [...(lines.length === 0 ? [] : [`yaml: unmarshal errors:${lines.join('')}`]), ...inJson, ...others].join(', ');
}

/**
 * Checks an object that the decoder has accepted for unknown fields, in steps. Warns of all mistakes, or throws 400 with
 * all of them if the check is strict.
 */
export function* checkFields(expected: Expected, value: unknown, check: FieldCheck, origin: Origin): Steps<void> {
  const { apiVersion, kind, body } = expected;
  const { mediaType, duplicates = [], mistakes = [] } = origin;
  const type = body === undefined ? typeOfKind(apiVersion, kind) : undefined;
  const isInOrder = type !== undefined && mediaType === mediaTypes.json;
  const ofBody = body === undefined ? [] : yield* body.unknownFields(value);
  const ofType = type === undefined ? [] : yield* mistakesIn(type, value, isInOrder ? duplicates : undefined);
  // What is in the order of the text has the repeated fields among it.
  const repeated = isInOrder ? [] : duplicates;
  const others = [...mistakes, ...ofBody.map(unknownField), ...ofType];
  if (repeated.length + others.length === 0) return;
  if (check.isStrict) throw unhandled(expected, expected, `strict decoding error: ${strictly(repeated, others)}`);
  for (const mistake of [...repeated.map(sentenceOf), ...others]) check.warn(mistake);
}

/**
 * Decodes a value as an object of a kind. `null` is an object without fields. With `keepsNulls`, the nulls of a custom
 * resource stay, to be refused. Throws 400 like decodeBody.
 */
export function* decodeObject(expected: Expected, value: unknown, keepsNulls?: boolean): Steps<DecodedObject> {
  try {
    if (expected.body !== undefined) {
      const source = sourceOf(expected, value);
      return withReset(yield* expected.body.decode(source, keepsNulls), source);
    }
    const { type, fields } = fieldsIn(expected, value);
    return withReset((yield* decodeValue(type, fields)) as DecodedObject, fields);
  } catch (error) {
    throw located(expected, error);
  }
}

/** Keeps an empty list of managed fields, which is not the same as none: it asks to forget them. */
function withReset(object: DecodedObject, { metadata }: Readonly<Record<string, unknown>>): DecodedObject {
  const given = isRecord(metadata) ? metadata.managedFields : undefined;
  if (Array.isArray(given) && given.length === 0) object.metadata.managedFields = [];
  return object;
}

/** The fields of a value that the expected kind has. Throws 400 if the value has another kind. */
function fieldsIn(expected: Expected, value: unknown): { type: Type; fields: Readonly<Record<string, unknown>> } {
  const source = sourceOf(expected, value);
  const type = typeOfKind(expected.apiVersion, expected.kind);
  if (type === undefined) throw new Error(`${expected.apiVersion} ${expected.kind} is not in the field table`);
  // Not `...source`: the copy of 100,000 unknown fields holds up other requests for more than 100 ms.
  const fields: Record<string, unknown> = {};
  for (const { name } of fieldsOf(type)) fields[name] = own(source, name);
  fields.metadata ??= {};
  return { type, fields: Object.assign(fields, { apiVersion: expected.apiVersion, kind: expected.kind }) };
}

function sourceOf(expected: Expected, value: unknown): Readonly<Record<string, unknown>> {
  const source = value ?? {};
  if (!isRecord(source)) {
    throw unrecognized(expected, `couldn't get version/kind; expected an object, got ${typeName(source)}`);
  }
  if (expected.body === undefined) checkKind(expected, source);
  else requireKind(expected, source);
  return source;
}

function located(expected: Expected, error: unknown): unknown {
  if (!(error instanceof TypeMismatch)) return error;
  return unhandled(expected, expected, `${error.path}: ${error.message}`);
}

/** Throws unless a body names the expected kind, which a kind outside the field table has to. */
function requireKind(expected: Expected, source: Readonly<Record<string, unknown>>): void {
  const kind = own(source, 'kind') ?? '';
  const apiVersion = own(source, 'apiVersion') ?? '';
  if (typeof kind !== 'string' || kind === '') throw unrecognized(expected, "Object 'Kind' is missing");
  if (apiVersion !== expected.apiVersion) throw otherVersion(expected, excerpt(apiVersion).replace(/^"|"$/g, ''));
  if (kind === expected.kind) return;
  const causes = new Causes();
  causes.invalid('kind', kind, `must be ${expected.kind}`);
  const { name } = isRecord(source.metadata) ? source.metadata : {};
  const [group = ''] = expected.apiVersion.split('/');
  throw invalid({ group, kind }, typeof name === 'string' ? name : '', causes.list);
}

const otherVersion = (expected: Expected, apiVersion: string): StatusError =>
  badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );

function checkKind(expected: Expected, source: Readonly<Record<string, unknown>>): void {
  const apiVersion = stringOr(expected, source, 'apiVersion');
  const kind = stringOr(expected, source, 'kind');
  const isExpected = apiVersion === expected.apiVersion || apiVersion === expected.later;
  if (isExpected && kind === expected.kind) return;
  if (apiVersion.split('/').length > 2) {
    throw unrecognized(expected, `unexpected GroupVersion string: ${apiVersion}`);
  }
  const actual = { apiVersion, kind };
  const known = typeOfKind(apiVersion, kind) !== undefined;
  if (!known) throw unhandled(actual, expected, `no kind "${kind}" is registered for version "${apiVersion}"`);
  if (kind === expected.kind) {
    throw otherVersion(expected, apiVersion);
  }
  throw unhandled(
    actual,
    expected,
    `converting (${shortName(actual)}) to (${shortName(expected)}): unknown conversion`,
  );
}

function stringOr(expected: Expected, source: Readonly<Record<string, unknown>>, field: 'apiVersion' | 'kind'): string {
  const value = own(source, field) ?? '';
  if (typeof value !== 'string') {
    throw unrecognized(expected, `couldn't get version/kind; ${field}: expected string, got ${typeName(value)}`);
  }
  return value === '' ? expected[field] : value;
}

const versionOf = ({ apiVersion }: Expected): string => apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
const shortName = (name: Expected): string => `${versionOf(name)}.${name.kind}`;

const unrecognized = ({ kind }: Expected, why: string): StatusError =>
  badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);

const unhandled = (actual: Expected, expected: Expected, why: string): StatusError =>
  badRequest(`${actual.kind} in version "${versionOf(actual)}" cannot be handled as a ${expected.kind}: ${why}`);
