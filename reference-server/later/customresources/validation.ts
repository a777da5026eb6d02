// Checks an object against the schema of its resource, in steps.
import { Causes, collectCauses } from '../../schema/causes.js';
import { canonicalText, equal, isRecord, own } from '../../schema/object.js';
import type { Steps } from '../../turns.js';

import { PatternBudget, PatternTooSlow } from '../cel/patterns.js';
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
  try {
    yield* new Validation(checks).node(checked, causes);
  } catch (error) {
    if (!(error instanceof PatternTooSlow)) throw error;
    // The rest is not checked: each match of the pattern would take as long.
    causes.forbidden(error.field, `the pattern of this field cannot be checked: ${error.message}`);
  }
}

const under = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`);

class Validation {
  readonly #budget = new PatternBudget();

  constructor(readonly checks: ValueChecks) {}

  *node(checked: Checked, causes: Causes): Steps<void> {
    const { schema, value, field, before } = checked;
    if (value === null && schema.nullable === true) return;
    if (before !== undefined && equal(value, before)) return;
    const hasType = this.checks.check(schema, value, field, { causes, budget: this.#budget });
    if (Array.isArray(value)) yield* this.#items(checked, value, causes);
    else if (isRecord(value)) yield* this.#fields(checked, value, causes);
    // A value of another type has only that mistake.
    if (hasType) yield* this.#branches(checked, causes);
  }

  *#items({ schema, field, before }: Checked, items: readonly unknown[], causes: Causes): Steps<void> {
    const { items: itemSchema } = schema;
    yield;
    if (itemSchema !== undefined) {
      const known = Array.isArray(before) ? (index: number) => before[index] as unknown : () => undefined;
      for (let index = 0; index < items.length; index++) {
        if (index % 64 === 63) yield;
        const checked = { schema: itemSchema, value: items[index], field: `${field}[${index}]`, before: known(index) };
        yield* this.node(checked, causes);
      }
    }
    const listType = schema['x-kubernetes-list-type'];
    if (listType === 'set') yield* requireDistinct(items, (item) => item, field, causes);
    if (listType === 'map') {
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      yield* requireDistinct(items, (item) => keyOf(item, keys), field, causes);
    }
  }

  *#fields({ schema, field, before }: Checked, fields: Record<string, unknown>, causes: Causes): Steps<void> {
    const known = isRecord(before) ? before : {};
    yield;
    for (const name of Object.keys(fields)) {
      const inner = fieldSchema(schema, name);
      if (inner !== undefined) {
        const value = fields[name];
        yield* this.node({ schema: inner, value, field: under(field, name), before: own(known, name) }, causes);
      } else if (schema.additionalProperties === false) {
        causes.invalid(field, name, `${under(field, name)} in body is a forbidden property`);
      }
    }
  }

  /** Checks what `allOf`, `anyOf`, `oneOf` and `not` say. */
  *#branches({ schema, value, field }: Checked, causes: Causes): Steps<void> {
    const { allOf = [], anyOf = [], oneOf = [], not } = schema;
    // Real servers say where it is, but not as the field of the cause.
    const add = (why: string) => causes.invalid('<nil>', '', `"${field}" must ${why}`);
    const before = causes.list.length;
    for (const branch of allOf) yield* this.node({ schema: branch, value, field }, causes);
    if (causes.list.length > before) add('validate all the schemas (allOf)');
    if (anyOf.length > 0) {
      const failed = yield* this.#failures(anyOf, value, field, true);
      if (failed.length === anyOf.length) {
        add('validate at least one schema (anyOf)');
        for (const cause of failed[0]?.list ?? []) causes.add(cause);
      }
    }
    if (oneOf.length > 0) {
      const failed = yield* this.#failures(oneOf, value, field, false);
      const valid = oneOf.length - failed.length;
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
      if (valid !== 1) add(`validate one and only one schema (oneOf). ${found}`);
      if (valid === 0) for (const cause of failed[0]?.list ?? []) causes.add(cause);
    }
    if (not !== undefined && (yield* this.#failures([not], value, field, false)).length === 0) {
      add('not validate the schema (not)');
    }
  }

  /** Returns the causes of each schema that a value does not fit; with `untilFits`, up to the first that it fits. */
  *#failures(
    schemas: readonly StructuralSchema[],
    value: unknown,
    field: string,
    untilFits: boolean,
  ): Steps<readonly Causes[]> {
    const failed: Causes[] = [];
    for (const schema of schemas) {
      const own = new Causes();
      yield* collectCauses(own, this.node({ schema, value, field }, own));
      if (own.list.length > 0) failed.push(own);
      else if (untilFits) return [];
    }
    return failed;
  }
}

/** Returns the keys of an item of a list that is a map. */
function keyOf(item: unknown, keys: readonly string[]): unknown {
  if (!isRecord(item)) return item;
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
}

function* requireDistinct(
  items: readonly unknown[],
  of: (item: unknown) => unknown,
  field: string,
  causes: Causes,
): Steps<void> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (index % 64 === 63) yield;
    const key = of(item);
    const text = canonicalText(key);
    if (seen.has(text)) causes.duplicate(`${field}[${index}]`, key);
    seen.add(text);
  }
}
