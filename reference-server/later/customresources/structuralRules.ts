// The rules of schemas in definitions: they are structural, so that the server can read, prune and default by them.
import { type Causes, Causes as CausesList } from '../../schema/causes.js';
import { equal, isRecord, own } from '../../schema/object.js';
import { type DefaultsSum, defaultMaxObjectSize } from '../../schema/objectSize.js';
import type { Steps } from '../../turns.js';
import { Budget } from '../cel/expression.js';
import { patternMatcherOf } from '../cel/patterns.js';
import { listRules } from './listRules.js';
import { normalised, wholeDefault } from './normalised.js';
import { checkRuleForms, checkRuleTypes } from './ruleDefinitions.js';
import { checkRules } from './rules.js';
import { nodesBelow, type StructuralSchema } from './structuralSchema.js';
import { validate } from './validation.js';
import { ValueChecks } from './valueChecks.js';

type Words = Readonly<Record<string, unknown>>;

/** Where a node is: at the root, in a field or an item, or below `allOf`, `anyOf`, `oneOf` or `not`. */
type Place = 'root' | 'fields' | 'items' | 'branch';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const unsupported = ['$ref', 'id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies'];

/**
 * Adds a cause for each rule that a schema breaks, in steps. `field` is its path. `added`: what defaults add to other
 * defaults in the whole definition.
 */
export function* checkSchema(schema: StructuralSchema, field: string, added: DefaultsSum, causes: Causes): Steps<void> {
  const checks = new ValueChecks();
  const left: { schema: StructuralSchema; field: string; place: Place; within?: StructuralSchema }[] = [
    { schema, field, place: 'root' },
  ];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    yield;
    const { schema: node, field: path, place, within } = at;
    checkNode(node, path, place, within, causes);
    if (place !== 'branch') yield* checkDefault(node, path, added, checks, causes);
    const below = [...nodesBelow(node)].map(([step, inner]) => {
      const isBranch = place === 'branch' || /^(?:allOf|anyOf|oneOf|not)/.test(step);
      // The node whose value the branches check; none for values inside it.
      const isInside = place === 'branch' && /^(?:properties|items|additionalProperties)/.test(step);
      const under = place !== 'branch' ? node : isInside ? undefined : within;
      return {
        schema: inner,
        field: `${path}.${step}`,
        place: isBranch ? ('branch' as const) : step === 'items' ? ('items' as const) : ('fields' as const),
        ...(under && { within: under }),
      };
    });
    for (const each of below.reverse()) left.push(each);
  }
  checkResourceFields(schema, field, causes);
  const before = causes.list.length;
  checkRuleForms(schema, field, causes);
  // Rules are compiled for schemas without other mistakes.
  if (causes.list.length === 0 && before === 0) yield* checkRuleTypes(schema, field, causes);
}

