// A change is the whole difference between two states, but for the bookkeeping of a write.
import { expect, it } from 'vitest';
import { Failure } from '../../client/expect.js';
import type { JsonObject } from '../../client/json.js';
import { type Change, isChange, isSame } from './compare.js';

const object = (version: string, rest: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', resourceVersion: version, generation: Number(version), labels: { a: 'b' } },
  ...rest,
});
const subsets = (...all: readonly JsonObject[]): JsonObject => ({ subsets: all });
const one = { ports: [{ name: 'a' }, { name: 'b' }] };
const two = { ports: [{ name: 'c' }] };
const labels = (value: JsonObject): JsonObject => ({ metadata: { labels: value } });

it.each<[what: string, before: JsonObject, after: JsonObject, change: Change]>([
  ['nothing but the versions', object('1'), object('2'), {}],
  ['a member', object('1'), object('2', { spec: { a: 1 } }), { spec: { a: 1 } }],
  ['a list as a whole', object('1', { spec: [1, 2] }), object('2', { spec: [2] }), { spec: [2] }],
  ['the last member of a map', object('1'), { metadata: { name: 'a' } }, labels({ a: undefined })],
  [
    'subsets in any order',
    object('1'),
    object('2', subsets(one, two)),
    subsets(two, { ...one, ports: [...one.ports].reverse() }),
  ],
  ['a function', object('1'), object('2', { spec: 1 }), (before) => ({ ...before, spec: 1 })],
  [
    'a counter of templates',
    object('1', { spec: { templateGeneration: 1 } }),
    object('2', { spec: { templateGeneration: 2 } }),
    {},
  ],
])('%s is the change', (_, before, after, change) => {
  expect(() => isChange(before, after, change, 'PUT')).not.toThrow();
});

it.each<[what: string, before: JsonObject, after: JsonObject, change: Change, message: string]>([
  ['lacks the change', object('1'), object('2'), { spec: 1 }, 'PUT: spec is absent, not 1'],
  ['has more', object('1'), object('2', { spec: 1 }), {}, 'PUT: spec is 1, not absent'],
  ['has less', object('1', { spec: 1 }), object('2'), {}, 'PUT: spec is absent, not 1'],
  ['reorders', object('1', { spec: [1, 2] }), object('2', { spec: [2, 1] }), {}, 'PUT: spec[0] is 2, not 1'],
  [
    'keeps one subset twice',
    object('1'),
    object('2', subsets(two, two)),
    subsets(one, two),
    'PUT: subsets[0].ports is [{"name":"c"}], not [{"name":"a"},{"name":"b"}]',
  ],
  ['loses an empty map', object('1', { spec: {} }), object('2'), {}, 'PUT: spec is absent, not {}'],
  ['keeps what goes', object('1'), object('2'), labels({ a: undefined }), 'PUT: metadata.labels.a is "b", not absent'],
  [
    'counts too far',
    object('1', { spec: { templateGeneration: 1 } }),
    object('2', { spec: { templateGeneration: 3 } }),
    {},
    'PUT: spec.templateGeneration is 3, not 1',
  ],
])('an object that %s fails', (_, before, after, change, message) => {
  const act = () => isChange(before, after, change, 'PUT');
  expect(act).toThrow(Failure);
  expect(act).toThrow(message);
});

it('the same object has the same version', () => {
  expect(() => isSame(object('1'), object('1'), 'GET')).not.toThrow();
  expect(() => isSame(object('2'), object('1'), 'GET')).toThrow('GET: metadata.resourceVersion is "2", not "1"');
});

it('the selfLink of a response about a status may be the path of the request', () => {
  const linked = (selfLink: string) => ({ metadata: { selfLink } });
  expect(() => isSame(linked('/nodes/a/status'), linked('/nodes/a'), 'GET')).not.toThrow();
  expect(() => isSame(linked('/nodes/b/status'), linked('/nodes/a'), 'GET')).toThrow('metadata.selfLink');
});
