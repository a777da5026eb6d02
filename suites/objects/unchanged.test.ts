// A changed object is a fault of the target, unless another writer is named.
import { expect, it } from 'vitest';
import { Failure, Prerequisite } from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import { isUnchanged, isUnchangedWhole } from './unchanged.js';

const written = (manager: string, time: string) => ({ manager, operation: 'Update', time, fieldsV1: {} });

const object = (volumeName: string | undefined, ...managedFields: JsonObject[]): JsonObject => ({
  metadata: { name: 'a', ...(managedFields.length > 0 && { managedFields }) },
  spec: volumeName === undefined ? {} : { volumeName },
});

const first = written('kube-api-conformance', '2026-01-01T00:00:00Z');
const later = written('kube-api-conformance', '2026-01-01T00:00:01Z');
const controller = written('kube-controller-manager', '2026-01-01T00:00:01Z');

it.each<[what: string, before: JsonObject, after: JsonObject, change?: JsonObject]>([
  ['is the same', object('a'), object('a')],
  ['has more', object(undefined), object('a')],
  ['has the change', object('a'), object('b'), { spec: { volumeName: 'b' } }],
  ['has the change of its status', object('a'), { ...object('a'), status: { a: 1 } }, { status: { a: 1 } }],
])('an object that %s passes', (_, before, after, change) => {
  expect(() => isUnchanged(before, after, 'PUT', change)).not.toThrow();
});

it.each<[what: string, before: JsonObject, after: JsonObject | undefined]>([
  ['without any writer', object('a'), object('b')],
  ['by us', object('a', first), object('b', first, later)],
  ['by a controller, before', object('a', first, controller), object('b', first, controller)],
  ['as a whole', object('a'), undefined],
])('an object that was changed %s fails', (_, before, after) => {
  expect(() => isUnchanged(before, after, 'PUT')).toThrow(Failure);
});

it('an object that a controller changed is not checked, and the controller is named', () => {
  const act = () => isUnchanged(object('a', first), object('b', first, controller), 'PUT');
  expect(act).toThrow(Prerequisite);
  expect(act).toThrow('PUT: kube-controller-manager wrote it in between: spec.volumeName is "b", not "a"');
});

it('an object is the same to the last field, unless a controller is named', () => {
  const at = (resourceVersion: string, ...managedFields: JsonObject[]) =>
    ({ metadata: { name: 'a', resourceVersion, managedFields } }) as JsonObject;
  expect(() => isUnchangedWhole(at('1', first), at('1', first), 'PUT')).not.toThrow();
  expect(() => isUnchangedWhole(at('1', first), at('2', first, controller), 'PUT')).not.toThrow();
  expect(() => isUnchangedWhole(at('1', first), at('2', first, later), 'PUT')).toThrow(Failure);
  expect(() => isUnchangedWhole(at('1', first), at('2', first), 'PUT')).toThrow(Failure);
  expect(() => isUnchangedWhole(at('1', first), undefined, 'PUT')).toThrow(Failure);
});
