// The suite's own reader and writer of YAML, which shares no code with the reference server's.
//
// Clients of the API read YAML 1.1, so an unquoted yes is a boolean here, and a server that means a string must quote
// it. A timestamp or 12:30 is a string, quoted or not: no client of the API reads another type, and old servers do not
// quote it.
import {
  Composer,
  type CST,
  Document,
  isScalar,
  LineCounter,
  type ParsedNode,
  Parser,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml';
import type { Json } from './json.js';

/** The maximum number of aliases in a body; no response of a server needs one. */
const maxAliasCount = 100;

/** Types that JSON lacks, and that clients of the API read as strings. */
const unread = /:(timestamp|binary|omap|pairs|set|merge)$/;

/**
 * A number with a fraction or an exponent, with a digit before them or after the point: `e6` and `.` are strings. So is
 * `7e4526`, which no float holds: servers in Go do not quote it.
 */
const decimal: ScalarTag = {
  identify: (value) => typeof value === 'number',
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/,
  resolve: (text) => {
    const value = Number(text.replaceAll('_', ''));
    return Number.isFinite(value) ? value : text;
  },
};

const customTags = (tags: Tags): Tags => [
  ...tags.filter((tag) => typeof tag === 'string' || isRead(tag as ScalarTag)),
  decimal,
];

const isRead = ({ tag, format, test }: ScalarTag): boolean =>
  !(unread.test(tag) || format === 'TIME' || (tag === decimal.tag && !test?.test('.inf')));

/** The maximum numbers of characters and of tokens of a text: it is read for seconds, in up to a gigabyte of memory. */
const most = { characters: 8 * 1024 * 1024, tokens: 4_000_000 } as const;

/**
 * The maximum depth of a text. Reading recurses, and ends the process where the stack is full: V8 cannot compile a regular
 * expression there. That is at a depth of some 750.
 */
const deepest = 250;

/** Throws while it cuts a text into tokens, which does not recurse, where the text has too many, or is nested too deeply. */
class BoundedParser extends Parser {
  #tokens = 0;

  override *next(source: string): ReturnType<Parser['next']> {
    yield* super.next(source);
    this.#tokens += 1;
    if (this.#tokens > most.tokens) throw new Error(`YAML of more than ${most.tokens} tokens is not read`);
    if (this.stack.length > deepest) throw new Error(`malformed YAML: nested more than ${deepest} levels deep`);
  }
}

/** Where the composer finds a fault: an offset, a range of offsets, or a token. */
type FaultPlace = number | readonly [number, ...number[]] | { readonly offset: number };

/**
 * Reads a text of one document. Throws if it is malformed, too long, nested too deeply, repeats a key, or has another number
 * of documents.
 */
export function readYaml(text: string): unknown {
  if (text.length > most.characters) throw new Error(`YAML of ${text.length} characters is not read`);
  const lines = new LineCounter();
  const fault = (offset: number, message: string): Error => {
    const { line, col } = lines.linePos(offset);
    return new Error(`malformed YAML: ${message} at line ${line}, column ${col}`);
  };
  // The composer would compare each key with all others of its mapping.
  const options = { version: '1.1', schema: 'yaml-1.1', merge: false, uniqueKeys: false, customTags } as const;
  const composer = new Composer(options);
  // The first fault ends it: it would keep one for each character.
  const onError = (source: FaultPlace, _code: string, message: string, isWarning?: boolean): void => {
    if (isWarning) return;
    if (typeof source === 'number') throw fault(source, message);
    throw fault('offset' in source ? source.offset : source[0], message);
  };
  Object.assign(composer, { onError });
  function* sound(tokens: ReturnType<Parser['parse']>): Generator<CST.Token> {
    for (const token of tokens) {
      if (token.type === 'error') throw fault(token.offset, token.message);
      yield token;
    }
  }
  let count = 0;
  let found: Document.Parsed | undefined;
  for (const document of composer.compose(sound(new BoundedParser(lines.addNewLine).parse(text)))) {
    found ??= document;
    count += 1;
  }
  if (count > 1) throw new Error(`${count} YAML documents, where one is expected`);
  const [error] = found?.errors ?? [];
  if (error !== undefined) throw fault(error.pos[0], error.message);
  if (found !== undefined)
    visit(found, {
      Map: (_, { items }) => {
        const keys = new Set<string>();
        for (const { key } of items) {
          const node = key as ParsedNode | null;
          const offset = node?.range[0] ?? 0;
          // The text of a collection as a key doubles with each level.
          if (node !== null && !isScalar(node)) throw fault(offset, 'a key is no text');
          const name = String(node?.value ?? '');
          if (keys.has(name)) throw fault(offset, `the key ${JSON.stringify(name)} is repeated`);
          keys.add(name);
        }
      },
    });
  return found?.toJS({ maxAliasCount }) ?? null;
}

/** Writes a value so that YAML 1.1 readers and YAML 1.2 readers read the same value. */
export function writeYaml(value: Json): string {
  const document = new Document(value, { version: '1.1', schema: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && /^[-+.]?\d/.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0, directives: false });
}
