// Validators of response bodies by the schemas of a target's OpenAPI, each compiled at its first use with what it refers
// to, and no more of the document.
import { Ajv, type ValidateFunction } from 'ajv';
import { brief, isObject, type JsonObject } from '../../client/json.js';
import { within } from '../../client/within.js';
import { inWords } from '../schemas/validate.js';
import { jsonSchemaOf } from './jsonSchema.js';
import { memberAt } from './operations.js';

/** The number of schemas that one schema may refer to. Kubernetes' largest refers to some 200. */
const mostSchemas = 5_000;

/** Milliseconds for a body and a schema that can hold one value against two others, which doubles the work at each level. */
const timeout = 1_000;

export class Validators {
  // A schema that refers to itself stays a function of its own, and so does every other one that is referred to.
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    multipleOfPrecision: 6,
    logger: false,
  });
  /** A text says why a schema is held against no body. */
  readonly #compiled = new Map<JsonObject, ValidateFunction | string>();
  readonly #added = new Set<string>();
  /** Whether a schema that was added holds one value against two others. */
  #doubles = false;

  constructor(private readonly document: JsonObject) {}

  /** Returns what is wrong with a body, in words; undefined if it is valid, or if the schema is held against no body. */
  faultOf(schema: JsonObject, body: unknown): string | undefined {
    const validate = this.#compiledOf(schema);
    if (typeof validate === 'string' || this.#isValid(schema, validate, body)) return undefined;
    const [error] = validate.errors ?? [];
    return error === undefined ? 'it is not valid' : inWords(error, body);
  }

  /** Returns why a schema is held against no body, in words; undefined if it is held against each. */
  whyUnused(schema: JsonObject): string | undefined {
    const validate = this.#compiledOf(schema);
    return typeof validate === 'string' ? validate : undefined;
  }

  #compiledOf(schema: JsonObject): ValidateFunction | string {
    const known = this.#compiled.get(schema) ?? this.#compile(schema);
    this.#compiled.set(schema, known);
    return known;
  }

  /** Reports whether a body is valid. A schema that has no end, or takes too long, is held against no later body. */
  #isValid(schema: JsonObject, validate: ValidateFunction, body: unknown): boolean {
    let isValid: boolean | undefined;
    try {
      isValid = this.#doubles ? within(timeout, () => validate(body), undefined) : validate(body);
    } catch {
      // It refers to itself for the same value.
    }
    if (isValid === undefined)
      this.#compiled.set(schema, `it takes more than ${timeout} ms for one body, or has no end`);
    return isValid ?? true;
  }

  #compile(schema: JsonObject): ValidateFunction | string {
    try {
      const pending: string[] = [];
      const refer = (reference: string): string => {
        if (!this.#added.has(reference)) pending.push(reference);
        return idOf(reference);
      };
      const root = jsonSchemaOf(schema, refer);
      this.#doubles ||= doubles(root);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (this.#added.has(next)) continue;
        if (this.#added.size >= mostSchemas) return `it refers to more than ${mostSchemas} others`;
        this.#added.add(next);
        const member = memberAt(this.document, next);
        const added = isObject(member) ? jsonSchemaOf(member, refer) : {};
        this.#doubles ||= doubles(added);
        this.#ajv.addSchema(added, idOf(next));
      }
      return this.#ajv.compile(root);
    } catch (error) {
      // The document is the target's: what cannot be compiled cannot be held against its bodies.
      return `it cannot be compiled: ${brief(error instanceof Error ? error.message : error)}`;
    }
  }
}

/** Reports whether one value is held against two schemas that have others, here or within. */
function doubles(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { properties, additionalProperties, items, allOf = [], anyOf = [], not } = schema;
  const same = [allOf, anyOf, not].flat().filter(isObject);
  const hasOthers = (one: JsonObject): boolean =>
    Object.values(one).some((value) => isObject(value)) || '$ref' in one || 'allOf' in one || 'anyOf' in one;
  if (same.filter(hasOthers).length > 1) return true;
  return [...same, additionalProperties, items, ...(isObject(properties) ? Object.values(properties) : [])].some(
    doubles,
  );
}

/** Returns the id of the schema at a reference. A reference holds characters that an id of a JSON Schema may not have. */
const idOf = (reference: string): string => `schema:${encodeURIComponent(reference)}`;
