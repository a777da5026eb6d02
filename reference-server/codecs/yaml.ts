// YAML 1.1 as API servers read it, with limits against hostile input. Output is block style with sorted keys.
import { isUtf8 } from 'node:buffer';
import {
  boolYaml11Tag,
  defineMappingTag,
  defineScalarTag,
  FAILSAFE_SCHEMA,
  floatCoreTag,
  floatYaml11Tag,
  intCoreTag,
  intYaml11Tag,
  loadAll,
  mergeTag,
  NOT_RESOLVED,
  nullYaml11Tag,
  YAMLException,
} from 'js-yaml';
import { mediaTypes } from '../../matrix/api/index.js';
import { badRequest } from '../errors.js';
import { exactInteger } from '../exactJson.js';
import type { ApiObject, Codec, GroupVersionKind, ListField } from './codec.js';
import type { RepeatedFields } from './fieldPaths.js';
import { findInvalidUtf8 } from './json.js';
import { maximumDepth } from './jsonScanner.js';
import { repeatedKeys } from './repeatedKeys.js';
import { dumped } from './yamlDump.js';

/** The most aliases of one document; manifests have only a few. */
const maximumAliases = 100;
/** The most characters and nodes of a document with expanded aliases: the limit of a body, 3 MiB. */
const maximumExpansion = 3 * 1024 * 1024;

export const yaml: Codec = {
  mediaType: mediaTypes.yaml,

  encode(value: ApiObject): Uint8Array {
    return Buffer.from(dumped(value));
  },

  *listInParts(
    envelope: ApiObject,
    items: Iterable<ApiObject>,
    _pretty: boolean,
    field: ListField = 'items',
  ): Iterable<Uint8Array> {
    const fields = Object.entries(envelope);
    const after = fields.filter(([name]) => name > field);
    yield Buffer.from(unmarked(partOf(fields.filter(([name]) => name < field))));
    let isEmpty = true;
    let last = '';
    for (const item of items) {
      if (!isEmpty) yield Buffer.from(unmarked(last));
      last = `${isEmpty ? `${field}:\n` : ''}${dumped([item])}`;
      isEmpty = false;
    }
    if (isEmpty) last = `${field}: []\n`;
    yield Buffer.from((after.length > 0 ? unmarked(last) : last) + partOf(after));
  },

  decode(bytes: Uint8Array, _expected?: GroupVersionKind, duplicates?: RepeatedFields): unknown {
    if (!isUtf8(bytes)) throw badRequest(`yaml parse error: ${findInvalidUtf8(bytes)}`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const documents = load(text, duplicates);
    if (documents.length > 1)
      throw badRequest(`yaml parse error: ${documents.length} documents, where one is expected`);
    const [value = null] = documents;
    return text.includes('*') ? expand(value) : value;
  },
};

/** Returns some fields of a mapping as text; nothing if there are none, which alone would be an empty mapping. */
const partOf = (fields: [string, unknown][]): string => (fields.length === 0 ? '' : dumped(Object.fromEntries(fields)));

/** Removes the end of the document, which `dump` marks after a text with trailing empty lines. */
const unmarked = (text: string): string => text.replace(/\n\.\.\.\n$/, '\n');

function load(text: string, duplicates: RepeatedFields | undefined): unknown[] {
  try {
    return loadAll(text, { schema, ...limits });
  } catch (error) {
    const isRepeated = error instanceof YAMLException && error.reason === 'duplicated mapping key';
    if (isRepeated && duplicates !== undefined) return loadRepeated(text, duplicates);
    throw faultOf(error);
  }
}

/** Returns 400 for an error of the loader. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof YAMLException)) return error;
  const { reason, mark } = error;
  const where = mark == null ? '' : ` (line ${mark.line + 1}, column ${mark.column + 1})`;
  return badRequest(`yaml parse error: ${reason}${where}`);
}

const limits = { maxDepth: maximumDepth, maxAliases: maximumAliases };

/** Loads a text with repeated keys, of which the last ones count, and collects them. Throws 400. */
function loadRepeated(text: string, duplicates: RepeatedFields): unknown[] {
  try {
    const documents = loadAll(text, { schema, json: true, ...limits });
    duplicates.addAll(repeatedKeys(text, { maxDepth: maximumDepth }));
    return documents;
  } catch (error) {
    throw faultOf(error);
  }
}

/** Objects with string keys, as in JSON. The loader refuses repeated keys, through `has`. */
const objectTag = defineMappingTag<Record<string, unknown>>('tag:yaml.org,2002:map', {
  create: () => ({}),
  addPair(object, key, value) {
    if (typeof key === 'object' && key !== null) return 'a key of a mapping must be a scalar';
    const name = String(key);
    if (name === '__proto__') return 'the key "__proto__" is not allowed';
    object[name] = value;
    return '';
  },
  has: (object, key) => Object.hasOwn(object, String(key)),
  keys: (object) => Object.keys(object),
  get: (object, key) => object[String(key)],
  identify: () => false,
});

/** Integers of YAML 1.1 and `0o17` of 1.2. `12:30:00` is not a number, as on real servers. */
const integerTag = defineScalarTag<number | bigint>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve(source, isExplicit, tag) {
    if (source.includes(':')) return NOT_RESOLVED;
    const value = (source.startsWith('0o') ? intCoreTag : intYaml11Tag).resolve(source, isExplicit, tag);
    return typeof value !== 'number' || Number.isSafeInteger(value) ? value : exactly(source, value);
  },
});

