// What the fields of options must be: one way to check values from programs and from HTTP, and to say what is wrong.
import { unknownField, unknownName } from '../matrix/api/nearest.js';
import { OptionError } from './optionValues.js';

/** Returns what to do about a value, such as `give a text`; undefined if it is right. */
export type Check = (value: unknown) => string | undefined;

/** The checks of the fields that an object may have. An absent field, or undefined, is right. */
export type Checks = Readonly<Record<string, Check>>;

export const text: Check = (value) => (typeof value === 'string' ? undefined : 'give a text');

/** A text that would match nothing, or mean nothing, if it were empty. */
export const filled: Check = (value) => text(value) ?? (value === '' ? 'it is empty: leave it out' : undefined);

export const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'give true or false');

/** A whole number from `least` to `most`. */
export const whole =
  (least: number, most?: number, of = ''): Check =>
  (value) => {
    const isRight = Number.isInteger(value) && Number(value) >= least && Number(value) <= (most ?? Number(value));
    return isRight ? undefined : `give a whole number${of} from ${least}${most === undefined ? '' : ` to ${most}`}`;
  };

/** A number from `least` to `most`. */
export const number =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? undefined : `give a number from ${least} to ${most}`;

/** One of some texts. `what` is what they are. */
export const oneOf =
  (what: string, known: readonly string[]): Check =>
  (value) =>
    typeof value !== 'string' || known.includes(value) ? text(value) : unknownName(what, value, known);

/** A list whose items are right. */
export const listOf =
  (of: string, check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return `give a list of ${of}`;
    for (const [index, item] of value.entries()) {
      const why = check(item);
      if (why !== undefined) return inside(`[${index}]`, why);
    }
    return undefined;
  };

/** An object whose fields are right. `required` are those that it must have. */
export const fields =
  (checks: Checks, required: readonly string[] = [], noun: 'field' | 'option' = 'field'): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'give an object';
    const known = Object.keys(checks);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(checks, name));
    if (unknown !== undefined)
      return noun === 'field' ? unknownField(unknown, known) : unknownName(noun, unknown, known);
    for (const [name, check] of Object.entries(checks)) {
      const field: unknown = (value as Readonly<Record<string, unknown>>)[name];
      if (field === undefined && required.includes(name)) return `give ${required.join(' and ')}`;
      const why = field === undefined ? undefined : check(field);
      if (why !== undefined) return inside(`.${name}`, why);
    }
    return undefined;
  };

/** Puts a place before a reason, which may have a place inside of it: `[0].user: give a text`. */
const inside = (place: string, why: string): string => (/^[.[]/.test(why) ? `${place}${why}` : `${place}: ${why}`);

/**
 * Checks an object and its fields. `what` begins every sentence, such as `fail`. Throws an OptionError for another value,
 * for an unknown field, and for a field that is not right.
 */
export function requireFields(what: string, value: unknown, checks: Checks): void {
  const why = fields(checks)(value);
  if (why !== undefined) throw new OptionError(`${what}: ${why.replace(/^\./, '')}`);
}
