// Collects what is wrong with an object: a cause per field, in the words that clients know.
import type { Cause } from '../errors.js';
import { cut, excerpt } from '../excerpt.js';
import type { Format } from './formats.js';

/**
 * So many causes are listed, the last of which says that there are more: an object of a few bytes an item can be wrong in
 * as many ways as it has bytes.
 */
const mostCauses = 100;
/** The most characters of what a cause says, and of its field: more than the longest key that there may be. */
const longestCause = 1024;

/** How a value is written in a message. */
const quoted = (value: unknown): string => (typeof value === 'number' ? String(value) : excerpt(value));

/** Thrown with the last cause that is listed: nothing more has to be looked at. */
class EnoughCauses extends Error {}

/** Collects causes until there are enough. */
export function collected(validate: (causes: Causes) => void): Causes {
  const causes = new Causes();
  try {
    validate(causes);
  } catch (error) {
    if (!(error instanceof EnoughCauses)) throw error;
  }
  return causes;
}

/** One that may have many is filled by `collected`. */
export class Causes {
  readonly list: Cause[] = [];

  required(field: string, detail?: string): void {
    this.#add('FieldValueRequired', field, () =>
      detail === undefined ? 'Required value' : `Required value: ${detail}`,
    );
  }

  invalid(field: string, value: unknown, why: string): void {
    this.#add('FieldValueInvalid', field, () => `Invalid value: ${quoted(value)}: ${why}`);
  }

  duplicate(field: string, value: unknown): void {
    this.#add('FieldValueDuplicate', field, () => `Duplicate value: ${quoted(value)}`);
  }

  notFound(field: string, value: unknown): void {
    this.#add('FieldValueNotFound', field, () => `Not found: ${quoted(value)}`);
  }

  forbidden(field: string, why: string): void {
    this.#add('FieldValueForbidden', field, () => `Forbidden: ${why}`);
  }

  tooLong(field: string, bytes: number): void {
    this.#add('FieldValueTooLong', field, () => `Too long: must have at most ${bytes} bytes`);
  }

  notSupported(field: string, value: unknown, supported: readonly string[]): void {
    const values = () => supported.map((name) => JSON.stringify(name)).join(', ');
    this.#add(
      'FieldValueNotSupported',
      field,
      () => `Unsupported value: ${quoted(value)}: supported values: ${values()}`,
    );
  }

  /** A value that must be one of a few; absent is fine. */
  oneOf(field: string, value: string | undefined, supported: readonly string[]): void {
    if (value !== undefined && !supported.includes(value)) this.notSupported(field, value, supported);
  }

  /** A value that must have a format; absent is fine. */
  format(field: string, value: string | undefined, format: Format): void {
    if (value !== undefined) for (const problem of format(value)) this.invalid(field, value, problem);
  }

  /** A value that must be there and have a format. */
  named(field: string, value: string | undefined, format: Format): void {
    if (value === undefined || value === '') this.required(field);
    else this.format(field, value, format);
  }

  /** A number that must not be negative; absent is fine. */
  notNegative(field: string, value: number | undefined): void {
    if (value !== undefined && value < 0) this.invalid(field, value, 'must be greater than or equal to 0');
  }

  /** A number that must be above zero; absent is fine. */
  positive(field: string, value: number | undefined): void {
    if (value !== undefined && value <= 0) this.invalid(field, value, 'must be greater than 0');
  }

  /** The number of a port. */
  port(field: string, value: number | undefined): void {
    if (value === undefined || value < 1 || value > 65535) {
      this.invalid(field, value ?? 0, 'must be between 1 and 65535, inclusive');
    }
  }

  /** What must stay as it was. */
  immutable(field: string, value: unknown, same: boolean): void {
    if (!same) this.invalid(field, value, 'field is immutable');
  }

  /** What has found a hundred things looks no further. */
  #add(reason: Cause['reason'], field: string, message: () => string): void {
    const isLast = this.list.length + 1 === mostCauses;
    const more = isLast ? ' (what else is wrong is not listed)' : '';
    this.list.push({ reason, message: cut(message(), longestCause) + more, field: cut(field, longestCause) });
    if (isLast) throw new EnoughCauses();
  }
}
