// Cases of merge patch: RFC 7386. Rules that also apply to strategic merge patches are in tables for both.
import type { JsonObject } from '../client/json.js';
import { mergedBy } from '../objects/mergePatch.js';
import { group } from '../run/group.js';
import { applied, type PatchCase, patchRefused, patchSetup, type RefusedCase, refusedSetup } from './cases.js';
import { replicasAndSpec, twoSecrets, twoValues, zeros } from './samples.js';

const mergePatch = 'application/merge-patch+json';

interface MergeCase extends RefusedCase {
  readonly patch: JsonObject;
}

/** Returns a setup for a table of merge patches: the whole object becomes what RFC 7386 says. */
const setup = (table: Readonly<Record<string, MergeCase>>) =>
  patchSetup(
    mergePatch,
    Object.fromEntries(
      Object.entries(table).map(([variant, { start = {}, patch }]) => [
        variant,
        { start, patch, change: mergedBy(patch) },
      ]),
    ),
  );

const two = { start: twoValues };
const text = ' \\"ü¥𝄞\u0301\u2028\t\n ';

/** The effect of both merge patches on fields. The change is stated for strategic merge patches only. */
export const fieldCases = {
  'a value': { ...two, patch: { data: { a: '9' } }, change: { data: { a: '9' } } },
  'a new value': {
    ...two,
    patch: { apiVersion: 'v1', kind: 'ConfigMap', data: { c: '3' } },
    change: { data: { c: '3' } },
  },
  'a new map': {
    ...two,
    patch: { metadata: { annotations: { 'kube-api-conformance/note': 'x' } } },
    change: { metadata: { annotations: { 'kube-api-conformance/note': 'x' } } },
  },
  'any text and any name': {
    ...two,
    patch: { data: { a: text, '0': '', 'a-b': '~1', 'a.b': '/', constructor: '{}' } },
    change: { data: { a: text, '0': '', 'a-b': '~1', 'a.b': '/', constructor: '{}' } },
  },
  'a field among others': { patch: { spec: { minReadySeconds: 5 } }, change: { spec: { minReadySeconds: 5 } } },
  zeros: { start: replicasAndSpec(1), patch: replicasAndSpec(0, zeros), change: replicasAndSpec(0, zeros) },
  'two levels at once': {
    patch: { metadata: { labels: { 'kube-api-conformance/level': 'one' } }, spec: { selector: { tier: 'two' } } },
    change: { metadata: { labels: { 'kube-api-conformance/level': 'one' } }, spec: { selector: { tier: 'two' } } },
  },
} satisfies Readonly<Record<string, MergeCase & PatchCase>>;

/** The effect of a null in both merge patches. */
export const nullCases = {
  'a value': { ...two, patch: { data: { a: null } }, change: { data: { a: undefined } } },
  'a map': { ...two, patch: { data: null }, change: { data: undefined } },
  'what is absent': { ...two, patch: { data: { c: null, a: '9' } }, change: { data: { a: '9' } } },
} satisfies Readonly<Record<string, MergeCase & PatchCase>>;

/** Patches that are not an object, or not JSON. */
export const malformed: Readonly<Record<string, RefusedCase>> = {
  'an array': { ...two, patch: [1] },
  'a string': { ...two, patch: '"data"' },
  'a number': { ...two, patch: 5 },
  truncated: { ...two, patch: '{"data":{"a":"9"' },
  'no JSON': { ...two, patch: 'data: {a: "9"}' },
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
      },
    }),
    checks: { 'merge-patch-null': applied },
  }),
  group({
    subjects: 'mergePatchLists',
    setup: setup({
      'another list': { start: twoSecrets, patch: { imagePullSecrets: [{ name: 'c' }, { name: 'd' }] } },
      'a longer list': {
        start: twoSecrets,
        patch: { imagePullSecrets: [{ name: 'c' }, { name: 'b' }, { name: 'a' }] },
      },
      'a shorter list': { start: twoSecrets, patch: { imagePullSecrets: [{ name: 'b' }] } },
      'an empty list': { start: twoSecrets, patch: { imagePullSecrets: [] } },
      'a list that has a merge key': {
        patch: { spec: { ports: [{ name: 'other', port: 81, targetPort: 8081, protocol: 'TCP' }] } },
      },
    }),
    checks: { 'merge-patch-lists': applied },
  }),
  group({
    subjects: 'mergePatchMalformed',
    setup: refusedSetup(mergePatch, { ...malformed, null: { ...two, patch: null } }),
    checks: { 'merge-patch-malformed': patchRefused },
  }),
];
