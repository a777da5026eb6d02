// Costs of patches and merges: many operations on a long document, and long lists merged into long lists.

import { typeOf } from '../../../matrix/api/modern/index.js';
import { jsonText } from '../../exactJson.js';
import { jsonPatch } from '../../patch/jsonPatch.js';
import { mergePatch } from '../../patch/mergePatch.js';
import { type Json, strategicMerge } from '../../patch/strategicMerge.js';
import { doInTurns } from '../../turns.js';
import type { Work } from './growth.js';
import { lengthOfAsync } from './texts.js';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));
const keyed = <Value>(count: number, value: (index: number) => Value) =>
  Object.fromEntries(many(count, (index) => [`k${index}`, value(index)]));

/** Documents and operations, each of half the bytes. */
const jsonPatches: Readonly<Record<string, (bytes: number) => readonly [unknown, unknown]>> = {
  'adds in front of a long list': (bytes) => [
    { list: many(bytes / 6, () => 0) },
    many(bytes / 80, () => ({ op: 'add', path: '/list/0', value: 0 })),
  ],
  'removals from the front of a long list': (bytes) => [
    { list: many(bytes / 6, () => 0) },
    many(bytes / 80, () => ({ op: 'remove', path: '/list/0' })),
  ],
  'moves in a wide object': (bytes) => [
    { data: keyed(bytes / 24, () => 0) },
    many(bytes / 120, (index) => ({ op: 'move', from: `/data/k${index}`, path: `/data/m${index}` })),
  ],
  'moves of what is large': (bytes) => [
    { a: keyed(bytes / 24, () => 0) },
    many(bytes / 80, (index) => ({ op: 'move', from: `/${'ab'[index % 2]}`, path: `/${'ba'[index % 2]}` })),
  ],
  'copies of what is small': (bytes) => [
    { data: keyed(bytes / 24, () => 0) },
    many(bytes / 100, (index) => ({ op: 'copy', from: '/data/k0', path: `/c${index}` })),
  ],
  'copies of what is large': (bytes) => [
    { data: keyed(bytes / 24, () => 0) },
    many(bytes / 100, (index) => ({ op: 'copy', from: '/data', path: `/c${index}` })),
  ],
  'copies of the whole': (bytes) => [{}, many(bytes / 50, (index) => ({ op: 'copy', from: '', path: `/c${index}` }))],
  'tests of a wide object': (bytes) => [
    { data: keyed(bytes / 24, () => 0) },
    many(bytes / 80, () => ({ op: 'test', path: '/data/k0', value: 0 })),
  ],
  'a test that fails at the end': (bytes) => [
    { data: keyed(bytes / 20, () => 0) },
    [{ op: 'test', path: '/data', value: { ...keyed(bytes / 20, () => 0), z: 0 } }],
  ],
  'replaces of the whole': (bytes) => [
    { data: keyed(bytes / 24, () => 0) },
    many(bytes / 60, () => ({ op: 'replace', path: '', value: {} })),
  ],
  'long pointers': (bytes) => [{ a: 0 }, many(bytes / 1000, () => ({ op: 'test', path: '/a'.repeat(450), value: 0 }))],
  'one long pointer': (bytes) => [{ a: 0 }, [{ op: 'add', path: '/a'.repeat(bytes / 2), value: 0 }]],
  'a pointer of tildes': (bytes) => [{ a: 0 }, [{ op: 'add', path: `/${'~1'.repeat(bytes / 2)}`, value: 0 }]],
  'an index of many digits': (bytes) => [{ a: [0] }, [{ op: 'add', path: `/a/${'1'.repeat(bytes)}`, value: 0 }]],
  'an op that is long': (bytes) => [{ a: 0 }, [{ op: 'x'.repeat(bytes), path: '/a' }]],
  'values that nest': (bytes) => [
    { a: 0 },
    many(bytes / 60, (index) => ({
      op: index % 2 ? 'move' : 'add',
      from: '/a',
      path: index % 2 ? '/b/a' : '/b',
      value: {},
    })),
  ],
};

