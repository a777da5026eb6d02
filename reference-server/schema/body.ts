// From a body to an object of the expected kind, or the 400 that says what is wrong with it.
import { typeOfKind } from '../../matrix/api/types/index.js';
import { badRequest, type StatusError } from '../errors.js';
import { decoderOf } from './decode.js';
import { type Draft, isRecord, own } from './object.js';
import { TypeMismatch, typeName } from './scalars.js';

/** What a body has to be. */
export interface Expected {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Decodes a body. Its apiVersion and kind may be absent; a body that is absent altogether is refused. */
export function decodeBody(expected: Expected, body: { readonly value: unknown } | undefined): Draft {
  if (body === undefined) throw unrecognized(expected, "couldn't get version/kind; the body is empty");
  return decodeObject(expected, body.value);
}

/** Decodes a value as an object of a kind. `null` is an object without fields. */
export function decodeObject(expected: Expected, value: unknown): Draft {
  const source = value ?? {};
  if (!isRecord(source)) {
    throw unrecognized(expected, `couldn't get version/kind; expected an object, got ${typeName(source)}`);
  }
  checkKind(expected, source);
  const type = typeOfKind(expected.apiVersion, expected.kind);
  if (type === undefined) throw new Error(`${expected.apiVersion} ${expected.kind} is not in the field table`);
  try {
    // Said here, so that they come first whether the body said them or not.
    return decoderOf(type)({ ...source, metadata: source.metadata ?? {}, ...expected }) as Draft;
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    throw unhandled(expected, expected, `${error.path}: ${error.message}`);
  }
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
