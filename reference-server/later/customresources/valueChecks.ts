// The checks of single values by the keywords of a schema node, compiled by Ajv: one function for all nodes with the same
// keywords, so that neither a large nor a deep schema takes long to compile.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Causes } from '../../schema/causes.js';
import { typeName } from '../../schema/scalars.js';
import { formats } from './formats.js';
import { PatternTooSlow, patternMatcherOf } from './patterns.js';
import type { StructuralSchema } from './structuralSchema.js';

type Keywords = Readonly<Record<string, unknown>>;

/** The keywords that look at a value without what is inside it. */
const own = [
  'type',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
] as const;

/** The words of a failed check. `field` is the path of the value. */
const reports: Readonly<Record<string, (causes: Causes, field: string, error: ErrorObject, value: unknown) => void>> = {
  type: (causes, field, { schema }, value) =>
    causes.typeInvalid(field, kindOf(value), `must be of type ${[schema].flat().join(',')}: "${kindOf(value)}"`),
  enum: (causes, field, { schema }, value) => causes.notSupported(field, value, (schema as unknown[]).map(wordOf)),
  format: (causes, field, { schema }, value) =>
    typeof value === 'number'
      ? causes.invalid(field, value, `Checked value must be of type integer with format ${schema} in ${field}`)
      : causes.typeInvalid(field, value, `must be of type ${schema}: ${JSON.stringify(value)}`),
  pattern: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should match '${schema}'`),
  minLength: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be at least ${schema} chars long`),
  maxLength: (causes, field, { schema }) => causes.longerThan(field, schema as number),
  minimum: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be greater than or equal to ${schema}`),
  maximum: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be less than or equal to ${schema}`),
  exclusiveMinimum: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be greater than ${schema}`),
  exclusiveMaximum: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be less than ${schema}`),
  multipleOf: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be a multiple of ${schema}`),
  minItems: (causes, field, { schema }, value) =>
    causes.invalid(field, (value as unknown[]).length, `${field} in body should have at least ${schema} items`),
  maxItems: (causes, field, { schema }, value) => causes.tooMany(field, (value as unknown[]).length, schema as number),
  minProperties: (causes, field, { schema }, value) =>
    causes.invalid(
      field,
      Object.keys(value as object).length,
      `${field} in body should have at least ${schema} properties`,
    ),
  maxProperties: (causes, field, { schema }, value) =>
    causes.tooMany(field, Object.keys(value as object).length, schema as number),
  required: (causes, field, { params }) =>
    causes.required(field === '' ? params.missingProperty : `${field}.${params.missingProperty}`),
};

/** Returns the type of a value in the words of schemas. */
function kindOf(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeName(value);
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The most different checks that are kept compiled, for one version of a resource. */
const mostKept = 5000;

/** The compiled checks of the schemas of one version of a resource. */
export class ValueChecks {
  /** Ajv keeps what it has compiled, so it goes with its checks. */
  #ajv: Ajv | undefined;
  readonly #byKeywords = new Map<string, ValidateFunction>();
  #bySchema = new WeakMap<StructuralSchema, ValidateFunction | undefined>();

  /**
   * Adds a cause for each keyword of a node that a value fails. Values inside the value are not looked at. Reports
   * whether the value has one of the types of the node. Throws PatternTooSlow.
   */
  check(schema: StructuralSchema, value: unknown, field: string, causes: Causes): boolean {
    const validate = this.#of(schema);
    if (validate === undefined) return true;
    try {
      if (validate(value)) return true;
    } catch (error) {
      if (error instanceof PatternTooSlow) error.field = field;
      throw error;
    }
    const errors = validate.errors ?? [];
    for (const error of errors) reports[error.keyword]?.(causes, field, error, value);
    return !errors.some(({ keyword }) => keyword === 'type');
  }

  #of(schema: StructuralSchema): ValidateFunction | undefined {
    if (this.#bySchema.has(schema)) return this.#bySchema.get(schema);
    const validate = this.#compiled(keywordsOf(schema));
    this.#bySchema.set(schema, validate);
    return validate;
  }

  #compiled(keywords: Keywords): ValidateFunction | undefined {
    const id = JSON.stringify(keywords);
    if (id === '{}') return undefined;
    const known = this.#byKeywords.get(id);
    if (known !== undefined) return known;
    if (this.#byKeywords.size >= mostKept) this.#forget();
    this.#ajv ??= makeAjv();
    const validate = this.#ajv.compile(keywords);
    this.#byKeywords.set(id, validate);
    return validate;
  }

  #forget(): void {
    this.#byKeywords.clear();
    this.#bySchema = new WeakMap();
    this.#ajv = undefined;
  }
}

/** Returns the keywords of a node in the present draft: exclusive limits were flags in the draft of OpenAPI 3.0. */
function keywordsOf(schema: StructuralSchema): Keywords {
  const all = schema as Keywords;
  const keywords: Record<string, unknown> = {};
  for (const name of own) if (all[name] !== undefined) keywords[name] = all[name];
  if (schema['x-kubernetes-int-or-string'] === true) keywords.type = ['integer', 'string'];
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (all[flag] !== true || all[limit] === undefined) continue;
    keywords[flag] = all[limit];
    delete keywords[limit];
  }
  if (!isChecked(keywords.format, keywords.type)) delete keywords.format;
  return keywords;
}

const numberFormats: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => value >= -(2 ** 31) && value < 2 ** 31,
  int64: (value) => value >= -(2 ** 63) && value < 2 ** 63,
};

function isChecked(format: unknown, type: unknown): boolean {
  return Object.hasOwn(type === 'string' ? formats : numberFormats, String(format));
}

/** Returns a pattern for Ajv, which tells patterns apart by their texts. */
const patternOf = (source: string) => ({ test: patternMatcherOf(source), toString: () => source });

function makeAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    meta: false,
    validateSchema: false,
    code: { regExp: Object.assign(patternOf, { code: 'patternOf' }) },
  });
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: 'string', validate });
  for (const [name, validate] of Object.entries(numberFormats)) ajv.addFormat(name, { type: 'number', validate });
  return ajv;
}
