// Path steps: the texts that name fields and items in sets, and their form in messages.
import { jsonText, parseJson } from '../../exactJson.js';
import { isRecord, own } from '../../schema/object.js';
import type { ListShape } from './shape.js';

/** An item of a list has no key, or one that cannot be. The message has no path. */
export class BadItem extends Error {}

const escaped = /[<>&\u2028\u2029]/g;

/** Returns JSON as real servers write it in a step: what means something in HTML is escaped. */
const goText = (value: unknown): string =>
  jsonText(value).replace(escaped, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Returns the step to an item of a list. Throws BadItem. */
export function stepTo(item: unknown, { keys }: ListShape): string {
  if (keys === undefined) {
    if (item === null || item === undefined) {
      throw new BadItem("associative list without keys has an element that's an explicit null");
    }
    if (typeof item === 'object') {
      throw new BadItem("associative list without keys has an element that's a list or map type");
    }
    return `v:${goText(item)}`;
  }
  if (item === null || item === undefined) throw new BadItem('associative list with keys may not have a null element');
  if (!isRecord(item)) throw new BadItem('associative list with keys may not have non-map elements');
  let text = '';
  for (const { name, fallback } of keys) {
    const value = own(item, name) ?? fallback;
    if (value !== undefined) text += `${text === '' ? '' : ','}${goText(name)}:${goText(value)}`;
  }
  if (text === '') {
    const names = keys.map(({ name }) => JSON.stringify(name)).join(' ');
    throw new BadItem(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return `k:{${text}}`;
}

/**
 * Returns a step from outside in the form of `stepTo`. Returns undefined for a kind of step that is not known, which
 * servers ignore. Throws SyntaxError for a malformed one.
 */
export function normalStep(step: string): string | undefined {
  const value = step.slice(2);
  switch (step.slice(0, 2)) {
    case 'f:':
      return step;
    case 'v:':
      return `v:${goText(parseJson(value))}`;
    case 'i:':
      if (!/^\d+$/.test(value)) throw new SyntaxError(`${step} is not an index`);
      return step;
    case 'k:': {
      const keys: unknown = parseJson(value);
      if (!isRecord(keys)) throw new SyntaxError(`${step} has no keys`);
      const names = Object.keys(keys).sort();
      return `k:{${names.map((name) => `${goText(name)}:${goText(keys[name])}`).join(',')}}`;
    }
    default:
      return undefined;
  }
}

/** Returns a path in the form of messages: `.spec.containers[name="a"].image`. */
export const pathText = (steps: readonly string[]): string => steps.map(stepText).join('');

/** Returns a step in the form of messages. */
export function stepText(step: string): string {
  const value = step.slice(2);
  if (step.startsWith('f:')) return `.${value}`;
  if (step.startsWith('v:')) return `[=${value}]`;
  if (step.startsWith('i:')) return `[${value}]`;
  const keys = Object.entries(parseJson(value) as object);
  return `[${keys.map(([name, key]) => `${name}=${jsonText(key)}`).join(',')}]`;
}
