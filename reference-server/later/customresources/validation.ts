// Checks an object against the schema of its resource, in steps.
import { type Causes, collectCauses, rootField } from '../../schema/causes.js';
import { equal, isRecord, own } from '../../schema/object.js';
import type { Steps } from '../../turns.js';

import { PatternBudget, PatternTooSlow } from '../cel/patterns.js';
import { formatOf } from './formats.js';
import { fieldSchema, type StructuralSchema } from './structuralSchema.js';
import type { ValueChecks } from './valueChecks.js';

/** A value to check: its schema, its path in messages, and the value that an update replaces. */
interface Checked {
  readonly schema: StructuralSchema;
  readonly value: unknown;
  readonly field: string;
  readonly before?: unknown;
}

/**
 * Adds a cause for each rule that a value breaks, in steps. Parts that are as in `before` are not checked: their schema
 * may have become stricter since they were written.
 */
export function* validate(checked: Checked, checks: ValueChecks, causes: Causes): Steps<void> {
  const found = causes.part();
  let slow: PatternTooSlow | undefined;
  try {
    yield* collectCauses(found, new Validation(checks).node(checked, found));
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    slow = error;
  }
  // What several branches say of a value is said once.
  const texts = new Set<string>();
  for (const cause of found.list) {
    const text = `${cause.field}: ${cause.message}`;
    if (!texts.has(text)) causes.add(cause);
    texts.add(text);
  }
  // The rest is not checked: each match of the pattern would take as long.
  if (slow !== undefined) {
    causes.forbidden(slow.field, `the pattern of this field cannot be checked: ${slow.message}`);
  }
}

const under = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

const hasBranches = ({ allOf, anyOf, oneOf, not }: StructuralSchema): boolean =>
  (allOf ?? anyOf ?? oneOf ?? not) !== undefined;

class Validation {
  readonly #budget = new PatternBudget();

  constructor(readonly checks: ValueChecks) {}

  *node(checked: Checked, causes: Causes): Steps<void> {
    const { schema, value, field, before } = checked;
    if (before !== undefined && equal(value, before)) return;
    const check = this.checks.of(schema, value, field, this.#budget, causes);
    check.type();
    if (value !== null) {
      if (hasBranches(schema)) yield* this.#branches(checked, causes);
      check.scalar();
      if (Array.isArray(value)) {
        yield* this.#items(checked, value, causes);
        check.numberOfItems();
      }
    }
    check.enum();
    if (!isRecord(value)) return;
    check.numberOfFields();
    yield* this.#fields(checked, value, causes);
    check.required();
  }

  *#items({ schema, field, before }: Checked, items: readonly unknown[], causes: Causes): Steps<void> {
    const { items: itemSchema } = schema;
    yield;
    if (itemSchema === undefined) return;
    const known = Array.isArray(before) ? (index: number) => before[index] as unknown : () => undefined;
    for (let index = 0; index < items.length; index++) {
      if (index % 64 === 63) yield;
      const checked = { schema: itemSchema, value: items[index], field: `${field}[${index}]`, before: known(index) };
      yield* this.node(checked, causes);
    }
  }

  *#fields({ schema, field, before }: Checked, fields: Record<string, unknown>, causes: Causes): Steps<void> {
    const known = isRecord(before) ? before : {};
    yield;
    for (const name of Object.keys(fields)) {
      const inner = fieldSchema(schema, name);
      if (inner !== undefined) {
        const value = fields[name];
        // Real servers put a dot before the key of a map even if the map is the whole value.
        const path = isRecord(schema.additionalProperties) ? `${field}.${name}` : under(field, name);
        yield* this.node({ schema: inner, value, field: path, before: own(known, name) }, causes);
      } else if (schema.additionalProperties === false) {
        causes.invalid(field, name, `${field}.${name} in body is a forbidden property`);
      }
    }
  }

  /** Checks what `anyOf`, `oneOf`, `allOf` and `not` say. */
  *#branches({ schema, value, field }: Checked, causes: Causes): Steps<void> {
    const { allOf = [], anyOf = [], oneOf = [], not } = schema;
    // Real servers say where it is, but not as the field of the cause.
    const add = (why: string) => causes.invalid(rootField, '', `"${field}" must ${why}`);
    if (anyOf.length > 0) {
      const failed = yield* this.#failures(anyOf, value, field, causes, true);
      if (failed.length === anyOf.length) {
        add('validate at least one schema (anyOf)');
        yield* this.#addBest(failed, value, causes);
      }
    }
    if (oneOf.length > 0) {
      const failed = yield* this.#failures(oneOf, value, field, causes);
      const valid = oneOf.length - failed.length;
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      if (valid !== 1) add(`validate one and only one schema (oneOf). ${found}`);
      if (valid === 0) yield* this.#addBest(failed, value, causes);
    }
    if (allOf.length > 0) {
      const failed = yield* this.#failures(allOf, value, field, causes);
      for (const { found } of failed) for (const cause of found.list) causes.add(cause);
      const none = failed.length === allOf.length ? '. None validated' : '';
      if (failed.length > 0) add(`validate all the schemas (allOf)${none}`);
    }
    if (not !== undefined && (yield* this.#failures([not], value, field, causes)).length === 0) {
      add('not validate the schema (not)');
    }
  }

  /** Returns the causes of each schema that a value does not fit; with `untilFits`, up to the first that it fits. */
  *#failures(
    schemas: readonly StructuralSchema[],
    value: unknown,
    field: string,
    causes: Causes,
    untilFits = false,
  ): Steps<readonly Failure[]> {
    const failed: Failure[] = [];
    for (const schema of schemas) {
      const found = causes.part();
      yield* collectCauses(found, this.node({ schema, value, field }, found));
      if (found.list.length > 0) failed.push({ schema, found });
      else if (untilFits) return [];
    }
    return failed;
  }

  /** Adds the causes of the schema that looks at the most of a value: the first of these. */
  *#addBest(failed: readonly Failure[], value: unknown, causes: Causes): Steps<void> {
    let [best] = failed;
    let most = 0;
    for (const failure of failed) {
      const count = yield* looksAt(failure.schema, value);
      if (count > most) [best, most] = [failure, count];
    }
    for (const cause of best?.found.list ?? []) causes.add(cause);
  }
}

/** A schema that a value does not fit, and why. */
interface Failure {
  readonly schema: StructuralSchema;
  readonly found: Causes;
}

/** Returns how many checks a schema makes of a value, as real servers count them. */
function* looksAt(schema: StructuralSchema, value: unknown): Steps<number> {
  const { items, type } = schema;
  let count = 1 + (type === undefined ? 0 : 2) + (typeof value === 'string' && formatOf(schema) !== undefined ? 2 : 0);
  yield;
  if (Array.isArray(value) && isRecord(items)) {
    for (const item of value) count += 4 + (yield* looksAt(items, item));
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      const inner = fieldSchema(schema, name);
      if (inner !== undefined) count += 4 + (yield* looksAt(inner, value[name]));
    }
  }
  return count;
}
