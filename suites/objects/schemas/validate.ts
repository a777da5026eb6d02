// Validates response bodies by JSON Schemas. Each worker compiles a schema at its first use.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Type, typeOfKind, types } from '../../../matrix/api/types/index.js';
import { fail } from '../../client/expect.js';
import { at, brief, isObject } from '../../client/json.js';
import { schemaOf } from './fields.js';
import { statedSchema } from './stated.js';

const { byte, int32, int64 } = fullFormats;
const formats = { byte, int32, int64, 'date-time': fullFormats['date-time'] };
// Most schemas validate few bodies: what is neither inlined nor optimized is made in half of the time.
const made = { inlineRefs: false, code: { optimize: false } } as const;
const ajv = new Ajv({ strict: false, validateSchema: false, addUsedSchema: false, formats, ...made });
const compiled = new Map<string, ValidateFunction>();

/** The encoding of a body: protobuf omits zero values. */
type Encoding = 'text' | 'protobuf';

/**
 * Throws Failure unless the body matches the schema of its kind. A body of a kind that the field table lacks has no
 * schema; another requirement checks the kind.
 */
export function isValid(body: unknown, what: string, encoding: Encoding = 'text'): void {
  const type = typeOf(body);
  if (type === undefined) return;
  const validate = validatorOf(`${encoding} ${type.name}`, () => validatorOfType(type, encoding));
  holdsBy(validate, body, `${what}, by the schema of ${type.name}`);
}

/** Throws Failure unless the body has the fields that the document lists. */
export function hasStatedFields(body: unknown, what: string): void {
  const kind = String(at(body, 'kind'));
  holdsBy(
    validatorOf(`stated ${kind}`, () => ajv.compile(statedSchema(kind))),
    body,
    what,
  );
}

/** Returns the type of a body by its apiVersion and kind. A kind without a version is of version v1. */
export function typeOf(body: unknown): Type | undefined {
  if (!isObject(body)) return undefined;
  return typeOfKind(String(body.apiVersion ?? 'v1'), String(body.kind));
}

function validatorOf(key: string, compile: () => ValidateFunction): ValidateFunction {
  const known = compiled.get(key) ?? compile();
  compiled.set(key, known);
  return known;
}

function validatorOfType(type: Type, encoding: Encoding): ValidateFunction {
  const refer = (name: string): string => `${encoding}.${name}`;
  if (!ajv.schemas[refer('Container')])
    for (const one of Object.values(types))
      if (one.bare === undefined) ajv.addSchema(schemaOf(one, refer, encoding === 'text'), refer(one.name));
  return ajv.getSchema(refer(type.name)) ?? ajv.compile(schemaOf(type, refer, encoding === 'text'));
}

function holdsBy(validate: ValidateFunction, body: unknown, what: string): void {
  if (validate(body)) return;
  const [error] = validate.errors ?? [];
  fail(`${what}: ${error === undefined ? 'it is not valid' : inWords(error, body)}`);
}

/** Returns the first error of a validator in words: the path in the body, the value, and what is wrong with it. */
export function inWords({ instancePath, message, params }: ErrorObject, body: unknown): string {
  const steps = instancePath.split('/').slice(1).map(pointerStep);
  const path = steps.reduce(
    (text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text ? `${text}.${step}` : step),
    '',
  );
  const value = steps.reduce<unknown>((here, step) => (here as Record<string, unknown> | null)?.[step], body);
  const allowed = 'allowedValues' in params ? `: ${brief(params.allowedValues)}` : '';
  const found = isObject(value) ? 'it' : brief(value);
  return `${path === '' ? '' : `${path}: `}${found} ${message}${allowed}`;
}

const pointerStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
