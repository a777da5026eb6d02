// Converts the project's own markup to a tree, because a page with all evidence as elements would open slowly.
import type { Tree } from '../../page/tree.js';
import type { Markup } from './markup.js';

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
