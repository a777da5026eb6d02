// Markup that is always escaped: a template treats every value as text, unless the value is markup already.
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

/** The values of a template. */
export type Value = string | number | undefined | Markup | readonly Markup[];

/** Returns markup from a template: `html`<b>${anything}</b>``. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** Returns text from the project's own source files as markup. */
export function trusted(text: string): Markup {
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

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value instanceof Markup ? value.toString() : value.join('\n');
}
