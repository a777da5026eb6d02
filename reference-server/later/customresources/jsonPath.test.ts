// The paths of definitions: what they find, and which ones are not paths.
import { describe, expect, it } from 'vitest';
import { findBy, simplePath } from './jsonPath.js';

const object = {
  spec: {
    name: 'a',
    'dotted.name': 'b',
    list: [
      { type: 'x', n: 1 },
      { type: 'y', n: 2, in: { n: 3 } },
    ],
    map: { k: 'v' },
  },
};

describe('a simple path', () => {
  it.each([
    ['.spec.replicas', ['spec', 'replicas']],
    ['.metadata.labels.a\\.b', ['metadata', 'labels', 'a.b']],
    [".metadata['a.b']", ['metadata', 'a.b']],
    ['spec', undefined],
    ['.spec[0]', undefined],
    ['.', undefined],
    ['', undefined],
  ])('%s is %j', (path, names) => expect(simplePath(path)).toEqual(names));
});

describe('a path of a column', () => {
  it.each([
    ['.spec.name', ['a']],
    ['.spec.dotted\\.name', ['b']],
    [".spec['dotted.name']", ['b']],
    ['.spec.list[0].type', ['x']],
    ['.spec.list[-1].type', ['y']],
    ['.spec.list[0:1].n', [1]],
    ['.spec.list[*].n', [1, 2]],
    ['.spec.list[?(@.type=="y")].n', [2]],
    [".spec.list[?(@.type == 'y')].n", [2]],
    ['.spec.list[?( @.n >= 2 )].n', [2]],
    [".spec.list[?(@['type']=='x')].n", [1]],
    ['.spec.list[?(@.n>1)].type', ['y']],
    ['.spec.list[?(@.in.n)].type', ['y']],
    ['.spec.list[?(@.type!="y")].n', [1]],
    ['.spec.list[1,0].n', [2, 1]],
    ['.spec.list[0:1,-1].n', [1, 2]],
    ['.spec.list[0:2:2].n', [1]],
    ['.spec.list[0:2:0].n', []],
    [".spec['name','dotted.name']", ['a', 'b']],
    ['.spec..n', [1, 2, 3]],
    ['.spec.map.*', ['v']],
    ['.spec.absent.name', []],
    ['.spec.name.more', []],
    ['.spec.list[9]', []],
    ['.constructor', []],
  ])('%s finds %j', (path, found) => expect(findBy(path)?.(object)).toEqual(found));

  it.each(['.a', '.a.', '[a]', '.[a', ' ', '.a ='])('with a filter of many times "%s" is read once', (part) => {
    const path = `.spec.list[?(@${part.repeat(20_000)} !)]`;
    expect(findBy(path)).toBeUndefined();
  });

  it.each(['.spec.list[?(', '.a[b', '.a[', '.a[]', '.a[1,]', '.a[1:2:3:4]', '.a[:b]', '.a b', '.a[?(@)]'])(
    '%s is none',
    (path) => {
      expect(findBy(path)).toBeUndefined();
    },
  );

  it('finds a limited number of values', () => {
    const wide = { a: Array.from({ length: 5000 }, () => ({ b: [1, 2, 3] })) };
    expect(findBy('.a[*].b[*]')?.(wide)).toHaveLength(1000);
    expect(findBy('.....b')).toBeUndefined();
    expect(findBy('..b')?.(wide)?.length).toBeLessThanOrEqual(1000);
  });
});
