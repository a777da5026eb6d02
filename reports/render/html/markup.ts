// Markup that cannot be forgotten to escape: whatever goes into a template is text, unless it is markup already.
import { visible } from '../visible.js';

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

/** What a template takes. */
export type Value = string | number | undefined | Markup | readonly Markup[];

/** A template of markup: `html`<b>${anything}</b>``. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** Text from our own source files that is markup already. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

/** Data for a script of ours: JSON in which nothing can end the element that holds it. */
export function jsonElement(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return new Markup(`<script type="application/json" id="${escapeHtml(id)}">${json}</script>`);
}

/** The text with everything escaped that HTML gives a meaning to, in elements and in quoted attributes. */
function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value instanceof Markup ? value.toString() : value.join('\n');
}
