// The checks of single values by the keywords of a schema node. Most are compiled by Ajv: one function for all nodes with the same
// keywords, so that neither a large nor a deep schema takes long to compile.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isNumeric, jsonText } from '../../exactJson.js';
import type { Causes } from '../../schema/causes.js';
import { equal } from '../../schema/object.js';
import { typeName } from '../../schema/scalars.js';
import { type Matches, type PatternBudget, PatternTooSlow, patternMatcherOf } from '../cel/patterns.js';
import { formatCheck } from './formats.js';
import { checkNumber, kindOfNumber } from './numberChecks.js';
import type { StructuralSchema } from './structuralSchema.js';

type Keywords = Readonly<Record<string, unknown>>;

/** The keywords that Ajv checks: they look at a value without what is inside it. */
const own = [
  'type',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
] as const;

const lengths: readonly string[] = ['minLength', 'maxLength'];

/** The words of a failed check. `field` is the path of the value. */
const reports: Readonly<Record<string, (causes: Causes, field: string, error: ErrorObject, value: unknown) => void>> = {
  type: (causes, field, { schema }, value) =>
    causes.typeInvalid(field, kindOf(value), `must be of type ${[schema].flat().join(',')}: "${kindOf(value)}"`),
  format: (causes, field, { schema }, value) =>
    causes.typeInvalid(field, value, `must be of type ${schema}: ${JSON.stringify(value)}`),
  minLength: (causes, field, { schema }, value) =>
    causes.invalid(field, value, `${field} in body should be at least ${schema} chars long`),
  maxLength: (causes, field, { schema }) => causes.longerThan(field, schema as number),
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
  return isNumeric(value) ? kindOfNumber(value) : typeName(value);
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

/** What the check of a value adds to, and may use. */
export interface Checking {
  readonly causes: Causes;
  readonly budget: PatternBudget;
}

/** The most different checks that are kept compiled, for one version of a resource. */
const mostKept = 5000;

/** The compiled checks of the schemas of one version of a resource. */
export class ValueChecks {
  /** Ajv keeps what it has compiled, so it goes with its checks. */
  #ajv: Ajv | undefined;
  readonly #byKeywords = new Map<string, ValidateFunction>();
  #bySchema = new WeakMap<StructuralSchema, ValidateFunction | undefined>();
  readonly #patterns = new Map<string, Matches>();

  /**
   * Adds a cause for each keyword of a node that a value fails. Values inside the value are not looked at. Reports
   * whether the value has one of the types of the node. Throws PatternTooSlow.
   */
  check(schema: StructuralSchema, value: unknown, field: string, { causes, budget }: Checking): boolean {
    const mistakes = isNumeric(value) ? [] : this.#byAjv(schema, value);
    for (const error of mistakes) reports[error.keyword]?.(causes, field, error, value);
    const hasType = isNumeric(value)
      ? checkNumber(schema, value, field, causes)
      : !mistakes.some(({ keyword }) => keyword === 'type');
    const { pattern } = schema;
    // A text of another length is not compared with the pattern, as on real servers.
    const hasLength = !mistakes.some(({ keyword }) => lengths.includes(keyword));
    if (
      pattern !== undefined &&
      hasLength &&
      typeof value === 'string' &&
      !this.#matches(pattern, value, field, budget)
    ) {
      causes.invalid(field, value, `${field} in body should match '${pattern}'`);
    }
    if (schema.enum !== undefined && !schema.enum.some((one) => equal(one, value))) {
      causes.notSupported(field, value, schema.enum.map(wordOf));
    }
    return hasType;
  }

  #byAjv(schema: StructuralSchema, value: unknown): readonly ErrorObject[] {
    const validate = this.#of(schema);
    return validate === undefined || validate(value) ? [] : (validate.errors ?? []);
  }

  #matches(pattern: string, value: string, field: string, budget: PatternBudget): boolean {
    let matches = this.#patterns.get(pattern);
    if (matches === undefined) {
      matches = patternMatcherOf(pattern);
      this.#patterns.set(pattern, matches);
    }
    try {
      return matches(value, budget);
    } catch (error) {
      if (error instanceof PatternTooSlow) error.field = field;
      throw error;
    }
  }

  #of(schema: StructuralSchema): ValidateFunction | undefined {
    if (this.#bySchema.has(schema)) return this.#bySchema.get(schema);
    const validate = this.#compiled(keywordsOf(schema));
    this.#bySchema.set(schema, validate);
    return validate;
  }

  #compiled(keywords: Keywords): ValidateFunction | undefined {
    const id = jsonText(keywords);
    if (id === '{}') return undefined;
    const known = this.#byKeywords.get(id);
    if (known !== undefined) return known;
    if (this.#byKeywords.size >= mostKept) this.#forget();
    this.#ajv ??= makeAjv();
    const check = formatCheck(String(keywords.format));
    if (check !== undefined) this.#ajv.addFormat(String(keywords.format), { type: 'string', validate: check });
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

/** Returns the keywords of a node that Ajv checks. */
function keywordsOf(schema: StructuralSchema): Keywords {
  const all = schema as Keywords;
  const keywords: Record<string, unknown> = {};
  for (const name of own) if (all[name] !== undefined) keywords[name] = all[name];
  if (schema['x-kubernetes-int-or-string'] === true) keywords.type = ['integer', 'string'];
  const isText = keywords.type === undefined || keywords.type === 'string';
  if (!isText || formatCheck(String(keywords.format)) === undefined) delete keywords.format;
  return keywords;
}

function makeAjv(): Ajv {
  return new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    meta: false,
    validateSchema: false,
  });
}
