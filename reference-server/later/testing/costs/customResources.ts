// Costs of custom resources: schemas that are checked, objects that are made normal and checked, and paths of columns.

import { Causes, collectCauses } from '../../../schema/causes.js';
import type { KubeObject } from '../../../schema/object.js';
import type { Work } from '../../../testing/costs/growth.js';
import { type Pump, pump } from '../../../testing/costs/texts.js';
import { doAll } from '../../../turns.js';
import { PatternBudget, patternMatcherOf } from '../../cel/patterns.js';
import { columnsOf } from '../../customresources/columns.js';
import { causesOf } from '../../customresources/definitionRules.js';
import { findBy } from '../../customresources/jsonPath.js';
import { normalised } from '../../customresources/normalised.js';
import type { StructuralSchema } from '../../customresources/structuralSchema.js';
import { validate } from '../../customresources/validation.js';
import { ValueChecks } from '../../customresources/valueChecks.js';

const deep = 900;

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));

/** The start and the unit of a value of each format that could be valid until its end. */
const formatted: Readonly<Record<string, readonly [start: string, unit: string]>> = {
  'date-time': ['2020-01-01T00:00:00.', '0'],
  date: ['2020-01-0', '1'],
  duration: ['', '1h'],
  byte: ['', 'AA='],
  uuid: ['', '0123-'],
  ipv4: ['', '1.'],
  ipv6: ['', '1:'],
  cidr: ['', '1:'],
  mac: ['', '01:'],
  email: ['', 'a.@'],
  hostname: ['', 'a.'],
  uri: ['http://', 'a%'],
  isbn: ['', '0-'],
  creditcard: ['', '4 '],
  hexcolor: ['#', 'f'],
  rgbcolor: ['rgb(', '1,'],
};

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    texts: { type: 'array', items: { type: 'string', pattern: '^a*$', maxLength: 10 } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 1 } } },
    },
    keyed: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' } } },
    },
    choice: { type: 'array', items: { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: 1 }] } },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ...Object.fromEntries(
      Object.keys(formatted).map((format) => [format, { type: 'array', items: { type: 'string', format } }]),
    ),
  },
};

const objects: Readonly<Record<string, Pump>> = {
  texts: pump('{"texts":[', '"aaa",', '""]}'),
  'texts that do not match': pump('{"texts":[', '"b",', '""]}'),
  'a set': pump('{"set":[', (index) => `"v${index}",`, '""]}'),
  'a set with equal items': pump('{"set":[', '"v",', '""]}'),
  'a map': pump('{"map":{', (index) => `"k${index}":{},`, '"z":{}}}'),
  'a list with keys': pump('{"keyed":[', (index) => `{"k":"${index}"},`, '{"k":"z"}]}'),
  choices: pump('{"choice":[', '3,', '9]}'),
  ...Object.fromEntries(
    Object.entries(formatted).flatMap(([format, [start, unit]]) => [
      [`a long ${format}`, pump(`{"${format}":["${start}`, unit, '!"]}')],
      [`a list of ${format}`, pump(`{"${format}":[`, `"${start}${unit.repeat(8)}!",`, '""]}')],
    ]),
  ),
  'unknown fields': pump('{', (index) => `"k${index}":0,`, '"z":0}'),
  'a value at a great depth': pump(`{"open":${'{"a":'.repeat(deep)}[`, '0,', `0]${'}'.repeat(deep)}}`),
};

