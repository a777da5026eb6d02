// The YAML of a target file, with the line of each of its fields.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLError } from 'yaml';
import { UsageError } from '../errors.js';
import { readTextFile } from '../files.js';
import { yamlOffset } from '../yamlErrors.js';

/** The path of a field: names of fields, and positions in lists. */
export type FieldPath = readonly (string | number)[];

export interface ParsedFile {
  readonly value: Readonly<Record<string, unknown>>;
  /** Returns `file:line`: of the name of a field, or of the beginning of an item in a list. */
  at(path: FieldPath): string;
  /** Returns a scalar as it is written, such as `1.20`; undefined for other values. */
  source(path: FieldPath): string | undefined;
}

/** Reads a file with one mapping. Throws UsageError that names the file and the line. */
export function parseYamlFile(file: string, option: string): ParsedFile {
  const text = readTextFile(file, option);
  if (/^\uFFFD\uFFFD|\0/.test(text)) throw new UsageError(`${file}: not UTF-8 text: save the file as UTF-8`);
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const place = (offset = 0): string => `${file}:${lineCounter.linePos(offset).line}`;
  const [wrong] = [...document.errors, ...document.warnings].sort((one, other) => one.pos[0] - other.pos[0]);
  if (wrong !== undefined) throw new UsageError(`${place(yamlOffset(wrong, text))}: ${sentenceOf(wrong, text)}`);
  visit(document, {
    Alias: (_, { source, range }) => {
      throw new UsageError(`${place(range?.[0])}: *${source} is an alias: write the value itself`);
    },
  });
  const root = document.contents;
  if (root === null) throw new UsageError(`${file}: no fields in it: begin with name: and url:`);
  if (!isMap(root)) throw new UsageError(`${place(root.range[0])}: not fields with values: begin with name: and url:`);
  return {
    value: document.toJS() as ParsedFile['value'],
    at: (path) => place(placeOf(root, path)),
    source: (path) => {
      const node: unknown = document.getIn(path, true);
      return isScalar(node) ? node.source : undefined;
    },
  };
}

type ParserError = Pick<YAMLError, 'code' | 'message' | 'pos'>;

/** Returns the sentence of an error of the parser. */
function sentenceOf({ code, message, pos }: ParserError, text: string) {
  switch (code) {
    case 'DUPLICATE_KEY':
      return `the field ${/^["']?([^\s"':]+)/.exec(text.slice(pos[0]))?.[1]} is there twice: keep one`;
    case 'TAB_AS_INDENT':
      return 'the line begins with a tab: indent with spaces';
    case 'MULTIPLE_DOCS':
      return 'a second document begins: keep one';
    case 'NON_STRING_KEY':
      return 'the name of a field is a list or an object: write a name';
    case 'RESOURCE_EXHAUSTION':
      return 'nested too deeply';
    default:
      return `not YAML: ${message}`;
  }
}

/** Returns the offset of the last field or item on a path that is in the file. */
function placeOf(root: Node, path: FieldPath): number | undefined {
  let node: unknown = root;
  let offset = root.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (!isScalar(pair?.key)) break;
      offset = pair.key.range?.[0];
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    }
  }
  return offset;
}
