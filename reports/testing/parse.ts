// Strict readers of the formats. XML and HTML: every tag must be closed, every attribute quoted, every entity known. JSON:
// by the schemas of the package.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface ParsedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly ParsedElement[];
  /** The text directly inside the element. */
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: ParsedElement[];
  text: string;
}

const voids = new Set(['meta', 'br', 'link', 'img', 'input', 'hr']);
const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0' };
const forbidden = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]|\p{Surrogate}/u;

/** Parses a document. Throws an error with the line if the document is not well-formed. */
export function parseMarkup(source: string, kind: 'xml' | 'html'): ParsedElement {
  if (forbidden.test(source)) throw new Error(`a forbidden character at ${source.search(forbidden)}`);
  const prologue = kind === 'xml' ? '<?xml version="1.0" encoding="UTF-8"?>' : '<!doctype html>';
  if (!source.startsWith(prologue)) throw new Error('no prologue');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const token = /<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w:-]*(?:="[^"<]*")?)*)\s*(\/?)>|([^<]+)/y;
  token.lastIndex = prologue.length;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const found = token.exec(source);
    if (!found) throw new Error(`not well-formed at ${at}: ${JSON.stringify(source.slice(at, at + 80))}`);
    const [, closing, name = '', attributes = '', selfClosing, text] = found;
    const current = stack.at(-1) ?? root;
    if (text !== undefined) {
      // The content of a style element has no entities.
      current.text += current.name === 'style' ? text : decode(text);
    } else if (closing) {
      if (current.name !== name) throw new Error(`</${name}> closes <${current.name}> at ${at}`);
      stack.pop();
    } else {
      const element: Open = { name, attributes: attributesOf(attributes, kind), children: [], text: '' };
      current.children.push(element);
      if (!selfClosing && !(kind === 'html' && voids.has(name))) stack.push(element);
      if (kind === 'html' && name === 'script') {
        // The content of a script element is not markup, and ends at the first end tag.
        const end = source.slice(token.lastIndex).search(/<\/script/i);
        element.text = source.slice(token.lastIndex, token.lastIndex + end);
        token.lastIndex += end;
      }
    }
  }
  if (stack.length !== 1) throw new Error(`<${stack.at(-1)?.name}> is never closed`);
  const [only, ...more] = root.children;
  if (!only || more.length > 0 || root.text.trim() !== '') throw new Error('not one root element');
  return only;
}

/** Returns every element of a tree, the root first. */
export function allElements(root: ParsedElement): ParsedElement[] {
  return [root, ...root.children.flatMap(allElements)];
}

export function textOf(element: ParsedElement): string {
  return element.text + element.children.map(textOf).join(' ');
}

function attributesOf(source: string, kind: 'xml' | 'html'): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value] of source.matchAll(/([A-Za-z][\w:-]*)(?:="([^"]*)")?/g)) {
    if (value === undefined && kind === 'xml') throw new Error(`attribute ${name} has no value`);
    if (name in attributes) throw new Error(`attribute ${name} twice`);
    attributes[name] = decode(value ?? '');
  }
  return attributes;
}

function decode(text: string): string {
  return text.replace(/&([^;&\s]*;?)/g, (_, entity: string) => {
    const numeric = /^#(\d+);$/.exec(entity);
    const value = numeric ? String.fromCodePoint(Number(numeric[1])) : names[entity.replace(/;$/, '')];
    if (value === undefined || !entity.endsWith(';')) throw new Error(`an unknown entity &${entity}`);
    return value;
  });
}

/** Returns a function that returns the errors of a value by a schema of reports/schema, one sentence each. */
export function faultsBy(name: 'report' | 'compare'): (value: unknown) => string[] {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url);
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
