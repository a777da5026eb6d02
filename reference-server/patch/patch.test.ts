// The three patches on their own: what they make of an object, and what they refuse.
import { describe, expect, test } from 'vitest';
import { typeOf } from '../../matrix/api/types/index.js';
import { StatusError } from '../errors.js';
import { jsonPatch } from './jsonPatch.js';
import { mergePatch } from './mergePatch.js';
import { strategicMerge } from './strategicMerge.js';

function codeOf(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    if (error instanceof StatusError) return error.code;
    throw error;
  }
  return 200;
}

describe('a merge patch', () => {
  // The cases of RFC 7386, appendix A.
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result));

  test('leaves the target and every prototype alone', () => {
    const target = { a: { b: 1 } };
    const merged = mergePatch(target, JSON.parse('{"a":{"c":2},"__proto__":{"polluted":1}}')) as object;
    expect([target, Object.getPrototypeOf(merged)]).toEqual([{ a: { b: 1 } }, Object.prototype]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('a JSON patch', () => {
  const document = { data: { a: '1', b: '2' }, list: [1, 2] };
  test.each([
    [
      [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
      ],
      { a: '9', b: '2' },
    ],
    [
      [
        { op: 'add', path: '/data/c', value: '3' },
        { op: 'remove', path: '/data/b' },
      ],
      { a: '1', c: '3' },
    ],
    [
      [
        { op: 'copy', from: '/data/a', path: '/data/a2' },
        { op: 'move', from: '/data/b', path: '/data/b2' },
      ],
      { a: '1', a2: '1', b2: '2' },
    ],
    [[], { a: '1', b: '2' }],
  ])('%j', (patch, data) => {
    expect((jsonPatch(document, patch) as typeof document).data).toEqual(data);
    expect(document.data).toEqual({ a: '1', b: '2' });
  });

  test.each([
    [[{ op: 'test', path: '/data/a', value: 'WRONG' }], 422],
    [[{ op: 'remove', path: '/data/nope' }], 422],
    [[{ op: 'replace', path: '/data/nope', value: 1 }], 422],
    [[{ op: 'bogus', path: '/data/a' }], 422],
    [[{ op: 'add', path: '/nope/a', value: 1 }], 422],
    [[{ op: 'add', path: '/list/01', value: 1 }], 422],
    [[{ op: 'add', path: '/__proto__/polluted', value: 1 }], 422],
    [[{ op: 'add', path: '/data/x' }], 422],
    [['text'], 422],
    [{ op: 'add' }, 400],
    [Array.from({ length: 10_001 }, () => ({ op: 'remove', path: '/a' })), 413],
  ])('%j is refused', (patch, code) => expect(codeOf(() => jsonPatch(document, patch))).toBe(code));
});

test('a JSON patch whose copies double the document is refused before it fills the memory', () => {
  const copies = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` }));
  expect(codeOf(() => jsonPatch({ data: 'x' }, copies))).toBe(422);
  expect(jsonPatch({ a: 1 }, copies.slice(0, 2))).toEqual({ a: 1, copy0: { a: 1 }, copy1: { a: 1, copy0: { a: 1 } } });
});

describe('a strategic merge', () => {
  const type = typeOf('Pod');
  const pod = {
    metadata: { name: 'p', finalizers: ['a', 'b'], labels: { x: '1', y: '2' } },
    spec: {
      containers: [
        { name: 'a', image: 'i1', env: [{ name: 'E1', value: '1' }], command: ['x'] },
        { name: 'b', image: 'i2' },
      ],
      nodeSelector: { k: 'v' },
      volumes: [{ name: 'v', hostPath: { path: '/x' } }],
    },
  };
  const merge = (patch: object) => strategicMerge(pod, patch as Record<string, unknown>, type) as typeof pod;
  const containers = (patch: object) => merge({ spec: patch }).spec.containers;
  const names = (patch: object) => containers(patch).map(({ name }) => name);

  test('finds items by their key, down to the variables of a container', () => {
    const [a, b] = containers({ containers: [{ name: 'a', image: 'new', env: [{ name: 'E2', value: '2' }] }] });
    expect(a).toEqual({
      ...pod.spec.containers[0],
      image: 'new',
      env: [
        { name: 'E2', value: '2' },
        { name: 'E1', value: '1' },
      ],
    });
    expect(b).toEqual(pod.spec.containers[1]);
  });

  test.each([
    ['$patch: delete of an item', { containers: [{ name: 'b', $patch: 'delete' }] }, ['a']],
    ['$patch: replace of a list', { containers: [{ $patch: 'replace' }, { name: 'c', image: 'only' }] }, ['c']],
    ['$patch: merge of an item', { containers: [{ name: 'a', $patch: 'merge', image: 'x' }] }, ['a', 'b']],
    ['a new item comes first', { containers: [{ name: 'c' }] }, ['c', 'a', 'b']],
    ['$setElementOrder', { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }, ['b', 'a']],
    [
      '$setElementOrder with a new item',
      { '$setElementOrder/containers': [{ name: 'a' }, { name: 'n' }, { name: 'b' }], containers: [{ name: 'n' }] },
      ['a', 'n', 'b'],
    ],
    [
      '$setElementOrder with items that it does not name',
      { '$setElementOrder/containers': [{ name: 'b' }, { name: 'n' }], containers: [{ name: 'n' }] },
      ['a', 'b', 'n'],
    ],
    ['a delete of what is not there', { containers: [{ name: 'zz', $patch: 'delete' }] }, ['a', 'b']],
  ])('%s', (_, patch, expected) => expect(names(patch)).toEqual(expected));

  test('lists without a key are replaced', () => {
    expect(containers({ containers: [{ name: 'a', command: ['y'] }] })[0]?.command).toEqual(['y']);
  });

  test('lists of values are merged, and values are taken out of them', () => {
    expect(merge({ metadata: { finalizers: ['c', 'b'] } }).metadata.finalizers?.toSorted()).toEqual(['a', 'b', 'c']);
    expect(merge({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }).metadata.finalizers).toEqual(['b']);
  });

  test.each([
    [{ metadata: { labels: { x: null, z: '3' } } }, { y: '2', z: '3' }],
    [{ metadata: { labels: { $patch: 'replace', z: '3' } } }, { z: '3' }],
    [{ metadata: { labels: { $patch: 'delete' } } }, {}],
    [{ metadata: { labels: { $patch: 'merge', x: '9' } } }, { x: '9', y: '2' }],
    [{ metadata: { labels: { $retainKeys: ['y', 'z'], z: '3' } } }, { y: '2', z: '3' }],
    [{ metadata: { labels: null } }, undefined],
  ])('of labels with %j', (patch, labels) => expect(merge(patch).metadata.labels).toEqual(labels));

  test('$retainKeys changes the source of a volume', () => {
    const { volumes } = merge({
      spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'emptyDir'], emptyDir: {} }] },
    }).spec;
    expect(volumes).toEqual([{ name: 'v', emptyDir: {} }]);
  });

  test('a list that was not there is taken as it is', () => {
    const ports = [
      { containerPort: 80, protocol: 'TCP' },
      { containerPort: 80, protocol: 'UDP' },
    ];
    expect(containers({ containers: [{ name: 'a', ports }] })[0]).toMatchObject({ ports });
  });

  test.each([
    [{ containers: [{ image: 'noname' }] }],
    [{ containers: [{ name: 'a', $patch: 'bogus' }] }],
    [{ nodeSelector: { $patch: 'bogus' } }],
    [{ nodeSelector: { $retainKeys: 'k' } }],
    [{ nodeSelector: { $retainKeys: ['k'], other: '1' } }],
    [{ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a' }] }],
    [{ '$setElementOrder/containers': 'x' }],
    [{ containers: [null] }],
  ])('%j is refused', (spec) => expect(codeOf(() => merge({ spec }))).toBe(400));
});
