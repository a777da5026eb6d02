// From a body to an object of the expected kind, or the 400 that says what is wrong with it.
import { fieldsOf, type Type, typeOfKind } from '../../matrix/api/types/index.js';
import { badRequest, type StatusError } from '../errors.js';
import type { DecodedBody } from '../request.js';
import { Turns } from '../turns.js';
import { decoderOf } from './decode.js';
import { type Draft, isRecord, own } from './object.js';
import { TypeMismatch, typeName } from './scalars.js';

/** What a body has to be. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Decodes a body. Its apiVersion and kind may be absent; a body that is absent altogether is refused. A long one is
 * decoded in turns.
 */
export async function decodeBody(expected: Expected, body: DecodedBody | undefined): Promise<Draft> {
  if (body === undefined) throw unrecognized(expected, "couldn't get version/kind; the body is empty");
  return body.isLong === true ? decodeInTurns(expected, body.value) : decodeObject(expected, body.value);
}

/** Decodes a value as an object of a kind. `null` is an object without fields. */
export function decodeObject(expected: Expected, value: unknown): Draft {
  const { type, fields } = fieldsIn(expected, value);
  try {
    return decoderOf(type)(fields) as Draft;
  } catch (error) {
    throw located(expected, error);
  }
}

/** The same for one that is large: others are served meanwhile. */
export async function decodeInTurns(expected: Expected, value: unknown): Promise<Draft> {
  const { type, fields } = fieldsIn(expected, value);
  try {
    return (await decoderOf(type)(fields, new Turns())) as Draft;
  } catch (error) {
    throw located(expected, error);
  }
}

/** What a value has of the fields of a kind, which it must be. */
function fieldsIn(expected: Expected, value: unknown): { type: Type; fields: Readonly<Record<string, unknown>> } {
  const source = value ?? {};
  if (!isRecord(source)) {
    throw unrecognized(expected, `couldn't get version/kind; expected an object, got ${typeName(source)}`);
  }
  checkKind(expected, source);
  const type = typeOfKind(expected.apiVersion, expected.kind);
  if (type === undefined) throw new Error(`${expected.apiVersion} ${expected.kind} is not in the field table`);
  const known = fieldsOf(type).map(({ name }) => [name, own(source, name)]);
  // Said here, so that they come first whether the body said them or not.
  return { type, fields: { ...Object.fromEntries(known), metadata: own(source, 'metadata') ?? {}, ...expected } };
}

function located(expected: Expected, error: unknown): unknown {
  if (!(error instanceof TypeMismatch)) return error;
  return unhandled(expected, expected, `${error.path}: ${error.message}`);
}

function checkKind(expected: Expected, source: Readonly<Record<string, unknown>>): void {
  const apiVersion = stringOr(expected, source, 'apiVersion');
  const kind = stringOr(expected, source, 'kind');
  if (apiVersion === expected.apiVersion && kind === expected.kind) return;
  if (apiVersion.split('/').length > 2) {
    throw unrecognized(expected, `unexpected GroupVersion string: ${apiVersion}`);
  }
  const given = { apiVersion, kind };
  const known = typeOfKind(apiVersion, kind) !== undefined;
  if (!known) throw unhandled(given, expected, `no kind "${kind}" is registered for version "${apiVersion}"`);
  if (kind === expected.kind) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
  }
  throw unhandled(given, expected, `converting (${shortName(given)}) to (${shortName(expected)}): unknown conversion`);
}

function stringOr(expected: Expected, source: Readonly<Record<string, unknown>>, field: keyof Expected): string {
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

const unhandled = (given: Expected, expected: Expected, why: string): StatusError =>
  badRequest(`${given.kind} in version "${versionOf(given)}" cannot be handled as a ${expected.kind}: ${why}`);
