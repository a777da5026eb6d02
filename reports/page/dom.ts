// Creates elements. Text always stays text: no function of the page accepts markup.

import type { Tree } from './island.js';

type Child = Node | string | undefined;

/** Returns an element with attributes and children; undefined children are skipped. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/** Returns an element of the page that the renderer wrote. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

const drawing = new Set(['svg', 'rect']);

/** Builds a tree. Texts always become text nodes. */
export function buildTree(tree: Tree): Node {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const [name, attributes, children] = tree;
  const element = drawing.has(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map(buildTree));
  return element;
}
