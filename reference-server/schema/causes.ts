// Collects the causes of an invalid object, one for each field, in the words that clients expect.

import { isNumeric } from '../exactJson.js';
import { cut, excerpt } from '../excerpt.js';
import type { Cause } from '../statusError.js';
import type { Steps } from '../turns.js';
import type { Format } from './formats.js';
import { numberText, quotedText } from './goText.js';

/**
 * The most causes that are listed. The last one says that there are more: a small object can have thousands of
 * mistakes.
 */
const mostCauses = 100;
/** The most characters of a cause's message, and of its field: more than the longest valid key has. */
const longestCause = 1024;

/** The value of a cause whose message shows none. */
export const noValue = Symbol('no value');

/** The field of a cause that is about the whole: real servers name the root so. */
export const rootField = '<nil>';

/** Returns a value in the form that messages use. */
function quoted(value: unknown): string {
  if (typeof value === 'string') return quotedText(cut(value));
  return isNumeric(value) ? numberText(value) : excerpt(value);
}
const shown = (value: unknown): string => (value === noValue ? '' : `: ${quoted(value)}`);

/** Thrown after the last cause that is listed, to end the validation. */
class EnoughCauses extends Error {}

/** Runs the steps of a validation, which adds to the causes, until it ends or they are full. Returns the causes. */
export function* collectCauses(causes: Causes, validation: Steps<void>): Steps<Causes> {
  try {
    if (!causes.isFull) yield* validation;
  } catch (error) {
    if (!(error instanceof EnoughCauses)) throw error;
  }
  return causes;
}

/** The causes of an invalid object. Throws EnoughCauses when full: use `collected` for a list that may be long. */
export class Causes {
  readonly list: Cause[] = [];

  constructor(readonly most = mostCauses) {}

  /** Returns an empty list whose causes are added to this one later. It is full when this one cannot take them all. */
  part(): Causes {
    return new Causes(this.most + 1);
  }

  /** Whether no cause can be added. */
  get isFull(): boolean {
    return this.list.length >= this.most;
  }

  required(field: string, detail?: string): void {
    this.#add('FieldValueRequired', field, () =>
      detail === undefined ? 'Required value' : `Required value: ${detail}`,
    );
  }

  invalid(field: string, value: unknown, why: string): void {
    this.#add('FieldValueInvalid', field, () => `Invalid value${shown(value)}${why && `: ${why}`}`);
  }

  duplicate(field: string, value: unknown): void {
    this.#add('FieldValueDuplicate', field, () => `Duplicate value${shown(value)}`);
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

  /** Requires at most so many characters; real servers call them bytes. */
  longerThan(field: string, length: number): void {
    this.#add(
      'FieldValueTooLong',
      field,
      () => `Too long: may not be more than ${length} ${length === 1 ? 'byte' : 'bytes'}`,
    );
  }

  tooMany(field: string, count: number, most: number): void {
    this.#add(
      'FieldValueTooMany',
      field,
      () => `Too many: ${count}: must have at most ${most} ${most === 1 ? 'item' : 'items'}`,
    );
  }

  /** Adds a value that has not the type of its schema. */
  typeInvalid(field: string, value: unknown, why: string): void {
    this.#add('FieldValueTypeInvalid', field, () => `Invalid value: ${quoted(value)}: ${field} in body ${why}`);
  }

  notSupported<Item = string>(
    field: string,
    value: unknown,
    supported: readonly Item[],
    wordOf: (item: Item) => string = String,
  ): void {
    // Each takes more than one character of the message.
    const values = () =>
      supported
        .slice(0, longestCause)
        .map((item) => JSON.stringify(wordOf(item)))
        .join(', ');
    this.#add(
      'FieldValueNotSupported',
      field,
      () => `Unsupported value: ${quoted(value)}: supported values: ${values()}`,
    );
  }

  /** Requires one of a few values, if the value is present. */
  oneOf(field: string, value: string | undefined, supported: readonly string[]): void {
    if (value !== undefined && !supported.includes(value)) this.notSupported(field, value, supported);
  }

  /** Requires a format, if the value is present. */
  format(field: string, value: string | undefined, format: Format): void {
    if (value !== undefined) for (const problem of format(value)) this.invalid(field, value, problem);
  }

  /** Requires a value with a format. */
  named(field: string, value: string | undefined, format: Format): void {
    if (value === undefined || value === '') this.required(field);
    else this.format(field, value, format);
  }

  /** Requires zero or more, if the value is present. */
  notNegative(field: string, value: number | bigint | undefined): void {
    if (value !== undefined && value < 0) this.invalid(field, value, 'must be greater than or equal to 0');
  }

  /** Requires more than zero, if the value is present. */
  positive(field: string, value: number | undefined): void {
    if (value !== undefined && value <= 0) this.invalid(field, value, 'must be greater than 0');
  }

  /** Requires a port number. */
  port(field: string, value: number | undefined): void {
    if (value === undefined || value < 1 || value > 65535) {
      this.invalid(field, value ?? 0, 'must be between 1 and 65535, inclusive');
    }
  }

  /** Requires that a value has not changed. */
  immutable(field: string, value: unknown, same: boolean): void {
    if (!same) this.invalid(field, value, 'field is immutable');
  }

  /** Adds a cause of another list. */
  add({ reason, field = '', message = '' }: Cause): void {
    this.#add(reason, field, () => message);
  }

  /** Adds a cause. Throws EnoughCauses when the list is full. */
  #add(reason: Cause['reason'], field: string, message: () => string): void {
    const isLast = this.list.length + 1 === this.most;
    const more = isLast ? ' (what else is wrong is not listed)' : '';
    this.list.push({ reason, message: cut(message(), longestCause) + more, field: cut(field, longestCause) });
    if (isLast) throw new EnoughCauses();
  }
}
