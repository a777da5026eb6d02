// Writes YAML in block style with sorted keys. The library needs much time and stack for very long texts: they are written
// here, as double-quoted texts.
import { randomUUID } from 'node:crypto';
import { DUMP_SCHEMA, defineScalarTag, dump, floatCoreTag, intCoreTag, intYaml11Tag, NOT_RESOLVED } from 'js-yaml';

/** Text that some readers parse as a number: `9e5147` as infinity, `476_38.6` as 47638.6. */
const numberLikeTag = defineScalarTag<number>(floatCoreTag.tagName, {
  ...floatCoreTag,
  resolve(source, isExplicit, tag) {
    const isNumberLike = /^[-+]?(?:\.?\d|\.$)[\d_.]*(?:[eE][-+]?\d*)?$/.test(source);
    return isNumberLike ? Number.POSITIVE_INFINITY : floatCoreTag.resolve(source, isExplicit, tag);
  },
});

/** Integers of YAML 1.1 and `0o17` of 1.2; one that a number cannot hold is a bigint. */
const integerTag = defineScalarTag<number | bigint>(intYaml11Tag.tagName, {
  ...intYaml11Tag,
  resolve(source, isExplicit, tag) {
    const older = intYaml11Tag.resolve(source, isExplicit, tag);
    return older === NOT_RESOLVED ? intCoreTag.resolve(source, isExplicit, tag) : older;
  },
  identify: (value) => typeof value === 'bigint' || intYaml11Tag.identify?.(value) === true,
  represent: String,
});

/** Quotes every string that a reader of YAML 1.1 or 1.2 would parse as another type. */
const dumping = {
  schema: DUMP_SCHEMA.withTags(numberLikeTag, integerTag),
  sortKeys: true,
  noRefs: true,
  seqNoIndent: true,
  lineWidth: -1,
  quoteStyle: 'double',
} as const;

/** The most characters of a text, and of one of its lines, that the library writes. */
const longest = { text: 1024 * 1024, line: 64 * 1024 };

/** The place of a long text, with its index. No client knows the mark, so that no text of a client is a place. */
const mark = `text-${randomUUID()}-`;
const places = new RegExp(`${mark}(\\d+)`, 'g');

/** Returns a value as YAML. The value is as deep as JSON may be. */
export function dumped(value: unknown): string {
  const texts: string[] = [];
  const place = (text: string): string => `${mark}${texts.push(text) - 1}`;
  const text = dump(withPlaces(value, place), dumping);
  if (texts.length === 0) return text;
  // JSON quotes and escapes as YAML does in double quotes.
  return text.replaceAll(places, (_, index: string) => JSON.stringify(texts[Number(index)]));
}

/** Returns a value with a place in it for each long text; the same value if it has none. */
function withPlaces(value: unknown, place: (text: string) => string): unknown {
  if (typeof value === 'string') return isLong(value) ? place(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, inner]) => {
    const placed = withPlaces(inner, place);
    isChanged ||= placed !== inner;
    return [key, placed] as const;
  });
  if (!isChanged) return value;
  return Array.isArray(value) ? entries.map(([, placed]) => placed) : Object.fromEntries(entries);
}

function isLong(text: string): boolean {
  if (text.length <= longest.line) return false;
  if (text.length > longest.text) return true;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    if ((end === -1 ? text.length : end) - start > longest.line) return true;
    if (end === -1) return false;
    start = end + 1;
  }
  return false;
}
