// Excerpts of values for messages. The cost does not grow with the value.
import { jsonText } from './exactJson.js';

/** The most characters of a value in a message; a few more if the last one is escaped. */
const most = 256;
const ellipsis = '…';

/** Cuts a text to a number of characters. */
export function cut(text: string, length = most): string {
  return text.length > length ? text.slice(0, length) + ellipsis : text;
}

/** Returns the beginning of a value as JSON. An undefined value is null. */
export const excerpt = (value: unknown): string => longExcerpt(value, most);

/** The same with another length, in characters. */
export const longExcerpt = (value: unknown, length: number): string => cut(written(value, length), length);

/** Returns the JSON of a value, or its beginning with more than `room` characters. */
function written(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, room));
  if (typeof value !== 'object' || value === null) return jsonText(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) {
      if (text.length > room) return `[${text}`;
      text += `${text === '' ? '' : ','}${written(item, room - text.length)}`;
    }
    return `[${text}]`;
  }
  // Iterates over names, so that the values of a wide object are not read beyond the limit.
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner === undefined) continue;
    if (text.length > room) return `{${text}`;
    text += `${text === '' ? '' : ','}${JSON.stringify(cut(name, room))}:${written(inner, room - text.length)}`;
  }
  return `{${text}}`;
}
