// The rules of the words of a schema, one node after the other, whatever the node is for: what no definition may say, and
// what goes together.
import type { Causes } from '../../schema/causes.js';
import { isRecord } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { listRules } from './listRules.js';
import { checkRuleForms } from './ruleDefinitions.js';
import { isEmptyWord, type StructuralSchema, unsupportedWords } from './structuralSchema.js';

type Words = Readonly<Record<string, unknown>>;

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The words that no node may have, also empty. */
const neverEmpty: readonly string[] = ['additionalItems', 'dependencies', '$ref'];

/** Where a node is. */
interface Place {
  /** Why the node has no default, if it must not. */
  readonly noDefault?: string;
  /** Whether it describes a field that every object has. */
  readonly isOfResource?: boolean;
}

/** Checks each node of a schema, those inside of it first. Returns the nodes that break a rule, or have one inside that does. */
export function* checkWords(root: StructuralSchema, field: string, causes: Causes): Steps<ReadonlySet<object>> {
  const broken = new Set<object>();
  yield* checkNode(root, field, {}, true);
  return broken;

  function* checkNode(node: StructuralSchema, at: string, place: Place, isRoot = false): Steps<void> {
    yield;
    const before = causes.list.length;
    checkWord(node, at, place, causes);
    for (const [step, inner, where] of placesBelow(node, place, isRoot)) {
      yield* checkNode(inner, `${at}.${step}`, where);
    }
    if (node['x-kubernetes-preserve-unknown-fields'] === false) {
      causes.invalid(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined');
    }
    listRules(node, at, causes);
    checkRuleForms(node, at, causes);
    if (causes.list.length > before) broken.add(node);
  }
}

function checkWord(node: StructuralSchema, field: string, { noDefault, isOfResource }: Place, causes: Causes): void {
  const words = node as Words;
  const { type = '', properties = {}, additionalProperties } = node;
  if (type !== '') causes.oneOf(`${field}.type`, type, types);
  if (noDefault !== undefined && node.default !== undefined) causes.forbidden(`${field}.default`, noDefault);
  for (const word of unsupportedWords) {
    if (neverEmpty.includes(word) ? words[word] === undefined : isEmptyWord(words[word])) continue;
    causes.forbidden(`${field}.${word}`, `${word} is not supported`);
  }
  if (type === 'null') {
    causes.forbidden(`${field}.type`, 'type cannot be set to null, use nullable as an alternative');
  }
  if (Array.isArray(words.items) && words.items.length > 0) {
    causes.forbidden(`${field}.items`, 'items must be a schema object and not an array');
  }
  if (isOfResource === true && node['x-kubernetes-embedded-resource'] === true) {
    causes.forbidden(`${field}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  }
  if (words.uniqueItems === true) {
    const why = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    causes.forbidden(`${field}.uniqueItems`, why);
  }
  if (Object.keys(properties).length > 0 && additionalProperties !== undefined && additionalProperties !== true) {
    causes.forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
  }
}

const resourceFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Returns the nodes of a node with the steps to them, also those below words that are not supported. */
function* placesBelow(
  node: StructuralSchema,
  place: Place,
  isRoot: boolean,
): Generator<readonly [step: string, node: StructuralSchema, place: Place]> {
  const words = node as Words;
  const { properties = {}, additionalProperties, not } = node;
  const isResource = isRoot || node['x-kubernetes-embedded-resource'] === true;
  if (isRecord(additionalProperties)) {
    const noDefault = 'must not be set inside additionalProperties applying to object metadata';
    yield ['additionalProperties', additionalProperties, { ...place, ...(place.isOfResource && { noDefault }) }];
  }
  for (const [name, inner] of Object.entries(properties)) {
    const noDefault = `must not be set in top-level ${name}`;
    const isOfResource = isResource && resourceFields.includes(name);
    yield [
      `properties[${name}]`,
      inner,
      { ...place, ...(isOfResource && { isOfResource, ...(isRoot && { noDefault }) }) },
    ];
  }
  if (not !== undefined) yield ['not', not, place];
  for (const list of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, inner] of (node[list] ?? []).entries()) yield [`${list}[${index}]`, inner, place];
  }
  if (isRecord(words.items)) yield ['items', words.items, place];
  for (const word of ['definitions', 'dependencies'] as const) {
    if (isRecord(words[word])) yield* eachOf(word, Object.entries(words[word]));
  }
  if (Array.isArray(words.items)) yield* eachOf('items', words.items.entries());

  function* eachOf(word: string, nodes: Iterable<readonly [string | number, unknown]>) {
    for (const [step, inner] of nodes) if (isRecord(inner)) yield [`${word}[${step}]`, inner, place] as const;
  }
}
