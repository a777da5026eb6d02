// The rules of defaults: each is a value of its own schema, as the server would store it.
import { type Causes, collectCauses, rootField } from '../../schema/causes.js';
import { equal, isRecord } from '../../schema/object.js';
import { DefaultsSum, defaultMaxObjectSize } from '../../schema/objectSize.js';
import type { Cause } from '../../statusError.js';
import type { Steps } from '../../turns.js';
import { Budget } from '../cel/expression.js';
import { checkEmbedded } from './embeddedObjects.js';
import { normalised, wholeDefault } from './normalised.js';
import { checkRules } from './rules.js';
import type { StructuralSchema } from './structuralSchema.js';
import { validate } from './validation.js';
import { ValueChecks } from './valueChecks.js';

/** Where a node is. */
interface Place {
  readonly path: string;
  /** The schema of the whole object that the node belongs to. */
  readonly resource: StructuralSchema;
  /** Returns an object of that schema with a value of the node in it. */
  readonly around: (value: unknown) => unknown;
  /** Whether the node is part of what every object has, whose values have rules of their own. */
  readonly isOfResource: boolean;
  /** Whether the default is checked: real servers look at none below `additionalProperties`. */
  readonly isChecked: boolean;
}

const embedded = { 'x-kubernetes-embedded-resource': true } as const;
const resourceFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

/** Checks the defaults of a definition, on a server of a minor version. */
export class DefaultRules {
  readonly #checks: ValueChecks;
  /** What defaults add to others in the whole definition. */
  readonly #added = new DefaultsSum();
  /** All rules of the defaults of a schema have one. */
  #budget = new Budget();

  constructor(
    minor: number,
    readonly causes: Causes,
  ) {
    this.#checks = new ValueChecks(minor);
  }

  /** Adds a cause for each default of a schema that breaks a rule, in steps. */
  *check(root: StructuralSchema, field: string): Steps<void> {
    this.#budget = new Budget();
    yield* this.#node({ ...root, ...embedded }, plain(root), {
      path: field,
      resource: root,
      around: (value) => value,
      isOfResource: false,
      isChecked: true,
    });
  }

  /** Checks the default of a node, and those inside of it. `only` is the node without what defaults are not checked for. */
  *#node(node: StructuralSchema, only: StructuralSchema, given: Place): Steps<void> {
    yield;
    const isResource = node['x-kubernetes-embedded-resource'] === true;
    const place = isResource ? { ...given, resource: node, around: identified, isOfResource: false } : given;
    if (node.default !== undefined) yield* this.#default(node, node.default, only, place);
    const { items, properties = {}, additionalProperties } = node;
    if (isRecord(items) && isRecord(only.items)) {
      const around = (value: unknown) => place.around([value]);
      yield* this.#node(items, only.items, { ...place, path: `${place.path}.items`, around });
    }
    for (const [name, inner] of Object.entries(properties)) {
      yield* this.#node(inner, only.properties?.[name] ?? inner, {
        ...place,
        path: `${place.path}.properties[${name}]`,
        around: (value) => place.around({ [name]: value }),
        isOfResource: place.isOfResource || (isResource && resourceFields.includes(name)),
      });
    }
    if (isRecord(additionalProperties)) {
      yield* this.#node(additionalProperties, additionalProperties, {
        ...place,
        path: `${place.path}.additionalProperties`,
        isChecked: false,
      });
    }
  }

  *#default(node: StructuralSchema, value: unknown, only: StructuralSchema, place: Place): Steps<void> {
    const field = `${place.path}.default`;
    const { causes } = this;
    if (place.isChecked && !place.isOfResource) {
      const kept = yield* normalised(value, node, { setsDefaults: false, keepsMetadata: true });
      if (!equal(kept, value)) causes.invalid(field, value, 'must not have unknown fields');
    }
    if (!(yield* this.#isObject(node, value, field, place)) || !(yield* this.#hasRoom(node, field))) return;
    if (!place.isChecked) return;
    const found = causes.part();
    yield* collectCauses(found, validate({ schema: only, value, field: '' }, this.#checks, found));
    for (const cause of found.list) causes.add({ ...cause, field: pathIn(field, cause) });
    if (found.list.length > 0) return;
    const ruled = { schema: node, value, field, isResource: node === place.resource };
    const before = causes.list.length;
    yield* checkRules(ruled, this.#budget, causes);
    if (causes.list.length === before) yield* checkRules({ ...ruled, before: value }, this.#budget, causes);
  }

  /**
   * Checks the objects in a default, or the object that a default would be part of. Reports whether they are right: only
   * these can be served, so those of defaults that are not checked otherwise must be right too.
   */
  *#isObject(node: StructuralSchema, value: unknown, field: string, place: Place): Steps<boolean> {
    const { causes } = this;
    if (place.isOfResource && !place.isChecked) return true;
    const found = causes.part();
    if (!place.isOfResource) {
      yield* collectCauses(found, checkEmbedded(node, value, field, found));
      for (const cause of found.list) causes.add(cause);
    } else {
      yield* collectCauses(found, checkEmbedded({ ...place.resource, ...embedded }, place.around(value), '', found));
      const problems = found.list.map((cause) => `${cause.field}: ${cause.message}`);
      if (problems.length > 0) {
        const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
        causes.invalid(field, value, `must result in valid metadata: ${text}`);
      }
    }
    return found.list.length === 0;
  }

  /** Counts what a default adds to others. Reports whether the definition may have it. */
  *#hasRoom(node: StructuralSchema, field: string): Steps<boolean> {
    const { added: bytes } = yield* wholeDefault(node);
    this.#added.takes(bytes);
    if (this.#added.bytes <= defaultMaxObjectSize) return true;
    const why = `the defaults of a definition must add at most ${defaultMaxObjectSize} bytes to other defaults`;
    this.causes.invalid(field, 'too large', why);
    return false;
  }
}

/** Returns an object that says what it is, if the value does not. */
const identified = (value: unknown): unknown =>
  isRecord(value) ? { apiVersion: 'validation/v1', kind: 'Validation', ...value } : value;

/** Returns the path of a cause: values in a default are named without the path of the default. */
function pathIn(field: string, { field: inside = '' }: Cause): string {
  return inside === '' || inside === rootField ? field : `${field}.${inside.replace(/^\./, '')}`;
}

/** Returns a schema without what real servers do not check of defaults: that they are integers or strings. */
function plain(schema: StructuralSchema): StructuralSchema {
  const { properties, items, additionalProperties, 'x-kubernetes-int-or-string': _either, ...words } = schema;
  return {
    ...words,
    ...(properties && { properties: plainFields(properties) }),
    ...(items && { items: plain(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isRecord(additionalProperties) ? plain(additionalProperties) : additionalProperties,
    }),
  };
}

function plainFields(fields: Readonly<Record<string, StructuralSchema>>): Record<string, StructuralSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, plain(schema)]));
}
