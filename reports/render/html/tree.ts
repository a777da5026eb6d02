// Reads markup of our own back into a tree: a page that held all its evidence as elements would open slowly.
import type { Tree } from '../../page/tree.js';
import type { Markup } from './markup.js';

type Open = [string, Readonly<Record<string, string>>, Tree[]];

const token = /<\/[a-z]\w*>|<([a-z]\w*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|[^<]+/gi;

/** The elements and texts of markup whose elements are all closed, as every template of ours closes them. */
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
  const found = source.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/gi);
  return Object.fromEntries([...found].map(([, key = '', value = '']) => [key, decode(value)]));
}

/** Templates escape by number and in no other way. */
function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
