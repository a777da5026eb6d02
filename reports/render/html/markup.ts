// Markup that is always escaped: a template treats every value as text, unless the value is markup already. Evidence is
// written as a tree, because a page with all of it as elements would open slowly.
import type { Tree } from '../../page/island.js';
import { visible } from '../../safeText.js';

/** HTML that is safe to put into a page. Only the functions of this file make it. */
export class Markup {
  readonly #html: string;

  constructor(html: string) {
    this.#html = html;
  }

  toString(): string {
    return this.#html;
  }
}

export type TemplateValue = string | number | undefined | Markup | readonly Markup[];

/** Returns markup from a template: `html`<b>${anything}</b>``. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** Returns text from the project's own source files as markup. */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

/** Returns data for a script of the page: JSON that cannot end its element. */
export function jsonElement(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return new Markup(`<script type="application/json" id="${escapeHtml(id)}">${json}</script>`);
}

/** Escapes all characters with a meaning in HTML, for elements and for quoted attributes. */
function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: TemplateValue): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value instanceof Markup ? value.toString() : value.join('\n');
}

type Open = [string, Readonly<Record<string, string>>, Tree[]];

const token = /<\/[a-z]\w*>|<([a-z]\w*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|[^<]+/gi;

/** Returns the elements and texts of markup. All elements must be closed, as in every template of the project. */
export function treesOf(markup: Markup): Tree[] {
  const root: Open = ['', {}, []];
  const open: Open[] = [root];
  for (const [part, name, attributes = ''] of markup.toString().matchAll(token)) {
    const top = open.at(-1) ?? root;
    if (part.startsWith('</')) open.pop();
    else if (name === undefined) top[2].push(decode(part));
    else {
      const element: Open = [name, attributesOf(attributes), []];
      top[2].push(element);
      open.push(element);
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)?.[0]}> is never closed`);
  return root[2];
}

function attributesOf(source: string): Record<string, string> {
  if (source === '') return {};
  const found = source.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/gi);
  return Object.fromEntries([...found].map(([, key = '', value = '']) => [key, decode(value)]));
}

/** Decodes numeric character references, the only ones that templates write. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
