// Evidence as a tree of elements, which the renderer writes as JSON and the script builds when a case is opened.

/** A text, or an element with its attributes and children. */
export type Tree = string | Branch;

/** An element of a tree. */
type Branch = readonly [name: string, attributes: Readonly<Record<string, string>>, children: readonly Tree[]];

const drawing = new Set(['svg', 'rect']);

/** Builds a tree. Texts always become text nodes. */
export function build(tree: Tree): Node {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const [name, attributes, children] = tree;
  const element = drawing.has(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.map(build));
  return element;
}
