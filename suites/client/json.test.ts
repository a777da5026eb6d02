// The comparison that most checks use must find every kind of difference.
import { describe, expect, it } from 'vitest';
import { at, difference, itemsOf, type JsonObject, merge, missing } from './json.js';

const pod = (...containers: JsonObject[]): JsonObject => ({ kind: 'Pod', spec: { containers } });

const subset = (...names: readonly string[]) => ({ subsets: [{ ports: names.map((name) => ({ name })) }] });

describe('missing', () => {
  it.each([
    ['equal values', { a: 1 }, { a: 1 }, undefined],
    ['more in the answer', { a: 1, b: 2 }, { a: 1 }, undefined],
    ['another value', { a: 2 }, { a: 1 }, 'a is 2, not 1'],
    ['a string for a number', { a: '1' }, { a: 1 }, 'a is "1", not 1'],
    ['an absent field', {}, { a: { b: 1 } }, 'a is absent, not an object'],
    ['null for an object', { a: null }, { a: {} }, 'a is null, not an object'],
    ['a shorter list', { a: [1] }, { a: [1, 2] }, 'a is [1], not a list of 2'],
    ['a longer list', { a: [1, 2] }, { a: [1] }, 'a is [1,2], not a list of 1'],
    ['another item', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b is 1, not 2'],
    ['another order of ports', subset('a', 'b'), subset('b', 'a'), undefined],
    ['one port twice', subset('a', 'a'), subset('b', 'a'), 'subsets[0].ports[0].name is "a", not "b"'],
    ['an object for a list', { a: { 0: 1 } }, { a: [1] }, 'a is {"0":1}, not a list of 1'],
    ['no body', undefined, { a: 1 }, '(body) is absent, not an object'],
    [
      'a container added to a pod',
      pod({ name: 'mesh' }, { name: 'main', image: 'a' }),
      pod({ name: 'main', image: 'a' }),
      undefined,
    ],
    [
      'a container of the same name added to a pod',
      pod({ name: 'main' }, { name: 'main' }),
      pod({ name: 'main' }),
      'spec.containers is [{"name":"main"},{"name":"main"}], not a list of 1',
    ],
    [
      'a container that was changed',
      pod({ name: 'mesh' }, { name: 'main', image: 'b' }),
      pod({ name: 'main', image: 'a' }),
      'spec.containers[0].image is "b", not "a"',
    ],
    [
      'a container that was replaced',
      pod({ name: 'mesh' }),
      pod({ name: 'main' }),
      'spec.containers[0].name is "mesh", not "main"',
    ],
    [
      'a variable added in a pod',
      pod({ name: 'main', env: [{ name: 'A' }, { name: 'B' }] }),
      pod({ name: 'main', env: [{ name: 'B' }] }),
      undefined,
    ],
    [
      'two containers in another order',
      pod({ name: 'b' }, { name: 'mesh' }, { name: 'a' }),
      pod({ name: 'a' }, { name: 'b' }),
      'spec.containers[0].name is "b", not "a"',
    ],
  ])('%s', (_, actual, expected, message) => {
    expect(missing(actual, expected)).toBe(message);
  });
});

describe('difference', () => {
  it.each([
    ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
    [
      'another value, far in',
      { a: ['x'.repeat(300), { b: 2 }] },
      { a: ['x'.repeat(300), { b: 1 }] },
      'a[1].b is 2, not 1',
    ],
    ['more in the answer', { a: 1, b: 2 }, { a: 1 }, 'b is 2, not absent'],
    ['less in the answer', { a: 1 }, { a: 1, b: 2 }, 'b is absent, not 2'],
    ['an item more', { a: [1, 2] }, { a: [1] }, 'a[1] is 2, not absent'],
    ['a list for an object', { a: ['1'] }, { a: { 0: '1' } }, 'a is ["1"], not {"0":"1"}'],
    ['null for an empty object', { a: null }, { a: {} }, 'a is null, not {}'],
    ['nothing for an object', undefined, { a: 1 }, '(body) is absent, not {"a":1}'],
    ['a member of the prototype', { a: 1 }, { a: 1, constructor: 1 }, 'constructor is absent, not 1'],
  ])('%s', (_, actual, expected, message) => {
    expect(difference(actual, expected)).toBe(message);
  });
});

describe('at', () => {
  it('does not read inherited properties', () => {
    expect(at({}, 'constructor')).toBeUndefined();
    expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1);
    expect(at({ a: 1 }, 'a', 'b')).toBeUndefined();
  });
});

describe('itemsOf and merge', () => {
  it('take only objects as items', () => expect(itemsOf({ items: [1, null, { a: 1 }] })).toEqual([{ a: 1 }]));
  it('give no items without a list', () => expect(itemsOf({ items: {} })).toEqual([]));
  it('merge objects and replace the rest', () => {
    expect(merge({ a: { b: 1, c: [1] }, d: 1 }, { a: { c: [2] }, e: 2 })).toEqual({ a: { b: 1, c: [2] }, d: 1, e: 2 });
  });
});
