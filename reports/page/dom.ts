// Makes elements. Text only ever becomes text: no function of the page takes markup.

/** What an element may hold. */
export type Child = Node | string | undefined;

/** An element with its attributes and children; a child that is undefined is left out. */
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

/** An element of the page that the renderer wrote. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
