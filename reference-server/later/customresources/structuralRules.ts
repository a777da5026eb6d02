// What makes a schema structural, so that the server can read, prune and default by it: each field and item says what it
// is in one place, and `allOf`, `anyOf`, `oneOf` and `not` only check values.
import { type Causes, collectCauses } from '../../schema/causes.js';
import { equal, isRecord, own } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { patternMatcherOf } from '../cel/patterns.js';
import type { StructuralSchema } from './structuralSchema.js';

type Words = Readonly<Record<string, unknown>>;

/** Where a node is: at the root, or what of another node it is. */
type Place = 'root' | 'fields' | 'items';

/** Adds a cause for each thing that keeps a schema from being structural, in the order of their texts, in steps. */
export function* checkStructure(root: StructuralSchema, field: string, causes: Causes): Steps<void> {
  const found = causes.part();
  yield* collectCauses(found, structure(root, field, found));
  for (const cause of [...found.list].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1))) causes.add(cause);
}

const textOf = ({ field = '', message = '' }: { field?: string; message?: string }): string => `${field}: ${message}`;

function* structure(root: StructuralSchema, field: string, causes: Causes): Steps<void> {
  yield* checkNode(root, field, 'root', causes);
  for (const [step, branch] of branchesOf(root)) {
    yield* checkFound({ branch, node: root, field, place: `${field}.${step}` }, causes);
  }
}

function* checkNode(node: StructuralSchema, field: string, place: Place, causes: Causes): Steps<void> {
  yield;
  const { items, properties = {}, additionalProperties } = node;
  if (isRecord(items)) yield* checkNode(items, `${field}.items`, 'items', causes);
  for (const [name, schema] of Object.entries(properties)) {
    yield* checkNode(schema, `${field}.properties[${name}]`, 'fields', causes);
  }
  if (isRecord(additionalProperties)) {
    yield* checkNode(additionalProperties, `${field}.additionalProperties`, 'fields', causes);
  }
  checkType(node, field, place, causes);
  checkExtensions(node, field, causes);
  if (place === 'root' || node['x-kubernetes-embedded-resource'] === true) checkResource(node, field, causes);
  if (place === 'root') checkRootMetadata(node, field, causes);
  yield* checkValues(node, field, mayNameTypes(node), causes);
}

const isEmbedded = (node: StructuralSchema): boolean => node['x-kubernetes-embedded-resource'] === true;

function checkType(node: StructuralSchema, field: string, place: Place, causes: Causes): void {
  const { type = '', items, additionalProperties } = node;
  if (type === 'array' && !isRecord(items)) causes.required(`${field}.items`, 'must be specified');
  const isFree = node['x-kubernetes-int-or-string'] === true || node['x-kubernetes-preserve-unknown-fields'] === true;
  if (isEmbedded(node) && type !== 'object') {
    const why = 'must be object if x-kubernetes-embedded-resource is true';
    if (type === '') causes.required(`${field}.type`, why);
    else causes.invalid(`${field}.type`, type, why);
  } else if (type === '' && !isFree) {
    const where = { root: 'at the root', items: 'for specified array items', fields: 'for specified object fields' };
    causes.required(`${field}.type`, `must not be empty ${where[place]}`);
  }
  if (place === 'root' && type !== '' && type !== 'object') {
    causes.invalid(`${field}.type`, type, 'must be object at the root');
  }
  if (additionalProperties === undefined) return;
  const at = `${field}.additionalProperties`;
  if (place === 'root') causes.forbidden(at, 'must not be used at the root');
  if (isEmbedded(node)) causes.forbidden(at, 'must not be used if x-kubernetes-embedded-resource is set');
}

function checkExtensions(node: StructuralSchema, field: string, causes: Causes): void {
  const keeps = node['x-kubernetes-preserve-unknown-fields'] === true;
  if (node['x-kubernetes-int-or-string'] === true) {
    const why = 'must be false if x-kubernetes-int-or-string is true';
    if (keeps) causes.invalid(`${field}.x-kubernetes-preserve-unknown-fields`, true, why);
    if (isEmbedded(node)) causes.invalid(`${field}.x-kubernetes-embedded-resource`, true, why);
  }
  if (isEmbedded(node) && !keeps && Object.keys(node.properties ?? {}).length === 0) {
    const why =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    causes.required(`${field}.properties`, why);
  }
}

/** Checks what a schema of a whole object says about the fields that every object has. */
function checkResource({ properties = {} }: StructuralSchema, field: string, causes: Causes): void {
  for (const [name, wanted] of [
    ['kind', 'string'],
    ['apiVersion', 'string'],
    ['metadata', 'object'],
  ] as const) {
    const schema = own(properties, name) as StructuralSchema | undefined;
    const type = schema?.type ?? '';
    if (schema === undefined || type === wanted) continue;
    causes.invalid(`${field}.properties[${name}].type`, type, `must be ${wanted}`);
  }
}

