// The suite's own reader and writer of YAML, which shares no code with the reference server's.
//
// Clients of the API read YAML 1.1, so an unquoted yes is a boolean here, and a server that means a string must quote
// it. A timestamp or 12:30 is a string, quoted or not: no client of the API reads another type, and old servers do not
// quote it.
import { Composer, Document, isCollection, LineCounter, Parser, type ScalarTag, type Tags, visit } from 'yaml';
import type { Json } from './json.js';

/** The maximum number of aliases in a body; no response of a server needs one. */
const maxAliasCount = 100;

/** Types that JSON lacks, and that clients of the API read as strings. */
const unread = /:(timestamp|binary|omap|pairs|set|merge)$/;

/** A number with a fraction or an exponent, with a digit before them or after the point: `e6` and `.` are strings. */
const decimal: ScalarTag = {
  identify: (value) => typeof value === 'number',
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?$/,
  resolve: (text) => Number(text.replaceAll('_', '')),
};

const customTags = (tags: Tags): Tags => [
  ...tags.filter((tag) => typeof tag === 'string' || isRead(tag as ScalarTag)),
  decimal,
];

const isRead = ({ tag, format, test }: ScalarTag): boolean =>
  !(unread.test(tag) || format === 'TIME' || (tag === decimal.tag && !test?.test('.inf')));

/** The maximum number of characters of a text: reading takes long. */
const longest = 8 * 1024 * 1024;

/**
 * The maximum depth of a text. Reading recurses, and ends the process where the stack is full: V8 cannot compile a regular
 * expression there. That is at a depth of some 750.
 */
const deepest = 250;

/** Throws while it cuts a text into tokens, which does not recurse, where the text is nested too deeply. */
class ShallowParser extends Parser {
  override *next(source: string): ReturnType<Parser['next']> {
    yield* super.next(source);
    if (this.stack.length > deepest) throw new Error(`malformed YAML: nested more than ${deepest} levels deep`);
  }
}

/**
 * Reads a text of one document. Throws if it is malformed, nested too deeply, repeats a key, or has another number of
 * documents.
 */
export function readYaml(text: string): unknown {
  if (text.length > longest) throw new Error(`YAML of ${text.length} characters is not read`);
  const lines = new LineCounter();
  const options = { version: '1.1', schema: 'yaml-1.1', merge: false, customTags } as const;
  const documents = [...new Composer(options).compose(new ShallowParser(lines.addNewLine).parse(text))];
  if (documents.length > 1) throw new Error(`${documents.length} YAML documents, where one is expected`);
  const [document] = documents;
  const [error] = document?.errors ?? [];
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new Error(`malformed YAML: ${error.message} at line ${line}, column ${col}`);
  }
  // The text of such a key doubles with each level.
  if (document !== undefined)
    visit(document, {
      Pair: (_, { key }) => {
        if (isCollection(key)) throw new Error('malformed YAML: a key is a collection');
      },
    });
  return document?.toJS({ maxAliasCount }) ?? null;
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
