// The values of an object as rules see them, by its schema. Each is converted when a rule reads it.

import { canonicalText, isRecord, own } from '../../schema/object.js';
import { parseDuration, parseTimestamp } from '../cel/functions/conversions.js';
import {
  Duration,
  EvaluationError,
  fromJson,
  List,
  type ListRules,
  RecordValue,
  Timestamp,
  type Value,
} from '../cel/values.js';
import { ruleName } from './ruleTypes.js';
import { fieldSchema, type StructuralSchema } from './structuralSchema.js';

/** Returns a value as rules see it. `isResource`: at a root. */
export function ruleValue(raw: unknown, schema: StructuralSchema, isResource = false): Value {
  if (raw === null || raw === undefined) return null;
  if (schema['x-kubernetes-int-or-string'] === true) return fromJson(raw);
  if (Array.isArray(raw)) return new List(raw, (item) => ruleValue(item, schema.items ?? {}), listRules(schema));
  if (isRecord(raw)) return objectValue(raw, schema, isResource || schema['x-kubernetes-embedded-resource'] === true);
  if (typeof raw === 'number') return schema.type === 'number' ? raw : fromJson(raw);
  if (typeof raw === 'bigint') return schema.type === 'number' ? Number(raw) : raw;
  return typeof raw === 'string' ? textValue(raw, schema) : fromJson(raw);
}

function textValue(text: string, { type, format }: StructuralSchema): Value {
  if (type !== 'string') return text;
  switch (format) {
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'duration':
      return new Duration(parseDuration(text) ?? failed(text, 'duration'));
    case 'date':
      return new Timestamp(parseTimestamp(`${text}T00:00:00Z`) ?? failed(text, 'date'));
    case 'date-time':
      return new Timestamp(parseTimestamp(text) ?? failed(text, 'date-time'));
    default:
      return text;
  }
}

function failed(text: string, format: string): never {
  throw new EvaluationError(`Invalid ${format} ${text}`);
}

const known = new WeakMap<StructuralSchema, ListRules>();

function listRules(schema: StructuralSchema): ListRules | undefined {
  const kind = schema['x-kubernetes-list-type'];
  if (kind !== 'set' && kind !== 'map') return undefined;
  const rules = known.get(schema);
  if (rules !== undefined) return rules;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (raw: unknown) =>
    canonicalText(kind === 'set' ? raw : keys.map((key) => (isRecord(raw) ? own(raw, key) : null)));
  known.set(schema, { kind, keyOf });
  return { kind, keyOf };
}

const rawNames = new WeakMap<StructuralSchema, ReadonlyMap<string, string>>();

/** Returns the names of the fields of an object by those that rules use. */
function rawNamesOf(schema: StructuralSchema): ReadonlyMap<string, string> {
  const names = rawNames.get(schema);
  if (names !== undefined) return names;
  const made = new Map(Object.keys(schema.properties ?? {}).map((name) => [ruleName(name) ?? '', name]));
  rawNames.set(schema, made);
  return made;
}

const metadataSchema: StructuralSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

function objectValue(raw: Record<string, unknown>, schema: StructuralSchema, isResource: boolean): Value {
  const { additionalProperties } = schema;
  const isMap = typeof additionalProperties === 'object';
  const names = rawNamesOf(schema);
  return new RecordValue(
    raw,
    (name, value) => {
      // A field that is null is absent for rules.
      if (value === null) return undefined;
      if (isResource && name === 'metadata') return ruleValue(value, metadataSchema);
      const field = fieldSchema(schema, name);
      if (field !== undefined) return ruleValue(value, field);
      return isMap || isResource ? fromJson(value) : undefined;
    },
    isMap ? undefined : (name) => names.get(name) ?? name,
  );
}
