// Cases of merge patch: RFC 7386. Rules that also apply to strategic merge patches are in tables for both.
import { group } from '../run/group.js';
import { applied, type Entry, patchRefused, patchSetup } from './cases.js';
import { twoSecrets, twoValues } from './samples.js';

const setup = (table: Parameters<typeof patchSetup>[1]) => patchSetup('application/merge-patch+json', table);

const two = { start: twoValues };
const http = { name: 'http', port: 80, targetPort: 8080 };

/** The effect of both merge patches on fields. */
export const fieldCases: Readonly<Record<string, Entry>> = {
  'a value': { ...two, patch: { data: { a: '9' } }, data: { a: '9', b: '2' } },
  'a new value': { ...two, patch: { data: { c: '3' } }, data: { a: '1', b: '2', c: '3' } },
  'a new map': {
    ...two,
    patch: { metadata: { annotations: { 'kube-api-conformance/note': 'x' } } },
    data: { a: '1', b: '2' },
    after: { metadata: { annotations: { 'kube-api-conformance/note': 'x' } } },
  },
  'a field among others': {
    patch: { spec: { sessionAffinity: 'ClientIP' } },
    after: { spec: { sessionAffinity: 'ClientIP', selector: { app: 'conformance' }, ports: [http] } },
  },
  'two levels at once': {
    patch: { metadata: { labels: { 'kube-api-conformance/level': 'one' } }, spec: { selector: { tier: 'two' } } },
    after: {
      metadata: { labels: { 'kube-api-conformance/level': 'one' } },
      spec: { selector: { app: 'conformance', tier: 'two' }, ports: [http] },
    },
  },
};

/** The effect of a null in both merge patches. */
export const nullCases: Readonly<Record<string, Entry>> = {
  'a value': { ...two, patch: { data: { a: null } }, data: { b: '2' } },
  'a map': { ...two, patch: { data: null }, data: {} },
  'what is absent': { ...two, patch: { data: { c: null } }, data: { a: '1', b: '2' } },
};

/** Patches that are not an object, or not JSON. */
export const malformed: Readonly<Record<string, Entry>> = {
  'an array': { ...two, patch: [1] },
  'a string': { ...two, patch: '"data"' },
  'a number': { ...two, patch: 5 },
  truncated: { ...two, patch: '{"data":{"a":"9"' },
  'no JSON': { ...two, patch: 'data: {a: "9"' },
};

/** The checks of merge patch. */
export const mergeGroups = [
  group({
    subjects: 'mergePatches',
    setup: setup(fieldCases),
    checks: { 'merge-patch': applied },
  }),
  group({
    subjects: 'mergePatchNulls',
    setup: setup({
      ...nullCases,
      'inside a new map': {
        ...two,
        patch: { metadata: { annotations: { 'kube-api-conformance/no': null, 'kube-api-conformance/yes': 'x' } } },
        after: { metadata: { annotations: { 'kube-api-conformance/no': undefined, 'kube-api-conformance/yes': 'x' } } },
      },
    }),
    checks: { 'merge-patch-null': applied },
  }),
  group({
    subjects: 'mergePatchLists',
    setup: setup({
      'another list': {
        start: twoSecrets,
        patch: { imagePullSecrets: [{ name: 'c' }, { name: 'd' }] },
        after: { imagePullSecrets: [{ name: 'c' }, { name: 'd' }] },
      },
      'a shorter list': {
        start: twoSecrets,
        patch: { imagePullSecrets: [{ name: 'b' }] },
        after: { imagePullSecrets: [{ name: 'b' }] },
      },
      'an empty list': {
        start: twoSecrets,
        patch: { imagePullSecrets: [] },
        list: { at: ['imagePullSecrets'], by: 'name', lacks: ['a', 'b'] },
      },
      'a list that has a merge key': {
        patch: { spec: { ports: [{ name: 'other', port: 81, targetPort: 8081 }] } },
        after: { spec: { ports: [{ name: 'other', port: 81, targetPort: 8081 }] } },
      },
    }),
    checks: { 'merge-patch-lists': applied },
  }),
  group({
    subjects: 'mergePatchMalformed',
    setup: setup({ ...malformed, null: { ...two, patch: null } }),
    checks: { 'merge-patch-malformed': patchRefused },
  }),
];
