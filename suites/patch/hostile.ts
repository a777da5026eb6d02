// Hostile patches: the server may refuse or apply them, and must go on.

import { equal, fail, status } from '../client/expect.js';
import { at, isObject, type Json } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { configMaps } from '../objects/related.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { makeWith } from './target.js';

const jsonPatch = 'application/json-patch+json';
const add = (path: string): Json => ({ op: 'add', path, value: 'hurt' });

/**
 * Content type and body, by variant. The bodies are only as large as the fault needs, and larger for a disposable
 * target. Bodies are text where JSON.stringify would change them.
 */
const patches: Readonly<Record<string, () => readonly [string, string]>> = {
  '__proto__ in a merge patch': () => ['application/merge-patch+json', prototype],
  '__proto__ in a strategic merge patch': () => ['application/strategic-merge-patch+json', prototype],
  '__proto__ in a JSON patch': () => [jsonPatch, JSON.stringify([add('/__proto__/polluted')])],
  'constructor.prototype in a JSON patch': () => [jsonPatch, JSON.stringify([add('/constructor/prototype/polluted')])],
  '2,000 operations': () => operations(2_000),
  '20,000 operations': () => operations(20_000),
  'a copy that doubles the document 8 times': () => copies(8),
  'a copy that doubles the document 40 times': () => copies(40),
  'an index that is ten too high': () => atIndex(10),
  'an index of 4,000,000,000': () => atIndex(4_000_000_000),
  'nested 2,000 deep': () => nested(2_000),
  'nested 20,000 deep': () => nested(20_000),
  'an op called constructor': () => [jsonPatch, JSON.stringify([{ op: 'constructor', path: '/data' }])],
  'a character of zero': () => ['application/merge-patch+json', '{"data":{"colour":"a\\u0000b"}}'],
  'a move of the whole into its own child': () => [
    jsonPatch,
    JSON.stringify([{ op: 'move', from: '', path: '/data/whole' }]),
  ],
  '9,900 moves in a wide object': () => moves(9_900),
  '500 names to delete from a list': () => names(500),
  '20,000 names to delete from a list': () => names(20_000),
  '500 items to delete by their key': () => items(500),
  '3,000 items to delete by their key': () => items(3_000),
  'a pointer 100,000 long': () => [jsonPatch, JSON.stringify([add('/a'.repeat(50_000))])],
};

const operations = (count: number) =>
  [jsonPatch, JSON.stringify(Array.from({ length: count }, () => add('/data/colour')))] as const;
const copies = (count: number) =>
  [
    jsonPatch,
    JSON.stringify(Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '', path: `/data/copy${index}` }))),
  ] as const;
const atIndex = (index: number) =>
  [
    jsonPatch,
    JSON.stringify([
      { op: 'add', path: '/metadata/finalizers', value: [] },
      { op: 'add', path: `/metadata/finalizers/${index}`, value: 'kube-api-conformance/x' },
    ]),
  ] as const;
const nested = (depth: number) =>
  ['application/merge-patch+json', `${'{"data":'.repeat(depth)}{}${'}'.repeat(depth)}`] as const;

/** Returns many moves: a server that copies the document for each operation needs quadratic time. */
function moves(count: number): readonly [string, string] {
  const value = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'hurt']));
  const moved = Object.keys(value).map((key) => ({ op: 'move', from: `/data/${key}`, path: `/data/moved-${key}` }));
  return [jsonPatch, JSON.stringify([{ op: 'add', path: '/data', value }, ...moved])];
}

const strategic = 'application/strategic-merge-patch+json';

/** Returns many deletes of absent values, which change nothing. */
function names(count: number): readonly [string, string] {
  const deleted = Array.from({ length: count }, (_, index) => `kube-api-conformance/n${index}`);
  return [strategic, JSON.stringify({ metadata: { '$deleteFromPrimitiveList/finalizers': deleted } })];
}

function items(count: number): readonly [string, string] {
  const ownerReferences = Array.from({ length: count }, (_, index) => ({ uid: `u${index}`, $patch: 'delete' }));
  return [strategic, JSON.stringify({ metadata: { ownerReferences } })];
}

const prototype = '{"__proto__":{"polluted":"hurt"},"metadata":{"labels":{"__proto__":"hurt"}}}';

async function hostilePatches({ variant = '' }: Subject, { client, sandbox }: Context) {
  const made = await makeWith(sandbox, configMaps, {});
  const [contentType, body] = (patches[variant] ?? fail(`no patch for ${variant}`))();
  const path = pathTo(configMaps, 'patch', made.namespace, made.name);
  const reply = await client.send({ method: 'PATCH', path, headers: { 'content-type': contentType }, body });
  const next = await makeWith(sandbox, configMaps, {});
  const read = await client.send({ method: 'GET', path: pathTo(configMaps, 'read', next.namespace, next.name) });
  return { reply, read, name: next.name };
}

/** The checks of hostile patches. */
export const hostileGroups = [
  group({
    subjects: 'hostilePatches',
    setup: hostilePatches,
    checks: {
      hostile: ({ reply, read, name }) => {
        if (reply.status > 499) fail(`${reply.request}: expected an answer below 500, got ${reply.status}`);
        status(read, 200);
        const object = read.value();
        equal(at(object, 'metadata', 'name'), name, `${read.request}, the next object: its name`);
        for (const part of [object, at(object, 'metadata'), at(object, 'data')]) {
          if (isObject(part) && Object.hasOwn(part, 'polluted'))
            fail(`${read.request}: the patch is in another object`);
        }
      },
    },
  }),
];
