// Tests the three patch types alone: their results and refusals.
import { describe, expect, test } from 'vitest';
import { typeOf } from '../../matrix/api/modern/index.js';
import { StatusError } from '../statusError.js';
import { doAll } from '../turns.js';
import { jsonPatch as steps } from './jsonPatch.js';
import { mergePatch } from './mergePatch.js';
import { strategicMerge } from './strategicMerge.js';

const jsonPatch = (document: unknown, patch: unknown): unknown => doAll(steps(document, patch));

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
    // As apiextensions 0.36 has it.
    [{}, { a: [null, 1, { b: null, c: [null, { d: null }] }] }, { a: [null, 1, { c: [null, {}] }] }],
  ])('%j with %j is %j', (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result));

  test('does not change the target or any prototype', () => {
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
    [[{ op: 'constructor', path: '/data/a' }], 422],
    [[{ op: 'toString', path: '/data/a' }], 422],
    [[{ op: ['add'], path: '/data/a', value: 1 }], 422],
    [[{ op: 'add', path: '/nope/a', value: 1 }], 422],
    [[{ op: 'add', path: '/list/01', value: 1 }], 422],
    [[{ op: 'add', path: '/list/1e0', value: 1 }], 422],
    [[{ op: 'add', path: '/list/-1', value: 1 }], 422],
    [[{ op: 'add', path: '/list/', value: 1 }], 422],
    [[{ op: 'add', path: '/list/3', value: 1 }], 422],
    [[{ op: 'replace', path: '/list/2', value: 1 }], 422],
    [[{ op: 'replace', path: '/list/-', value: 1 }], 422],
    [[{ op: 'remove', path: '/list/-' }], 422],
    [[{ op: 'add', path: '/list/length', value: 0 }], 422],
    [[{ op: 'add', path: '/data/a/0', value: 1 }], 422],
    [[{ op: 'add', path: '/__proto__/polluted', value: 1 }], 422],
    [[{ op: 'add', path: '/data/__proto__', value: 1 }], 422],
    [[{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }], 422],
    [[{ op: 'copy', from: '/constructor', path: '/data/a' }], 422],
    [[{ op: 'add', path: 'data/x', value: 1 }], 422],
    [[{ op: 'add', path: '/data/~2', value: 1 }], 422],
    [[{ op: 'add', path: '/data/x~', value: 1 }], 422],
    [[{ op: 'add', path: ['/data/x'], value: 1 }], 422],
    [[{ op: 'add', path: '/data/x' }], 422],
    [[{ op: 'test', path: '/data/a' }], 422],
    [[{ op: 'test', path: '/data/nope', value: null }], 422],
    [[{ op: 'copy', path: '/data/x' }], 422],
    [[{ op: 'move', from: '', path: '/data/x' }], 422],
    [[{ op: 'move', from: '/data', path: '/data/x' }], 422],
    [[{ op: 'move', from: '/data', path: '/data/x/y' }], 422],
    [[{ op: 'move', from: '/data/nope', path: '/data/nope' }], 422],
    [[{ op: 'remove', path: '' }], 422],
    [['text'], 422],
    [[null], 422],
    [{ op: 'add' }, 400],
    [Array.from({ length: 10_001 }, () => ({ op: 'remove', path: '/a' })), 413],
  ])('%j is refused', (patch, code) => expect(codeOf(() => jsonPatch(document, patch))).toBe(code));

  test('shares the unchanged rest of the document', () => {
    const next = jsonPatch(document, [{ op: 'add', path: '/data/c', value: '3' }]) as typeof document;
    expect(next.list).toBe(document.list);
  });

  // The examples of RFC 6902, appendix A, with a resulting document.
  test.each([
    [{ foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { foo: 'bar', baz: 'qux' }],
    [{ foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    [{ foo: 'bar', baz: 'qux' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    [{ foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    [{ foo: { bar: 'baz' }, q: {} }, [{ op: 'move', from: '/foo/bar', path: '/q/t' }], { foo: {}, q: { t: 'baz' } }],
    [{ foo: ['a', 'b', 'c', 'd'] }, [{ op: 'move', from: '/foo/1', path: '/foo/3' }], { foo: ['a', 'c', 'd', 'b'] }],
    [{ foo: 'bar' }, [{ op: 'add', path: '/child', value: { a: {} } }], { foo: 'bar', child: { a: {} } }],
    [{ '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [{ foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
    [{ foo: null }, [{ op: 'test', path: '/foo', value: null }], { foo: null }],
    [{ a: 1 }, [{ op: 'replace', path: '', value: { b: 2 } }], { b: 2 }],
    [{ a: [{ b: 1 }] }, [{ op: 'move', from: '/a/0/b', path: '/a/0/b' }], { a: [{ b: 1 }] }],
    [{ '': { '': 1 } }, [{ op: 'replace', path: '//', value: 2 }], { '': { '': 2 } }],
  ])('%j with %j is %j', (before, patch, after) => expect(jsonPatch(before, patch)).toEqual(after));

  test('changes only its copy, never a value of the patch', () => {
    const value = { inner: [1] };
    const patch = [
      { op: 'add', path: '/one', value },
      { op: 'add', path: '/one/inner/-', value: 2 },
      { op: 'copy', from: '/one', path: '/two' },
      { op: 'add', path: '/two/inner/0', value: 0 },
      { op: 'remove', path: '/one/inner/0' },
    ];
    expect(jsonPatch({}, patch)).toEqual({ one: { inner: [2] }, two: { inner: [0, 1, 2] } });
    expect(value).toEqual({ inner: [1] });
  });

  test('inserts, moves and removes in a long list as in a short one', () => {
    const list = Array.from({ length: 3000 }, (_, index) => index);
    const next = [...list];
    const operations: object[] = [];
    for (let count = 0; count < 3000; count += 1) {
      const [from, to] = [(count * 7919) % next.length, (count * 104_729) % next.length];
      operations.push({ op: 'move', from: `/${from}`, path: `/${to}` });
      next.splice(to, 0, ...next.splice(from, 1));
      if (count % 3 === 0) {
        operations.push({ op: 'add', path: `/${to}`, value: -count });
        next.splice(to, 0, -count);
      }
      if (count % 2 === 0) {
        operations.push({ op: 'remove', path: `/${from}` });
        next.splice(from, 1);
      }
    }
    expect(jsonPatch(list, operations)).toEqual(next);
    expect(
      jsonPatch(
        list,
        Array.from(list, () => ({ op: 'remove', path: '/0' })),
      ),
    ).toEqual([]);
  });
});

test('a JSON patch whose copies double the document is refused before it fills the memory', () => {
  const copies = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/copy${index}` }));
  expect(codeOf(() => jsonPatch({ data: 'x' }, copies))).toBe(422);
  expect(jsonPatch({ a: 1 }, copies.slice(0, 2))).toEqual({ a: 1, copy0: { a: 1 }, copy1: { a: 1, copy0: { a: 1 } } });
});

test('a JSON patch may copy as much as the patch and the document hold', () => {
  const copies = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/data/large', path: `/copy${index}` }));
  const codeWith = (length: number, count: number) =>
    codeOf(() => jsonPatch({ data: { large: 'x'.repeat(length) } }, copies(count)));
  expect([codeWith(1_000_000, 1), codeWith(1_000_000, 2)]).toEqual([200, 422]);
  expect([codeWith(1000, 200), codeWith(1000, 400)]).toEqual([200, 422]);
  expect(codeWith(0, 10_000)).toBe(200);
});

test('a JSON patch that nests a document too deeply is refused before it fills the stack', () => {
  const wraps = Array.from({ length: 3000 }, () => [
    { op: 'add', path: '/next', value: {} },
    { op: 'move', from: '/data', path: '/next/data' },
    { op: 'move', from: '/next', path: '/data' },
  ]).flat();
  expect(codeOf(() => jsonPatch({ data: 'x' }, wraps))).toBe(422);
  expect(codeOf(() => jsonPatch({ data: 'x' }, wraps.slice(0, 300)))).toBe(200);
  const copied = [...wraps.slice(0, 2994), { op: 'copy', from: '/data', path: '/twice' }];
  expect(codeOf(() => jsonPatch({ data: 'x' }, copied))).toBe(200);
  expect(codeOf(() => jsonPatch({ data: 'x' }, [...copied, { op: 'move', from: '/data', path: '/twice/data' }]))).toBe(
    200,
  );
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

  test('lists of values are merged, and values are removed from them', () => {
    expect(merge({ metadata: { finalizers: ['c', 'b'] } }).metadata.finalizers?.toSorted()).toEqual(['a', 'b', 'c']);
    expect(merge({ metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }).metadata.finalizers).toEqual(['b']);
  });

  test.each([
    [{ metadata: { labels: { x: null, z: '3' } } }, { y: '2', z: '3' }],
    [{ metadata: { labels: { $patch: 'replace', z: '3' } } }, { z: '3' }],
    [{ metadata: { labels: { $patch: 'replace', x: null } } }, { x: null }],
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

  test('a new list is stored unchanged', () => {
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
    [{ nodeSelector: { $patch: { toString: 1 } } }],
    [{ containers: [{ name: 'a', $patch: { toString: 1 } }] }],
    [{ nodeSelector: { $retainKeys: 'k' } }],
    [{ nodeSelector: { $retainKeys: ['k'], other: '1' } }],
    [{ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a' }] }],
    [{ '$setElementOrder/containers': 'x' }],
    [{ containers: [null] }],
  ])('%j is refused', (spec) => expect(codeOf(() => merge({ spec }))).toBe(400));
});

// As kube-apiserver 1.20.2 answers; the code of real servers is the same today.
describe('a strategic merge of lists whose items share a merge key', () => {
  const container = typeOf('Container');
  const env = (text: string): object[] =>
    text
      .split(' ')
      .filter((item) => item !== '')
      .map((item) => ({ name: item.charAt(0), ...(item.length > 1 && { value: item.slice(1) }) }));
  const shown = (items: unknown): string =>
    (items as { name: string; value?: string }[]).map(({ name, value = '' }) => name + value).join(' ');
  const names = (text: string): object[] => [...text].map((name) => ({ name }));

  test.each([
    ['D1 Ax D2', 'D9', 'D9 D2 Ax'],
    ['Ax', 'B1 B2', 'B2 Ax'],
    ['D1 Ax D2', 'D8 D9', 'D9 D2 Ax'],
    ['D1 Ax D2', 'B3', 'B3 D1 D2 Ax'],
    ['A1 A2', 'A5 A6', 'A6 A2'],
    ['', 'A5 A6', 'A5 A6'],
    ['A1', 'A5 A6', 'A6'],
    ['A1 B2', 'C5 A6', 'C5 A6 B2'],
    ['A1 B2', 'A6 C5', 'A6 C5 B2'],
    ['A1 B2 C3', 'D4 B9 E5', 'D4 A1 B9 E5 C3'],
  ])('%s with %s is %s', (before, patch, after) => {
    expect(shown(strategicMerge({ env: env(before) }, { env: env(patch) }, container).env)).toBe(after);
  });

  test.each<[string, string | undefined, string, string]>([
    ['D1 Ax D2', 'A9', 'AD', 'A9 D1 D2'],
    ['D1 Ax D2', 'A9', 'DA', 'D1 D2 A9'],
    ['D1 Ax D2', 'A9', 'DAD', 'D1 D2 A9'],
    ['D1 Ax D2', 'D9', 'AD', 'Ax D9 D2'],
    ['A1 B2 C3', 'C9 A8', 'CBA', 'C9 B2 A8'],
    ['A1 B2 C3 B4', '', 'CAB', 'C3 A1 B2 B4'],
    ['A1 B2 C3 B4', undefined, 'CAB', 'C3 A1 B2 B4'],
    ['A1 B2 C3', 'X1', 'AXC', 'A1 X1 B2 C3'],
    ['A1 B2 C3', 'X1', 'XY', 'X1 A1 B2 C3'],
    ['A1 B2 A3 B4', '', 'BA', 'B2 B4 A1 A3'],
    ['A1 B2 A3 B4', 'A5', 'BABA', 'B2 B4 A5 A3'],
    ['A1 A2 B3', 'A7', 'BA', 'B3 A7 A2'],
    ['A1 B2', '', 'BAA', 'B2 A1'],
  ])('%s with %s in the order %s is %s', (before, patch, order, after) => {
    const merged = strategicMerge(
      { env: env(before) },
      { '$setElementOrder/env': names(order), ...(patch !== undefined && { env: env(patch) }) },
      container,
    );
    expect(shown(merged.env)).toBe(after);
  });

  test.each([
    ['D1 Ax D2', [{ name: 'D', $patch: 'delete' }], 'Ax'],
    [
      'D1 Ax D2',
      [
        { name: 'D', $patch: 'delete' },
        { name: 'D', value: '7' },
      ],
      'D7 Ax',
    ],
    [
      'D1 D2',
      [
        { name: 'D', $patch: 'replace' },
        { name: 'Q', value: '1' },
      ],
      'Q1',
    ],
    ['D1 Ax', [{ $patch: 'replace' }, { name: 'Q', value: '1' }, { name: 'Q', value: '2' }], 'Q1 Q2'],
  ])('%s with the directives %j is %s', (before, patch, after) => {
    expect(shown(strategicMerge({ env: env(before) }, { env: patch }, container).env)).toBe(after);
  });

  test.each([
    ['A5 B6', 'BA'],
    ['B3 B4', 'BA'],
  ])('%s is not in the order %s', (patch, order) => {
    const merge = () =>
      strategicMerge({ env: env('A1') }, { env: env(patch), '$setElementOrder/env': names(order) }, container);
    expect(codeOf(merge)).toBe(400);
  });

  test.each([
    ['a b a', { finalizers: ['c'] }, 'c a b'],
    ['a b', { finalizers: ['c', 'c'] }, 'c a b'],
    ['a b a', { '$setElementOrder/finalizers': ['b', 'a'] }, 'b a a'],
    ['a b a', { finalizers: ['a'] }, 'a b'],
    ['a b a', { '$deleteFromPrimitiveList/finalizers': ['a'] }, 'b'],
    ['a b', { '$setElementOrder/finalizers': ['c', 'b', 'a'], finalizers: ['c'] }, 'c b a'],
    ['a b a', { '$setElementOrder/finalizers': ['b', 'c', 'a'], finalizers: ['c'] }, 'b c a'],
  ])('the plain values %s with %j are %s', (before, patch, after) => {
    const merged = strategicMerge({ finalizers: before.split(' ') }, patch, typeOf('ObjectMeta'));
    expect((merged.finalizers as string[]).join(' ')).toBe(after);
  });

  test('the ports of a service whose third port kubectl adds', () => {
    const ports = [
      { name: 't', port: 53, protocol: 'TCP' },
      { name: 'u', port: 53, protocol: 'UDP' },
    ];
    const added = { name: 'h', port: 80 };
    const order = [{ port: 53 }, { port: 53 }, { port: 80 }];
    const patch = { '$setElementOrder/ports': order, ports: [added] };
    expect(strategicMerge({ ports }, patch, typeOf('ServiceSpec')).ports).toEqual([...ports, added]);
  });
});
