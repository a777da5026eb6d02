// Validators of response bodies by the schemas of a target's OpenAPI, each compiled at its first use with what it refers
// to, and no more of the document.
import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type JsonObject } from '../../client/json.js';
import { inWords } from '../schemas/validate.js';
import { jsonSchemaOf } from './jsonSchema.js';
import { memberAt } from './operations.js';

/** The number of schemas that one schema may refer to. Kubernetes' largest refers to some 200. */
const mostSchemas = 5_000;

export class Validators {
  // A schema that refers to itself stays a function of its own, and so does every other one that is referred to.
  readonly #ajv = new Ajv({
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    multipleOfPrecision: 6,
    logger: false,
  });
  readonly #compiled = new Map<JsonObject, ValidateFunction | undefined>();
  readonly #added = new Set<string>();

  constructor(private readonly document: JsonObject) {}

  /** Returns what is wrong with a body, in words; undefined if it is valid, or if the schema cannot be compiled. */
  faultOf(schema: JsonObject, body: unknown): string | undefined {
    if (!this.#compiled.has(schema)) this.#compiled.set(schema, this.#compile(schema));
    const validate = this.#compiled.get(schema);
    if (validate === undefined || validate(body)) return undefined;
    const [error] = validate.errors ?? [];
    return error === undefined ? 'it is not valid' : inWords(error, body);
  }

  #compile(schema: JsonObject): ValidateFunction | undefined {
    try {
      const pending: string[] = [];
      const refer = (reference: string): string => {
        if (!this.#added.has(reference)) pending.push(reference);
        return idOf(reference);
      };
      const root = jsonSchemaOf(schema, refer);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (this.#added.has(next)) continue;
        if (this.#added.size >= mostSchemas) return undefined;
        this.#added.add(next);
        const member = memberAt(this.document, next);
        this.#ajv.addSchema(isObject(member) ? jsonSchemaOf(member, refer) : {}, idOf(next));
      }
      return this.#ajv.compile(root);
    } catch {
      // The document is the target's: what cannot be compiled cannot be held against its bodies.
      return undefined;
    }
  }
}

/** Returns the id of the schema at a reference. A reference holds characters that an id of a JSON Schema may not have. */
const idOf = (reference: string): string => `schema:${encodeURIComponent(reference)}`;