const schemas: Readonly<Record<string, Pump>> = {
  fields: pump(
    '{"type":"object","properties":{',
    (index) => `"k${index}":{"type":"string"},`,
    '"z":{"type":"string"}}}',
  ),
  'fields without types': pump('{"type":"object","properties":{', (index) => `"k${index}":{},`, '"z":{}}}'),
  branches: pump('{"type":"object","anyOf":[', '{"required":["a"]},', '{"required":["b"]}]}'),
  'a list of defaults inside of a default': (bytes) =>
    JSON.stringify({
      type: 'object',
      properties: {
        a: {
          type: 'array',
          default: Array.from({ length: bytes / 6 }, () => ({})),
          items: { type: 'object', properties: { b: { type: 'string', default: 'x'.repeat(bytes / 2) } } },
        },
      },
    }),
  'defaults at each of many levels': (bytes) => {
    const inside = (level: number): object => ({
      type: 'array',
      default: many(10, () => ({})),
      items: { type: 'object', properties: level === 0 ? {} : { a: inside(level - 1) } },
    });
    return JSON.stringify({ type: 'object', properties: { a: inside(bytes / 1024) } });
  },
  'two levels of defaults in each of many fields': (bytes) => {
    const items = { type: 'object', properties: { a: { type: 'array', default: many(100, () => ({})), items: {} } } };
    const field = { type: 'array', default: many(100, () => ({})), items };
    return JSON.stringify({
      type: 'object',
      properties: Object.fromEntries(many(bytes / 1024, (index) => [`k${index}`, field])),
    });
  },
  defaults: pump(
    '{"type":"object","properties":{',
    (index) => `"k${index}":{"type":"integer","default":1},`,
    '"z":{"type":"string"}}}',
  ),
};

function definitionOf(openAPIV3Schema: unknown): KubeObject {
  return {
    metadata: { name: 'as.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'as', singular: 'a', kind: 'A', listKind: 'AList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
    status: { storedVersions: ['v1'] },
  };
}

const checked = Object.entries(objects).map(
  ([name, make]): Work => ({
    name: `custom resources: ${name}`,
    prepare(bytes) {
      const value: unknown = JSON.parse(make(bytes));
      const checks = new ValueChecks(36);
      return () => {
        const causes = new Causes();
        const normal = doAll(normalised(value, schema, { setsDefaults: true }));
        doAll(collectCauses(causes, validate({ schema, value: normal, field: '' }, checks, causes)));
        return JSON.stringify(causes.list).length;
      };
    },
  }),
);

const rules = Object.entries(schemas).map(
  ([name, make]): Work => ({
    name: `schemas: ${name}`,
    prepare(bytes) {
      const definition = definitionOf(JSON.parse(make(bytes)));
      return () => JSON.stringify(doAll(causesOf(definition, 36)).list).length;
    },
  }),
);

const patterns = ['^(a+)+$', '^(a|aa)*b$', '(a*)*c'].map(
  (pattern): Work => ({
    name: `patterns: ${pattern}`,
    prepare(bytes) {
      const [matches, texts] = [
        patternMatcherOf(pattern),
        Array.from({ length: bytes / 8192 }, () => 'a'.repeat(8192)),
      ];
      return () => texts.filter((text) => matches(text, new PatternBudget())).length;
    },
  }),
);

const paths = ['.a[*].b', '..b', '.a[?(@.b==1)].b'].map(
  (path): Work => ({
    name: `paths: ${path}`,
    prepare(bytes) {
      const object: unknown = JSON.parse(pump('{"a":[', '{"b":1},', '{}]}')(bytes));
      const find = findBy(path);
      return () => find?.(object).length ?? 0;
    },
  }),
);

const version = { name: 'v1', served: true, storage: true };

/** Tables of half as many columns as there are bytes for them, and of objects in the other half. */
const tables = Object.entries({ '.spec.a': '{"a":"b"}', '..b': '{"a":[{"b":1},{"c":[{"b":2}]}]}' }).map(
  ([jsonPath, spec]): Work => ({
    name: `columns and objects: ${jsonPath}`,
    prepare(bytes) {
      const side = Math.sqrt(bytes / 64);
      const additionalPrinterColumns = many(side, (index) => ({ name: `c${index}`, type: 'string', jsonPath }));
      const objects = many(side, (index) => ({ metadata: { name: `o${index}` }, spec: JSON.parse(spec) }));
      const { cells } = columnsOf({ ...version, additionalPrinterColumns });
      return () => JSON.stringify(objects.map((object) => cells(object, 0))).length;
    },
  }),
);

/** The validation of definitions and of custom resources, and their tables. */
export const customResourceWorks: readonly Work[] = [...checked, ...rules, ...patterns, ...paths, ...tables];
