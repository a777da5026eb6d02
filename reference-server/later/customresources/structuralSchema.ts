// The schema of a custom resource: a tree of objects, lists and values, as its definition has it.
import { isRecord, own } from '../../schema/object.js';

/** A node of the tree. Nodes below `allOf`, `anyOf`, `oneOf` and `not` only check values. */
export interface StructuralSchema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly description?: string;
  /** The fields of an object, by name. */
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  /** The values of all other fields; `true` is any value. */
  readonly additionalProperties?: boolean | StructuralSchema;
  readonly items?: StructuralSchema;
  readonly required?: readonly string[];
  readonly allOf?: readonly StructuralSchema[];
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** A rule in the language CEL, which the values of a node must not break. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** Returns the schema of a named field of an object: its own, or that of additional fields; undefined if unknown. */
export function fieldSchema({ properties, additionalProperties }: StructuralSchema, name: string) {
  const known = properties && (own(properties, name) as StructuralSchema | undefined);
  if (known !== undefined) return known;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The nodes directly below a node, with the steps to them in messages. */
export function* nodesBelow(schema: StructuralSchema): Generator<readonly [step: string, node: StructuralSchema]> {
  const { properties, additionalProperties, items, not } = schema;
  for (const name of Object.keys(properties ?? {})) {
    yield [`properties[${name}]`, own(properties ?? {}, name) as StructuralSchema];
  }
  if (typeof additionalProperties === 'object') yield ['additionalProperties', additionalProperties];
  if (isRecord(items)) yield ['items', items];
  for (const list of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, node] of (schema[list] ?? []).entries()) yield [`${list}[${index}]`, node];
  }
  if (not !== undefined) yield ['not', not];
}

/** Returns a function that reports whether a test is true of a node, or of one inside of it. It remembers. */
export function somewhere(test: (node: StructuralSchema) => boolean): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  return function isIn(schema): boolean {
    let is = known.get(schema);
    if (is === undefined) {
      is = test(schema) || [...nodesBelow(schema)].some(([, node]) => isIn(node));
      known.set(schema, is);
    }
    return is;
  };
}

/** The words that no structural schema has, in the order in which servers name them. */
export const unsupportedWords: readonly string[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

export const isEmptyWord = (value: unknown): boolean =>
  value === undefined || value === '' || (isRecord(value) && Object.keys(value).length === 0);

/**
 * Reports whether a schema says what no structural one can say: real servers cannot read it further. Each of these words
 * breaks a rule of its own, but for `$schema`.
 */
export const isUnreadable = somewhere((node) => {
  const words = node as Readonly<Record<string, unknown>>;
  if (node['x-kubernetes-preserve-unknown-fields'] === false) return true;
  if (Array.isArray(words.items) && words.items.length > 0) return true;
  return ['$schema', ...unsupportedWords].some((word) => !isEmptyWord(words[word]));
});
