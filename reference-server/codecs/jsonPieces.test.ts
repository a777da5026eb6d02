// The pieces of a value are together what JSON.stringify returns, and none is much longer than another.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from './jsonPieces.js';

const long = 'x'.repeat(20_000);
const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, at) => item(at));

describe('the pieces are together what JSON.stringify returns', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['an empty list', []],
    ['absent fields', { a: undefined, b: { c: undefined }, d: [undefined, { e: undefined }], f: 1 }],
    ['a field of any name', Object.defineProperty({ a: 1 }, '__proto__', { value: [{}], enumerable: true })],
    ['long lists in short ones', [[1], [many(20_000, (at) => at), []], { a: many(20_000, (at) => [at]) }, 2]],
    ['short members between long ones', many(1000, (at) => (at % 100 === 0 ? { a: [many(50, String)] } : { a: at }))],
    ['many keys, some of them numbers', Object.fromEntries(many(20_000, (at) => [at % 3 ? `k${at}` : `${at}`, at]))],
    ['escaped keys', { 'a:"\\': { ':': { '"': [long, '"\n'] } } }],
    ['a long way down', many(450, () => 0).reduce<object>((inner) => ({ a: [long.slice(0, 100), inner] }), {})],
  ])('%s', (_, value) => {
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
  });

  it('for any value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
      }),
    );
  });
});

it.each<[string, object]>([
  ['a list of empty objects', [many(300_000, () => ({}))]],
  ['a list of small objects', { spec: { ports: many(100_000, (port) => ({ port, protocol: 'TCP' })) } }],
  ['an object with many fields', { data: Object.fromEntries(many(100_000, (at) => [`k${at}`, ''])) }],
])('%s has short pieces', (_, value) => {
  const lengths = [...jsonPieces(value)].map(({ length }) => length);
  expect(lengths.length).toBeGreaterThan(20);
  expect(Math.max(...lengths)).toBeLessThan(64 * 1024);
});