const pod = typeOf('Pod');
type Lists = readonly [original: Json, patch: Json];
const env = (count: number, start = 0) => many(count, (index) => ({ name: `e${start + index}` }));
const ofContainer = (fields: Json) => ({ spec: { containers: [{ name: 'c', ...fields }] } });

const strategics: Readonly<Record<string, (bytes: number) => Lists>> = {
  'a keyed list onto itself': (bytes) => [ofContainer({ env: env(bytes / 40) }), ofContainer({ env: env(bytes / 40) })],
  'a keyed list onto another': (bytes) => [
    ofContainer({ env: env(bytes / 40) }),
    ofContainer({ env: env(bytes / 40, bytes) }),
  ],
  'a keyed list backwards': (bytes) => [
    ofContainer({ env: env(bytes / 40) }),
    ofContainer({ env: env(bytes / 40).reverse() }),
  ],
  'equal keys': (bytes) => [
    ofContainer({ env: env(bytes / 40) }),
    ofContainer({ env: many(bytes / 40, () => ({ name: 'e0' })) }),
  ],
  'keys that are objects': (bytes) => [
    ofContainer({ env: env(bytes / 60) }),
    ofContainer({ env: many(bytes / 60, (index) => ({ name: { b: index, a: index } })) }),
  ],
  '$patch: delete': (bytes) => [
    ofContainer({ env: env(bytes / 60) }),
    ofContainer({ env: env(bytes / 60).map((item) => ({ ...item, $patch: 'delete' })) }),
  ],
  '$patch: replace': (bytes) => [
    ofContainer({ env: env(bytes / 40) }),
    ofContainer({ env: [{ $patch: 'replace' }, ...env(bytes / 40)] }),
  ],
  $setElementOrder: (bytes) => [
    ofContainer({ env: env(bytes / 60) }),
    ofContainer({ env: env(bytes / 60), '$setElementOrder/env': env(bytes / 60) }),
  ],
  '$setElementOrder alone': (bytes) => [
    ofContainer({ env: env(bytes / 40) }),
    ofContainer({ '$setElementOrder/env': env(bytes / 40).reverse() }),
  ],
  'a list of values onto another': (bytes) => [
    { metadata: { finalizers: many(bytes / 20, (index) => `f${index}`) } },
    { metadata: { finalizers: many(bytes / 20, (index) => `g${index}`) } },
  ],
  $deleteFromPrimitiveList: (bytes) => [
    { metadata: { finalizers: many(bytes / 20, (index) => `f${index}`) } },
    { metadata: { '$deleteFromPrimitiveList/finalizers': many(bytes / 20, (index) => `g${index}`) } },
  ],
  $retainKeys: (bytes) => [
    { metadata: { labels: keyed(bytes / 40, () => '') } },
    { metadata: { labels: { ...keyed(bytes / 40, () => ''), $retainKeys: many(bytes / 40, (index) => `k${index}`) } } },
  ],
  'many labels': (bytes) => [
    { metadata: { labels: keyed(bytes / 24, () => '') } },
    { metadata: { labels: keyed(bytes / 24, () => null) } },
  ],
  'an item without its key': (bytes) => [
    ofContainer({ env: env(bytes / 20) }),
    ofContainer({ env: [{ value: 'x'.repeat(bytes / 2) }] }),
  ],
};

export const patchWorks: readonly Work[] = [
  ...Object.entries(jsonPatches).map(([name, make]) =>
    work(`JSON patch: ${name}`, make, (document, patch) => doInTurns(jsonPatch(document, patch))),
  ),
  ...Object.entries(strategics).map(([name, make]) =>
    work(`strategic merge: ${name}`, make, (original, patch) => strategicMerge(original as Json, patch as Json, pod)),
  ),
  ...Object.entries(strategics).map(([name, make]) => work(`merge patch: ${name}`, make, mergePatch)),
];

function work(
  name: string,
  make: (bytes: number) => readonly [unknown, unknown],
  apply: (document: unknown, patch: unknown) => unknown,
): Work {
  return {
    name,
    prepare(bytes) {
      const [document, patch] = make(bytes);
      return () => lengthOfAsync(async () => jsonText(await apply(document, patch)));
    },
  };
}
