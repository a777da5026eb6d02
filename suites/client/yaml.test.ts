// The suite's YAML codec reads the output of servers, and rejects YAML that only lenient readers accept.
import { load, YAML11_SCHEMA } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { readYaml, writeYaml } from './yaml.js';

describe('a text', () => {
  it.each<[text: string, value: unknown]>([
    ['a: yes', { a: true }],
    ['a: "yes"', { a: 'yes' }],
    ['a: Off', { a: false }],
    ['a: null\nb: ~\nc:', { a: null, b: null, c: null }],
    ['a: 010', { a: 8 }],
    ['a: "010"', { a: '010' }],
    ['a: 0x1F', { a: 31 }],
    ['a: 1.5', { a: 1.5 }],
    ['a: [1., .5, 1e3, -1_0.5E-1, .inf]', { a: [1, 0.5, 1000, -1.05, Number.POSITIVE_INFINITY] }],
    ['a: [e6, ., +., e15244]', { a: ['e6', '.', '+.', 'e15244'] }],
    ['a: [740e452689378683, -1.5E+9999]', { a: ['740e452689378683', '-1.5E+9999'] }],
    ['a: 2016-12-24T18:00:00Z', { a: '2016-12-24T18:00:00Z' }],
    ['a: "2016-12-24T18:00:00Z"', { a: '2016-12-24T18:00:00Z' }],
    ['a: 2016-12-24', { a: '2016-12-24' }],
    ['a: 12:30:00', { a: '12:30:00' }],
    ['a: 100m', { a: '100m' }],
    ['a: AAEC/w==', { a: 'AAEC/w==' }],
    ['---\na: 1\n', { a: 1 }],
    ['a:\n- b: 1\n  c: 2\n- d', { a: [{ b: 1, c: 2 }, 'd'] }],
    ['a: |-\n  first\n  second\nb: >-\n  one\n  line', { a: 'first\nsecond', b: 'one line' }],
    ['a: &x [1]\nb: *x', { a: [1], b: [1] }],
    ['{"a": [1, "b", null]}', { a: [1, 'b', null] }],
    ['<<: {a: 1}', { '<<': { a: 1 } }],
    ['', null],
  ])('%j is read', (text, value) => {
    expect(readYaml(text)).toEqual(value);
  });

  it.each<[what: string, text: string]>([
    ['says a key twice', 'a: 1\na: 2'],
    ['is indented by a tab', 'a:\n\tb: 1'],
    ['has a string that is not closed', 'a: "b'],
    ['has a list that is not closed', 'a: [1'],
    ['has a mapping within a plain text', 'a: b: c'],
    ['names an anchor that is not there', 'a: *b'],
    ['has two documents', 'a: 1\n---\nb: 2'],
    ['repeats a key in another form', '1: a\n"1": b'],
    ['has a key that stands for another text', '- &a b\n- *a : c'],
    ['has a key that is a list', '[a]: b'],
    ['has a key that is out of line', 'a:\n  b: 1\n c: 2'],
    ['begins a text with a reserved character', 'a: @b'],
    ['grows by aliases', `a: &a [x]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(20)}]`],
  ])('that %s is refused', (_, text) => {
    expect(() => readYaml(text)).toThrow();
  });

  const nested: Readonly<Record<string, (depth: number) => string>> = {
    'lists in brackets': (depth) => '['.repeat(depth) + ']'.repeat(depth),
    'mappings in braces': (depth) => '{a: '.repeat(depth) + '}'.repeat(depth),
    'items in one line': (depth) => `${'- '.repeat(depth)}x`,
    'keys in one line': (depth) => `${'? '.repeat(depth)}x`,
    'mappings in one line': (depth) => `${'a: '.repeat(depth)}x`,
    'keys with tags in one line': (depth) => `${'!t !t ? '.repeat(depth)}x`,
    'keys and items in one line': (depth) => `${'? - '.repeat(depth / 2)}x`,
    'indented mappings': (depth) =>
      Array.from({ length: Math.min(depth, 3_000) }, (_, level) => `${' '.repeat(level)}a:\n`).join(''),
    'mappings with items': (depth) =>
      Array.from(
        { length: Math.min(depth, 3_000) / 2 },
        (_, level) => `${' '.repeat(level)}a:\n${' '.repeat(level)}-\n`,
      ).join(''),
  };
  // Without the limit, these end the process.
  it.each(Object.entries(nested))('of %s that are nested without end is refused', (_, text) => {
    for (const depth of [260, 400, 700, 760, 800, 1_000, 200_000])
      expect(() => readYaml(text(depth)), String(depth)).toThrow();
    expect(() => readYaml(text(200_000))).toThrow('nested more than 250 levels deep');
  });

  it('of many objects with brackets and long beginnings of lines is read', () => {
    const item = `- a: [{b: 1}]\n  c: |\n${' '.repeat(90)}x\n`;
    expect(readYaml(item.repeat(500))).toEqual(Array(500).fill({ a: [{ b: 1 }], c: 'x\n' }));
    expect(readYaml('['.repeat(240) + ']'.repeat(240))).toHaveLength(1);
  });
});

describe('a value', () => {
  const value = {
    words: ['yes', 'no', 'on', 'Off', 'y', 'null', '~', 'true', ''],
    numbers: ['010', '0o17', '1e3', '1_000', '0x1F', '.5', '-3', '12:30:00', '2016-12-24T18:00:00Z', '.inf', '+1'],
    others: [
      ' leading',
      'a: b',
      '# none',
      '- item',
      '*a',
      '&a',
      '!tag',
      'line\nbreak',
      'tab\t',
      '🙂',
      '"',
      "'",
      '%',
      '@',
      '`',
    ],
    plain: [1, -1, 1.5, true, false, null, {}, []],
    'a key: odd': 1,
    yes: 2,
    '010': 3,
    long: 'word '.repeat(100),
  };

  it('that is written is read as it was, by readers of YAML 1.1 and of 1.2', () => {
    const text = writeYaml(value);
    expect(readYaml(text)).toEqual(value);
    expect(load(text)).toEqual(value);
    expect(load(text, { schema: YAML11_SCHEMA })).toEqual(value);
  });

  it('that holds an object twice is written without aliases', () => {
    const shared = { a: 'b' };
    expect(writeYaml({ one: shared, other: shared })).toBe('one:\n  a: b\nother:\n  a: b\n');
  });
});