/** The metadata of the root has a type, and restricts nothing but names. Defaults are refused elsewhere. */
function checkRootMetadata({ properties = {} }: StructuralSchema, field: string, causes: Causes): void {
  const metadata = own(properties, 'metadata') as StructuralSchema | undefined;
  if (metadata === undefined) return;
  const { type: _type, default: _default, properties: names = {}, ...others } = metadata;
  const isMore = Object.keys(names).some((name) => name !== 'name' && name !== 'generateName');
  if (!isMore && others.additionalProperties === undefined && Object.keys(stated(others)).length === 0) return;
  const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
  causes.forbidden(`${field}.properties[metadata]`, why);
}

/** Returns the words that say something: real servers cannot tell the others from absent ones. */
function stated(words: object): Words {
  const isNothing = ([name, value]: readonly [string, unknown]) =>
    value === undefined || value === '' || value === false || (lists.includes(name) && equal(value, []));
  return Object.fromEntries(Object.entries(words).filter((word) => !isNothing(word)));
}

const lists: readonly string[] = ['enum', 'allOf', 'anyOf', 'oneOf'];

/** Which branches of a node may name types: an integer or a string is written so. */
type MayNameTypes = 'anyOf' | 'allOf[0].anyOf' | undefined;

function mayNameTypes({ anyOf, allOf }: StructuralSchema): MayNameTypes {
  if (isIntegerOrString(anyOf)) return 'anyOf';
  return isIntegerOrString(allOf?.[0]?.anyOf) ? 'allOf[0].anyOf' : undefined;
}

const isIntegerOrString = (branches: readonly StructuralSchema[] = []): boolean =>
  equal(branches.map(stated), [{ type: 'integer' }, { type: 'string' }]);

function* branchesOf(node: StructuralSchema): Generator<readonly [step: string, branch: StructuralSchema]> {
  for (const list of ['anyOf', 'allOf', 'oneOf'] as const) {
    for (const [index, branch] of (node[list] ?? []).entries()) yield [`${list}[${index}]`, branch];
  }
  if (node.not !== undefined) yield ['not', node.not];
}

/** Checks the pattern and the branches of a node. */
function* checkValues(node: StructuralSchema, field: string, may: MayNameTypes, causes: Causes): Steps<void> {
  checkPattern(node, field, causes);
  for (const [step, branch] of branchesOf(node)) {
    if (may === 'anyOf' && step.startsWith(may)) continue;
    const inside = may === 'allOf[0].anyOf' && step === 'allOf[0]' ? 'anyOf' : undefined;
    yield* checkBranch(branch, `${field}.${step}`, inside, causes);
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

/** What a branch must not say, as nobody would read it there, and what it must be instead. */
const notInBranches: Readonly<Record<string, string>> = {
  type: 'empty',
  default: 'undefined',
  title: 'empty',
  description: 'empty',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-list-map-keys': 'empty',
  'x-kubernetes-list-type': 'undefined',
  'x-kubernetes-map-type': 'undefined',
  'x-kubernetes-validations': 'empty',
};

/** Checks a node that only checks values, and those inside of it. */
function* checkBranch(branch: StructuralSchema, field: string, may: MayNameTypes, causes: Causes): Steps<void> {
  yield;
  yield* checkValues(branch, field, may, causes);
  const { items, properties = {}, additionalProperties, ...words } = branch;
  if (isRecord(items)) yield* checkBranch(items, `${field}.items`, undefined, causes);
  for (const [name, schema] of Object.entries(properties)) {
    const at = `${field}.properties[${name}]`;
    if (name === 'metadata') causes.forbidden(at, 'must not be specified in a nested context');
    yield* checkBranch(schema, at, undefined, causes);
  }
  if (additionalProperties !== undefined && additionalProperties !== false) {
    causes.forbidden(`${field}.additionalProperties`, 'must be undefined to be structural');
  }
  for (const [name, value] of Object.entries(words)) {
    const must = Object.hasOwn(notInBranches, name) ? notInBranches[name] : undefined;
    if (must === undefined || (name !== 'default' && isEmpty(value))) continue;
    causes.forbidden(`${field}.${name}`, `must be ${must} to be structural`);
  }
}

const isEmpty = (value: unknown): boolean =>
  value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** A branch of the root, or a node in it, with the node of the schema whose value it checks. */
interface Found {
  readonly branch: StructuralSchema;
  readonly node: StructuralSchema | undefined;
  readonly field: string;
  /** The path of the branch. */
  readonly place: string;
}

/** Requires that the fields and items that branches of the root check are in the schema itself. */
function* checkFound({ branch, node, field, place }: Found, causes: Causes): Steps<void> {
  yield;
  if (node === undefined) {
    causes.required(field, `because it is defined in ${place}`);
    return;
  }
  for (const [step, inner] of branchesOf(branch)) {
    yield* checkFound({ branch: inner, node, field, place: `${place}.${step}` }, causes);
  }
  const { items, properties = {} } = branch;
  if (isRecord(items)) {
    const of = isRecord(node.items) ? node.items : undefined;
    yield* checkFound({ branch: items, node: of, field: `${field}.items`, place: `${place}.items` }, causes);
  }
  for (const [name, inner] of Object.entries(properties)) {
    const step = `properties[${name}]`;
    const of = own(node.properties ?? {}, name) as StructuralSchema | undefined;
    yield* checkFound({ branch: inner, node: of, field: `${field}.${step}`, place: `${place}.${step}` }, causes);
  }
}
