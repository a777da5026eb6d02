// Values as messages quote them: whole where they are short, cut where they are long, at a cost that does not grow.

/** The most characters of a value that a message quotes; a little more where the last one is escaped. */
const most = 256;
const ellipsis = '…';

/** A text, cut to so many characters. */
export function cut(text: string, length = most): string {
  return text.length > length ? text.slice(0, length) + ellipsis : text;
}

/** A value as JSON, as far as it goes. An undefined value is null. */
export function excerpt(value: unknown): string {
  return cut(written(value, most));
}

/** The JSON of a value, or more than the room of it. */
function written(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, room));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) {
      if (text.length > room) return `[${text}`;
      text += `${text === '' ? '' : ','}${written(item, room - text.length)}`;
    }
    return `[${text}]`;
  }
  // Its names alone: the values of a wide object are not looked at for nothing.
  for (const name of Object.keys(value)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner === undefined) continue;
    if (text.length > room) return `{${text}`;
    text += `${text === '' ? '' : ','}${JSON.stringify(cut(name, room))}:${written(inner, room - text.length)}`;
  }
  return `{${text}}`;
}
