// The checks of single values by the keywords of a schema node. Most are compiled by Ajv: one function for all nodes with the same
// keywords, so that neither a large nor a deep schema takes long to compile.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { isNumeric, jsonText } from '../../exactJson.js';
import type { Causes } from '../../schema/causes.js';
import { canonicalText, equal } from '../../schema/object.js';
import { typeName } from '../../schema/scalars.js';
import { type Matches, type PatternBudget, PatternTooSlow, patternMatcherOf } from '../cel/patterns.js';
import { formatCheck, formatOf } from './formats.js';
import { checkNumber, kindOfNumber } from './numberChecks.js';
import type { StructuralSchema } from './structuralSchema.js';

type Keywords = Readonly<Record<string, unknown>>;

/** The keywords that Ajv checks: they look at a value without what is inside it. */
const own = [
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
] as const;

/** The words of a failed check. `field` is the path of the value. */
const reports: Readonly<Record<string, (causes: Causes, field: string, error: ErrorObject, value: unknown) => void>> = {
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

/** The types of a value of a node; any if there are none. */
const typesOf = (schema: StructuralSchema): readonly string[] =>
  schema['x-kubernetes-int-or-string'] === true ? intOrString : schema.type ? [schema.type] : [];

const intOrString: readonly string[] = ['integer', 'string'];

/** The formats of values that have one by their type. */
const formats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

/** Returns the type of a value in the words of schemas. */
function kindOf(value: unknown): string {
  return isNumeric(value) ? kindOfNumber(value) : typeName(value);
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value));

/** The number of values above which an enum is searched by a set: a list may have as many items as the enum has values. */
const fewValues = 8;
const sets = new WeakMap<readonly unknown[], ReadonlySet<string>>();

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  if (values.length <= fewValues) return values.some((one) => equal(one, value));
  let known = sets.get(values);
  if (known === undefined) {
    known = new Set(values.map(canonicalText));
    sets.set(values, known);
  }
  return known.has(canonicalText(value));
}

/** The most different checks that are kept compiled, for one version of a resource. */
const mostKept = 5000;

/** The compiled checks of the schemas of one version of a resource, on a server of a minor version of Kubernetes. */
export class ValueChecks {
  /** Ajv keeps what it has compiled, so it goes with its checks. */
  #ajv: Ajv | undefined;
  readonly #byKeywords = new Map<string, ValidateFunction>();
  #bySchema = new WeakMap<StructuralSchema, ValidateFunction | undefined>();
  readonly #patterns = new Map<string, Matches>();

  constructor(readonly minor: number) {}

  /** Returns the checks of a value by the keywords of a node. Values inside the value are not looked at. */
  of(schema: StructuralSchema, value: unknown, field: string, budget: PatternBudget, causes: Causes): ValueCheck {
    const validate = isNumeric(value) ? undefined : this.#validateBy(schema);
    const mistakes = validate === undefined || validate(value) ? [] : (validate.errors ?? []);
    return new ValueCheck(schema, value, field, mistakes, this, budget, causes);
  }

  /** Reports whether a value matches a pattern. Throws PatternTooSlow. */
  matches(pattern: string, value: string, field: string, budget: PatternBudget): boolean {
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

  #validateBy(schema: StructuralSchema): ValidateFunction | undefined {
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

/** The checks of one value. Each adds a cause for a keyword that the value fails; real servers do them in this order. */
class ValueCheck {
  constructor(
    readonly schema: StructuralSchema,
    readonly value: unknown,
    readonly field: string,
    readonly mistakes: readonly ErrorObject[],
    readonly all: ValueChecks,
    readonly budget: PatternBudget,
    readonly causes: Causes,
  ) {}

  /** Requires one of the types of the node. */
  type(): void {
    const { schema, value, field, causes } = this;
    if (value === null && schema.nullable === true) return;
    const kind = kindOf(value);
    if (kind === schema.type && schema['x-kubernetes-int-or-string'] !== true) return;
    const types = typesOf(schema);
    if (types.includes(kind) || (kind === 'integer' && types.includes('number'))) return;
    const format = formatOf(schema);
    const isFormatted = format !== undefined && value !== null && kind !== 'string' && kind !== 'array';
    if (types.length === 0 && !isFormatted) return;
    // Real servers compare the formats of types, where there is one.
    const [wanted, found] = isFormatted ? [format, formats[kind] ?? ''] : [types.join(','), kind];
    causes.typeInvalid(field, found, `must be of type ${wanted}: "${found}"`);
  }

  /** Checks a text or a number. */
  scalar(): void {
    const { schema, value, field, causes } = this;
    if (typeof value === 'string') {
      // A text of another length is not compared with the pattern.
      if (!this.#report('maxLength') && !this.#report('minLength')) {
        const { pattern } = schema;
        if (pattern !== undefined && !this.all.matches(pattern, value, field, this.budget)) {
          causes.invalid(field, value, `${field} in body should match '${pattern}'`);
        }
      }
      this.#report('format');
    } else if (isNumeric(value)) checkNumber(schema, value, field, this.all.minor, causes);
  }

  numberOfItems(): void {
    this.#report('minItems');
    this.#report('maxItems');
  }

  enum(): void {
    const { schema, value, field, causes } = this;
    if (schema.enum !== undefined && !isOneOf(schema.enum, value))
      causes.notSupported(field, value, schema.enum, wordOf);
  }

  numberOfFields(): void {
    this.#report('minProperties');
    this.#report('maxProperties');
  }

  required(): void {
    this.#report('required');
  }

  #report(name: string): boolean {
    if (this.mistakes.length === 0) return false;
    const found = this.mistakes.filter(({ keyword }) => keyword === name);
    for (const error of found) reports[name]?.(this.causes, this.field, error, this.value);
    return found.length > 0;
  }
}

/** Returns the keywords of a node that Ajv checks. */
function keywordsOf(schema: StructuralSchema): Keywords {
  const all = schema as Keywords;
  const keywords: Record<string, unknown> = {};
  for (const name of own) if (all[name] !== undefined) keywords[name] = all[name];
  if (formatOf(schema) === undefined) delete keywords.format;
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