function checkNode(
  node: StructuralSchema,
  field: string,
  place: Place,
  within: StructuralSchema | undefined,
  causes: Causes,
): void {
  const words = node as Words;
  for (const name of unsupported) {
    if (words[name] !== undefined) causes.forbidden(`${field}.${name}`, `${name} is not supported`);
  }
  if (words.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.forbidden(`${field}.uniqueItems`, why);
  }
  checkPattern(node, field, causes);
  if (Array.isArray(words.items)) causes.forbidden(`${field}.items`, 'items must be a schema object and not an array');
  const hasFields = Object.keys(node.properties ?? {}).length > 0;
  if (hasFields && node.additionalProperties !== undefined && node.additionalProperties !== false) {
    causes.forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
  if (place === 'branch') {
    checkBranch(words, field, within, causes);
    return;
  }
  checkType(node, field, place, causes);
  checkExtensions(node, field, causes);
  listRules(node, field, causes);
}

function checkType(node: StructuralSchema, field: string, place: Place, causes: Causes): void {
  const { type = '', items, nullable, additionalProperties } = node;
  const isFree = node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (place === 'root') {
    if (type === '') causes.required(`${field}.type`, 'must not be empty at the root');
    else if (type !== 'object') causes.invalid(`${field}.type`, type, 'must be object at the root');
    if (nullable === true) causes.forbidden(`${field}.nullable`, 'nullable cannot be true at the root');
    if (additionalProperties !== undefined) {
      causes.forbidden(`${field}.additionalProperties`, 'must not be used at the root');
    }
  } else if (type === '' && !isFree) {
    const what = place === 'items' ? 'array items' : 'object fields';
    causes.required(`${field}.type`, `must not be empty for specified ${what}`);
  } else if (type !== '' && !types.includes(type)) causes.notSupported(`${field}.type`, type, types);
  if (type === 'array' && items === undefined) causes.required(`${field}.items`, 'must be specified');
}

function checkExtensions(node: StructuralSchema, field: string, causes: Causes): void {
  const { type = '', properties = {} } = node;
  const keeps = node['x-kubernetes-preserve-unknown-fields'];
  if (keeps === false) {
    causes.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined');
  }
  if (node['x-kubernetes-embedded-resource'] !== true) return;
  if (keeps !== true && Object.keys(properties).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.required(`${field}.properties`, why);
  }
  if (type === '') causes.required(`${field}.type`, 'must be object if x-kubernetes-embedded-resource is true');
  else if (type !== 'object') {
    causes.invalid(`${field}.type`, type, 'must be object if x-kubernetes-embedded-resource is true');
  }
}

/** Checks a node that only checks values: what it says about the structure would be read by nobody. */
function checkBranch(words: Words, field: string, within: StructuralSchema | undefined, causes: Causes): void {
  const forbid = (name: string, must: string) =>
    causes.forbidden(`${field}.${name}`, `must be ${must} to be structural`);
  // The types of a value that is an integer or a string are the only ones that branches may name.
  const isType =
    within?.['x-kubernetes-int-or-string'] === true && (words.type === 'integer' || words.type === 'string');
  if (words.type !== undefined && !isType) forbid('type', 'empty');
  if (words.title !== undefined) forbid('title', 'empty');
  if (words.description !== undefined) forbid('description', 'empty');
  if (words.default !== undefined) forbid('default', 'undefined');
  if (words.additionalProperties !== undefined) forbid('additionalProperties', 'undefined');
  if (words.nullable === true) forbid('nullable', 'false');
  for (const name of Object.keys(words)) {
    if (!name.startsWith('x-kubernetes-') || words[name] === false) continue;
    forbid(name, words[name] === true ? 'false' : name === 'x-kubernetes-validations' ? 'empty' : 'undefined');
  }
}

function checkPattern({ pattern }: StructuralSchema, field: string, causes: Causes): void {
  if (pattern === undefined) return;
  try {
    patternMatcherOf(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    causes.invalid(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`);
  }
}

/** Requires that a default fits its own schema, and is as the server would store it. */
function* checkDefault(
  node: StructuralSchema,
  path: string,
  added: DefaultsSum,
  checks: ValueChecks,
  causes: Causes,
): Steps<void> {
  if (node.default === undefined) return;
  const field = `${path}.default`;
  try {
    const kept = yield* normalised(node.default, node, { setsDefaults: false });
    if (!equal(kept, node.default)) causes.invalid(field, node.default, 'must not have unknown fields');
    const { value: whole, added: bytes } = yield* wholeDefault(node);
    added.takes(bytes);
    if (added.bytes > defaultMaxObjectSize) {
      const why = `the defaults of a definition must add at most ${defaultMaxObjectSize} bytes to other defaults`;
      causes.invalid(field, 'too large', why);
      return;
    }
    const found = new CausesList();
    yield* validate({ schema: node, value: whole, field }, checks, found);
    for (const cause of found.list) causes.add(cause);
    yield* checkRules({ schema: node, value: whole, field }, new Budget(), causes);
  } catch (error) {
    causes.invalid(field, node.default, error instanceof Error ? error.message : String(error));
  }
}

/** Checks what the root says about the fields that every object has. */
function checkResourceFields({ properties = {} }: StructuralSchema, field: string, causes: Causes): void {
  for (const name of ['apiVersion', 'kind']) {
    const type = (own(properties, name) as StructuralSchema | undefined)?.type;
    if (type !== undefined && type !== 'string') {
      causes.invalid(`${field}.properties[${name}].type`, type, 'must be string');
    }
  }
  const metadata = own(properties, 'metadata') as StructuralSchema | undefined;
  if (metadata === undefined) return;
  const at = `${field}.properties[metadata]`;
  if (metadata.type !== 'object') causes.invalid(`${at}.type`, metadata.type, 'must be object');
  const { properties: names = {}, type: _type, description: _description, ...others } = metadata;
  const isMore = Object.keys(names).some((name) => name !== 'name' && name !== 'generateName');
  if (isMore || Object.values(others).some((value) => isRecord(value))) {
    const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    causes.forbidden(at, why);
  }
}
