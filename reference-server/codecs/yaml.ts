// YAML 1.1 as API servers read it, bounded against hostile input; block style, sorted keys out.
import { isUtf8 } from 'node:buffer';
import {
  boolYaml11Tag,
  DUMP_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  dump,
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
import type { ApiObject, Codec } from './codec.js';
import { findInvalidUtf8 } from './json.js';
import { readJsonInTurns } from './jsonInTurns.js';
import { maximumDepth } from './jsonScanner.js';
import type { YamlThread } from './yamlThread.js';

/** Aliases of one document; manifests that people write have a handful. */
const maximumAliases = 100;
/** Characters and nodes that a document may come to when its aliases are written out: the bound of a body, 3 MiB. */
const maximumExpansion = 3 * 1024 * 1024;

export const yaml: Codec = {
  mediaType: mediaTypes.yaml,

  encode(value: ApiObject): Uint8Array {
    return Buffer.from(dump(value, dumping));
  },

  *listInParts({ apiVersion, ...envelope }: ApiObject, items: Iterable<ApiObject>): Iterable<Uint8Array> {
    // Of an envelope, `apiVersion` alone sorts before the items.
    yield Buffer.from(dump({ apiVersion }, dumping));
    let isEmpty = true;
    for (const item of items) {
      // A text that keeps its empty lines at the end of a document is followed by the mark of that end.
      const text = dump([item], dumping).replace(/\n\.\.\.\n$/, '\n');
      yield Buffer.from(`${isEmpty ? 'items:\n' : ''}${text}`);
      isEmpty = false;
    }
    yield Buffer.from(`${isEmpty ? 'items: []\n' : ''}${dump(envelope, dumping)}`);
  },

  decode(bytes: Uint8Array): unknown {
    if (!isUtf8(bytes)) throw badRequest(`yaml parse error: ${findInvalidUtf8(bytes)}`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const documents = load(text);
    if (documents.length > 1)
      throw badRequest(`yaml parse error: ${documents.length} documents, where one is expected`);
    const [value = null] = documents;
    return text.includes('*') ? expand(value) : value;
  },
};

/** The codec of a server, which leaves what is long to a thread. */
export function createYaml(thread: YamlThread): Codec {
  return {
    ...yaml,
    decodeInTurns: async (bytes) => {
      const read = await readJsonInTurns(Buffer.from(await thread.run('decode', bytes)).toString());
      if ('fault' in read) throw badRequest(`yaml parse error: ${read.fault.what}`);
      return read.value;
    },
    encodeInTurns: (bytes) => thread.run('encode', bytes),
  };
}

function load(text: string): unknown[] {
  try {
    return loadAll(text, { schema, maxDepth: maximumDepth, maxAliases: maximumAliases });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const where = mark == null ? '' : ` (line ${mark.line + 1}, column ${mark.column + 1})`;
    throw badRequest(`yaml parse error: ${reason}${where}`);
  }
}

/** Objects with string keys, as JSON has them. A repeated key is refused by the loader, through `has`. */
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

/** Integers of YAML 1.1 and the `0o17` of 1.2, without `12:30:00` as a number: no server reads it so. */
const integerTag = defineScalarTag<number>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve(source, isExplicit, tag) {
    if (source.includes(':')) return NOT_RESOLVED;
    return (source.startsWith('0o') ? intCoreTag : intYaml11Tag).resolve(source, isExplicit, tag);
  },
});

/** Floats of YAML 1.1 and the `1e3` of 1.2, without sexagesimals; infinity and NaN are refused: JSON has none. */
const floatTag = defineScalarTag<number>(floatYaml11Tag.tagName, {
  ...floatYaml11Tag,
  resolve(source, isExplicit, tag) {
    if (source.includes(':')) return NOT_RESOLVED;
    const older = floatYaml11Tag.resolve(source, isExplicit, tag);
    const value = older === NOT_RESOLVED ? floatCoreTag.resolve(source, isExplicit, tag) : older;
    if (typeof value === 'number' && !Number.isFinite(value))
      throw badRequest(`yaml parse error: unsupported value: ${source}`);
    return value;
  },
});

/** No timestamps, binaries, sets and ordered maps: what JSON cannot hold is refused. */
const schema = FAILSAFE_SCHEMA.withTags(objectTag, nullYaml11Tag, boolYaml11Tag, integerTag, floatTag, mergeTag);

/** A text that some reader takes for a number: `9e5147` for infinity, `476_38.6` for 47638.6. */
const numberLikeTag = defineScalarTag<number>(floatCoreTag.tagName, {
  ...floatCoreTag,
  resolve(source, isExplicit, tag) {
    const isNumberLike = /^[-+]?(?:\.?\d|\.$)[\d_.]*(?:[eE][-+]?\d*)?$/.test(source);
    return isNumberLike ? Number.POSITIVE_INFINITY : floatCoreTag.resolve(source, isExplicit, tag);
  },
});

/** Quotes every string that a reader of YAML 1.1 or 1.2 would take for something else. */
const dumping = {
  schema: DUMP_SCHEMA.withTags(numberLikeTag),
  sortKeys: true,
  noRefs: true,
  seqNoIndent: true,
  lineWidth: -1,
  quoteStyle: 'double',
} as const;

/**
 * Writes the aliases of a document out, so that no two places share an object.
 * Throws where they are too many: a few nested aliases can stand for billions of nodes, so they are counted first.
 */
function expand(document: unknown): unknown {
  const { size, height } = measure(document, new Map(), 1);
  if (size > maximumExpansion) throw badRequest('yaml parse error: the aliases of the document expand to too much');
  if (height > maximumDepth) throw tooDeep();
  return copy(document);
}

const tooDeep = () => badRequest(`yaml parse error: nesting is deeper than ${maximumDepth}`);

/** The characters and nodes of a value, and its nesting, as if every alias were written out. */
interface Measure {
  readonly size: number;
  readonly height: number;
}

/** An object that is still being measured: an alias within its own anchor is endless. */
const endless: Measure = { size: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY };

/** Visits each object once, however often it is shared. */
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
