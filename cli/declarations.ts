// Where in a target file each declaration stands, so that a stale one can be named by its line.
import { EVENT_ID, getScalarValue, parseEvents } from 'js-yaml';

/** The lines, counting from 1, of the items of the list that a file has under a key; empty where it has none. */
export function itemLines(source: string, key: string): number[] {
  const lines: number[] = [];
  const stack: { readonly list: boolean; readonly wanted: boolean; key?: string; entries: number }[] = [];
  for (const event of parseEvents(source, {})) {
    if (event.type === EVENT_ID.POP) {
      stack.pop();
      continue;
    }
    const inside = stack.at(-1);
    const start = 'start' in event ? event.start : 'valueStart' in event ? event.valueStart : undefined;
    if (inside?.wanted && start !== undefined) lines.push(lineOf(source, start));
    const isKey = inside !== undefined && !inside.list && inside.entries % 2 === 0;
    if (isKey) inside.key = event.type === EVENT_ID.SCALAR ? getScalarValue(source, event) : '';
    if (inside !== undefined) inside.entries += 1;
    if (event.type === EVENT_ID.DOCUMENT) stack.push({ list: true, wanted: false, entries: 0 });
    if (event.type === EVENT_ID.MAPPING) stack.push({ list: false, wanted: false, entries: 0 });
    if (event.type === EVENT_ID.SEQUENCE) {
      stack.push({ list: true, wanted: stack.length === 2 && inside?.key === key, entries: 0 });
    }
  }
  return lines;
}

const lineOf = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;
