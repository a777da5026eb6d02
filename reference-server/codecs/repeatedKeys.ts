// Finds the keys that mappings of a YAML text repeat, with the lines that servers in Go name.
import { EVENT_ID, type Event, getScalarValue, type ParserOptions, parseEvents, SCALAR_STYLE } from 'js-yaml';
import { cut } from '../excerpt.js';
import { longestPath, type RepeatedField } from './fieldPaths.js';

/** A collection that has begun, or a document. */
interface Open {
  /** The line of its first character. */
  readonly line: number;
  /** The keys of a mapping; absent for a list and a document. */
  readonly keys?: Set<string>;
  /** The key whose value comes next. */
  key?: string | undefined;
}

/** A key that stands for the keys of other mappings, and may occur many times. */
const mergeKey = '<<';

/**
 * Returns each repeated key of a text that the loader accepts, in the order in which its value ends, with the line, from
 * 1, in which the value begins. Keys are compared by their text.
 */
export function repeatedKeys(text: string, options: ParserOptions): RepeatedField[] {
  const found: RepeatedField[] = [];
  const open: Open[] = [];
  const lineOf = lines(text);
  let line = 1;
  const ended = (key: string | undefined, from: number): void => {
    const parent = open.at(-1);
    if (parent?.keys === undefined) return;
    if (parent.key === undefined) {
      parent.key = key ?? '';
      return;
    }
    if (parent.keys.has(parent.key) && parent.key !== mergeKey)
      found.push({ key: cut(parent.key, longestPath), line: from });
    parent.keys.add(parent.key);
    parent.key = undefined;
  };
  for (const event of parseEvents(text, options)) {
    const at = startOf(event);
    if (at >= 0) line = lineOf(at);
    if (event.type === EVENT_ID.SCALAR) ended(getScalarValue(text, event), line);
    else if (event.type === EVENT_ID.ALIAS) ended(undefined, line);
    else if (event.type === EVENT_ID.MAPPING) open.push({ line, keys: new Set() });
    else if (event.type !== EVENT_ID.POP) open.push({ line });
    else ended(undefined, open.pop()?.line ?? line);
  }
  return found;
}

/** Returns the offset of what begins with an event; -1 if it has none. */
function startOf(event: Event): number {
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start;
  if (event.type !== EVENT_ID.SCALAR) return -1;
  // The text of a block begins in the line after its mark.
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  return isBlock ? event.valueStart - 1 : event.valueStart;
}

/** Returns a function that returns the line of an offset, from 1. Later calls have later offsets. */
function lines(text: string): (at: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (at) => {
    for (; next !== -1 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}
