// The rules of schemas in definitions, in the order of real servers: what is wrong with its structure hides what is wrong
// with its defaults, and both hide what is wrong with its rules.
import type { Causes } from '../../schema/causes.js';
import type { Steps } from '../../turns.js';
import type { DefaultRules } from './defaultRules.js';
import { checkRuleTypes } from './ruleDefinitions.js';
import { checkStructure } from './structuralRules.js';
import { isUnreadable, type StructuralSchema } from './structuralSchema.js';
import { checkWords } from './wordRules.js';

/** Adds a cause for each rule that a schema breaks, in steps. `field` is its path. */
export function* checkSchema(
  schema: StructuralSchema,
  field: string,
  defaults: DefaultRules,
  causes: Causes,
): Steps<void> {
  const before = causes.list.length;
  if (schema.nullable === true) causes.forbidden(`${field}.nullable`, 'nullable cannot be true at the root');
  const ofStructure = causes.list.length;
  if (!isUnreadable(schema)) {
    yield* checkStructure(schema, field, causes);
    if (causes.list.length === ofStructure) yield* defaults.check(schema, field);
  }
  const mayHaveRules = !isUnreadable(schema) && causes.list.length === ofStructure;
  const broken = yield* checkWords(schema, field, causes);
  if (mayHaveRules) yield* checkRuleTypes(schema, field, broken, causes);
  if (isUnreadable(schema) && causes.list.length === before) {
    causes.invalid(field, '', "OpenAPIV3Schema 'schema' is not supported");
  }
}

/** The words of a root whose status has an address, in the order and the words of messages. */
const ofRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems ' +
  'MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

const rootWords: ReadonlySet<string> = new Set(
  ofRoot
    .split(' ')
    .map((word) =>
      word.startsWith('X')
        ? `x-kubernetes${word.slice(1).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
        : word.charAt(0).toLowerCase() + word.slice(1),
    ),
);

/** Checks the root of a schema whose status has an address of its own: what the status must be is all in its field. */
export function checkRoot(schema: StructuralSchema, field: string, causes: Causes): void {
  const { type = '' } = schema;
  if (type !== '' && type !== 'object') {
    const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    causes.invalid(`${field}.type`, type, why);
    return;
  }
  const isStated = ([word, value]: readonly [string, unknown]) =>
    value !== undefined && value !== false && value !== '' && !rootWords.has(word);
  if (!Object.entries(schema).some(isStated)) return;
  const why = `only [${ofRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
  causes.invalid(field, schema, why);
}