/** The most digits, binary ones, that an int64 has, with its prefix and sign. */
const longestInteger = 70;

/** Returns an integer that a number may not hold, from its text. */
function exactly(source: string, nearest: number): number | bigint {
  const [, sign, digits = ''] = /^([-+]?)(.*)$/.exec(source.replaceAll('_', '')) ?? [];
  if (digits.length > longestInteger) return nearest;
  const value = BigInt(/^0\d/.test(digits) ? `0o${digits}` : digits);
  return exactInteger(`${sign === '-' ? -value : value}`);
}

/**
 * Floats of YAML 1.1 and `1e3` of 1.2, without sexagesimals. Refuses infinity and NaN, which JSON lacks; `7e4526`, which
 * no float holds, is a text.
 */
const floatTag = defineScalarTag<number>(floatYaml11Tag.tagName, {
  ...floatYaml11Tag,
  resolve(source, isExplicit, tag) {
    if (source.includes(':')) return NOT_RESOLVED;
    const older = floatYaml11Tag.resolve(source, isExplicit, tag);
    const value = older === NOT_RESOLVED ? floatCoreTag.resolve(source, isExplicit, tag) : older;
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    if (!isExplicit && /\d/.test(source)) return NOT_RESOLVED;
    throw badRequest(`yaml parse error: unsupported value: ${source}`);
  },
});

/** Values that JSON cannot represent are refused: timestamps, binaries, sets and ordered maps. */
const schema = FAILSAFE_SCHEMA.withTags(objectTag, nullYaml11Tag, boolYaml11Tag, integerTag, floatTag, mergeTag);

/**
 * Expands the aliases of a document, so that no object occurs twice. Throws 400 if the result is too large: a few
 * nested aliases can stand for billions of nodes, so it is measured first.
 */
function expand(document: unknown): unknown {
  const { size, height } = measure(document, new Map(), 1);
  if (size > maximumExpansion) throw badRequest('yaml parse error: the aliases of the document expand to too much');
  if (height > maximumDepth) throw tooDeep();
  return copy(document);
}

const tooDeep = () => badRequest(`yaml parse error: nesting is deeper than ${maximumDepth}`);

/** The characters and nodes of a value with expanded aliases, and its nesting. */
interface Measure {
  readonly size: number;
  readonly height: number;
}

/** The measure of an object in progress: an alias within its own anchor is endless. */
const endless: Measure = { size: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Measures each object once, even if it is shared. */
function measure(value: unknown, known: Map<object, Measure>, depth: number): Measure {
  if (typeof value === 'string') return { size: value.length + 1, height: 0 };
  if (typeof value !== 'object' || value === null) return { size: 1, height: 0 };
  const before = known.get(value);
  if (before !== undefined) return before;
  if (depth > maximumDepth) throw tooDeep();
  known.set(value, endless);
  let size = 1;
  let height = 0;
  for (const [key, item] of Object.entries(value)) {
    const inner = measure(item, known, depth + 1);
    size += key.length + inner.size;
    height = Math.max(height, inner.height);
  }
  const measured = { size, height: height + 1 };
  known.set(value, measured);
  return measured;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copy);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
}
