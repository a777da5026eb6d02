// Cases of JSON patch: RFC 6902, and JSON Pointer, RFC 6901.
import { group } from '../run/group.js';
import { applied, notApplied, patchSetup, refusedAsClientError, refusedSetup } from './cases.js';
import { replicasAndSpec, twoSecrets, twoValues, zeros } from './samples.js';

const jsonPatch = 'application/json-patch+json';
const setup = (table: Parameters<typeof patchSetup>[1]) => patchSetup(jsonPatch, table);
const refused = (table: Parameters<typeof refusedSetup>[1]) => refusedSetup(jsonPatch, table);

const two = { start: twoValues };
const accounts = { start: twoSecrets };
const third = { name: 'c' };

/** The checks of JSON patch. */
export const jsonGroups = [
  group({
    subjects: 'jsonPatchOperations',
    setup: setup({
      add: { ...two, patch: [{ op: 'add', path: '/data/c', value: '3' }], change: { data: { c: '3' } } },
      'add over a value': { ...two, patch: [{ op: 'add', path: '/data/a', value: '9' }], change: { data: { a: '9' } } },
      remove: { ...two, patch: [{ op: 'remove', path: '/data/a' }], change: { data: { a: undefined } } },
      replace: { ...two, patch: [{ op: 'replace', path: '/data/a', value: '9' }], change: { data: { a: '9' } } },
      move: {
        ...two,
        patch: [{ op: 'move', from: '/data/a', path: '/data/c' }],
        change: { data: { a: undefined, c: '1' } },
      },
      copy: { ...two, patch: [{ op: 'copy', from: '/data/a', path: '/data/c' }], change: { data: { c: '1' } } },
      'copy over a value': {
        ...two,
        patch: [{ op: 'copy', from: '/data/a', path: '/data/b' }],
        change: { data: { b: '1' } },
      },
      'move over a value': {
        ...two,
        patch: [{ op: 'move', from: '/data/a', path: '/data/b' }],
        change: { data: { a: undefined, b: '1' } },
      },
      // A field that is null is one that is absent.
      'add a null': { ...two, patch: [{ op: 'add', path: '/data', value: null }], change: { data: undefined } },
      'replace by a null': {
        ...two,
        patch: [{ op: 'replace', path: '/data', value: null }],
        change: { data: undefined },
      },
      test: {
        ...two,
        patch: [
          { op: 'test', path: '/data/a', value: '1' },
          { op: 'test', path: '/data', value: { b: '2', a: '1' } },
          { op: 'add', path: '/data/c', value: 'tested' },
        ],
        change: { data: { c: 'tested' } },
      },
      'a move within a list': {
        ...accounts,
        patch: [{ op: 'move', from: '/imagePullSecrets/0', path: '/imagePullSecrets/1' }],
        change: pulls('b', 'a'),
      },
      'a change of what was copied': {
        ...accounts,
        patch: [
          { op: 'copy', from: '/imagePullSecrets/0', path: '/imagePullSecrets/-' },
          { op: 'replace', path: '/imagePullSecrets/2/name', value: 'z' },
        ],
        change: pulls('a', 'b', 'z'),
      },
      'move onto itself': { ...two, patch: [{ op: 'move', from: '/data/a', path: '/data/a' }], change: {} },
      'an empty map': { ...two, patch: [{ op: 'replace', path: '/data', value: {} }], change: { data: undefined } },
      'an empty list': {
        ...accounts,
        patch: [{ op: 'replace', path: '/imagePullSecrets', value: [] }],
        change: pulls(),
      },
      'zeros and what is empty': {
        start: replicasAndSpec(1),
        patch: [
          { op: 'replace', path: '/spec/replicas', value: 0 },
          ...Object.entries(zeros).map(([key, value]) => ({ op: 'add', path: `/spec/template/spec/${key}`, value })),
          { op: 'add', path: '/metadata/labels/kube-api-conformance~1empty', value: '' },
          { op: 'test', path: '/spec/replicas', value: 0 },
        ],
        change: { ...replicasAndSpec(0, zeros), metadata: { labels: { 'kube-api-conformance/empty': '' } } },
      },
      // RFC 6902, 4: a member that the operation does not define is ignored.
      'a member that no operation has': {
        ...two,
        patch: [{ op: 'replace', path: '/data/a', value: '9', comment: 'why', from: '/data/c' }],
        change: { data: { a: '9' } },
      },
      'several, each on what the one before left': {
        ...two,
        patch: [
          { op: 'replace', path: '/data/a', value: '9' },
          { op: 'move', from: '/data/a', path: '/data/c' },
          { op: 'copy', from: '/data/c', path: '/data/d' },
          { op: 'remove', path: '/data/b' },
          { op: 'test', path: '/data/d', value: '9' },
        ],
        change: { data: { a: undefined, b: undefined, c: '9', d: '9' } },
      },
    }),
    checks: { 'json-patch': applied },
  }),
  group({
    subjects: 'jsonPatchPointers',
    setup: setup({
      '~1': {
        ...two,
        patch: [{ op: 'add', path: '/metadata/labels/example.com~1tier', value: 'x' }],
        change: { metadata: { labels: { 'example.com/tier': 'x' } } },
      },
      // No stored name may have a tilde, so the case adds and removes it, and a test in between checks the value.
      '~0': { ...two, ...throughTilde('/data/a~0b', 'a~b') },
      '~01': { ...two, ...throughTilde('/data/a~01b', 'a~1b') },
      'a name that is a number': {
        ...two,
        patch: [{ op: 'add', path: '/data/0', value: 'zero' }],
        change: { data: { '0': 'zero' } },
      },
      'an index': { ...accounts, patch: [{ op: 'remove', path: '/imagePullSecrets/0' }], change: pulls('b') },
      'an index that is taken': {
        ...accounts,
        patch: [{ op: 'add', path: '/imagePullSecrets/1', value: third }],
        change: pulls('a', 'c', 'b'),
      },
      'the index after the last': {
        ...accounts,
        patch: [{ op: 'add', path: '/imagePullSecrets/2', value: third }],
        change: pulls('a', 'b', 'c'),
      },
      '-': {
        ...accounts,
        patch: [{ op: 'add', path: '/imagePullSecrets/-', value: third }],
        change: pulls('a', 'b', 'c'),
      },
      'below an index': {
        ...accounts,
        patch: [{ op: 'replace', path: '/imagePullSecrets/1/name', value: 'z' }],
        change: pulls('a', 'z'),
      },
    }),
    checks: { 'json-patch-pointers': applied },
  }),
  group({
    subjects: 'jsonPatchTests',
    setup: refused({
      'another value': { ...two, patch: [{ op: 'test', path: '/data/a', value: '2' }] },
      'another type': { ...two, patch: [{ op: 'test', path: '/data/a', value: 1 }] },
      'a null': { ...two, patch: [{ op: 'test', path: '/data/a', value: null }] },
      'the whole': { ...two, patch: [{ op: 'test', path: '', value: {} }] },
      'what is absent': { ...two, patch: [{ op: 'test', path: '/data/c', value: '1' }] },
      'a map that is longer': { ...two, patch: [{ op: 'test', path: '/data', value: { a: '1' } }] },
      'a list in another order': {
        ...accounts,
        patch: [{ op: 'test', path: '/imagePullSecrets', value: [{ name: 'b' }, { name: 'a' }] }],
      },
      'a list that is longer': {
        ...accounts,
        patch: [{ op: 'test', path: '/imagePullSecrets', value: [{ name: 'a' }] }],
      },
    }),
    checks: {
      'json-patch-test': notApplied,
      'json-patch-test-answer': refusedAsClientError,
    },
  }),
  group({
    subjects: 'jsonPatchMissingPaths',
    setup: refused({
      remove: { ...two, patch: [{ op: 'remove', path: '/data/c' }] },
      replace: { ...two, patch: [{ op: 'replace', path: '/data/c', value: '3' }] },
      move: { ...two, patch: [{ op: 'move', from: '/data/c', path: '/data/d' }] },
      copy: { ...two, patch: [{ op: 'copy', from: '/data/c', path: '/data/d' }] },
      'add below what is absent': { ...two, patch: [{ op: 'add', path: '/absent/c', value: '3' }] },
      'into itself': { ...two, patch: [{ op: 'move', from: '/data', path: '/data/c' }] },
      'remove an index': { ...accounts, patch: [{ op: 'remove', path: '/imagePullSecrets/2' }] },
      'an index too far': { ...accounts, patch: [{ op: 'add', path: '/imagePullSecrets/3', value: third }] },
      'an index that is no number': { ...accounts, patch: [{ op: 'add', path: '/imagePullSecrets/x', value: third }] },
      'remove -': { ...accounts, patch: [{ op: 'remove', path: '/imagePullSecrets/-' }] },
    }),
    checks: {
      'json-patch-missing-path': notApplied,
      'json-patch-missing-path-answer': refusedAsClientError,
    },
  }),
  group({
    subjects: 'jsonPatchLaterFailures',
    setup: refused({
      'a test': afterAChange({ op: 'test', path: '/data/b', value: 'no' }),
      'a missing path': afterAChange({ op: 'remove', path: '/data/c' }),
      'an unknown operation': afterAChange({ op: 'increment', path: '/data/b' }),
      'an invalid object': {
        ...afterAChange({ op: 'add', path: '/metadata/labels/-', value: 'no label' }),
        mayApply: true,
      },
    }),
    checks: {
      'json-patch-all-or-nothing': notApplied,
      'json-patch-all-or-nothing-answer': refusedAsClientError,
    },
  }),
  group({
    subjects: 'jsonPatchMalformed',
    setup: refused({
      'an object': { ...two, patch: { op: 'add', path: '/data/c', value: '3' } },
      'a string': { ...two, patch: '"add"' },
      'a number': { ...two, patch: 5 },
      'a list of strings': { ...two, patch: ['add'] },
      'no op': { ...two, patch: [{ path: '/data/c', value: '3' }] },
      'an unknown op': { ...two, patch: [{ op: 'increment', path: '/data/a' }] },
      'no from': { ...two, patch: [{ op: 'move', path: '/data/a' }] },
      'the whole to remove': { ...two, patch: [{ op: 'remove', path: '' }] },
      'no path': { ...two, patch: [{ op: 'remove' }] },
      truncated: { ...two, patch: '[{"op":"add","path":"/data/c","value":' },
      'no JSON': { ...two, patch: '- {op: replace, path: /data/a, value: "9"}' },
    }),
    checks: {
      'json-patch-malformed': notApplied,
      'json-patch-malformed-answer': refusedAsClientError,
    },
  }),
];

function throughTilde(path: string, name: string) {
  return {
    patch: [
      { op: 'add', path, value: '3' },
      { op: 'test', path: '/data', value: { a: '1', b: '2', [name]: '3' } },
      { op: 'move', from: path, path: '/data/c' },
    ],
    change: { data: { c: '3' } },
  };
}

function pulls(...names: readonly string[]) {
  return { imagePullSecrets: names.map((name) => ({ name })) };
}

function afterAChange(operation: { readonly [key: string]: string }) {
  return { ...two, patch: [{ op: 'replace', path: '/data/a', value: '9' }, operation] };
}
