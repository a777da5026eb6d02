// Servers that lose values of a write: they cut, sort, join or round what was sent.
import { isObject, type Json } from '../../client/json.js';
import { type FaultRow, fault } from './wire/fault.js';
import { change, drop, isGiven, where } from './wire/objects.js';
import { sent } from './wire/requests.js';

const list = (to: (items: readonly Json[]) => Json) => (value: Json | undefined) =>
  Array.isArray(value) ? to(value) : value;
const number = (to: (given: number) => number) => (value: Json | undefined) =>
  typeof value === 'number' ? to(value) : value;
const bytes = (to: (given: Buffer) => Uint8Array) => (value: Json | undefined) =>
  Buffer.from(to(Buffer.from(String(value), 'base64'))).toString('base64');
const name = (item: Json): string => String(isObject(item) ? item.name : item);

const containers = 'spec.template.spec.containers.*';
const grace = 'spec.template.spec.terminationGracePeriodSeconds';

/** Returns the rows for the writes of a method; `fails` names what they fail, without the kind. */
export const lossy = (method: 'POST' | 'PUT', fails: string): readonly FaultRow[] => [
  // Only a ConfigMap has so many keys: the text names no plural, which would stand for custom kinds too.
  fault(`${method} keeps 20 keys of a map`, `${fails}/configmap`, [
    sent(
      `${method} ConfigMap`,
      change('data', (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 20)) : value)),
    ),
  ]),
  fault(`${method} cuts text at 1,000 characters`, `${fails}/configmaps`, [
    sent(
      `${method} ConfigMap`,
      change('metadata.annotations.*', (value) => String(value).slice(0, 1_000)),
    ),
  ]),
  fault(`${method} drops empty values of a map`, `${fails}/configmaps`, [
    sent(
      `${method} ConfigMap`,
      change('metadata.annotations.*', (value) => (value === '' ? undefined : value)),
    ),
  ]),
  fault(`${method} clears the high bit of bytes`, `${fails}/secrets`, [
    sent(
      `${method} Secret`,
      change(
        'data.*',
        bytes((given) => given.map((byte) => byte & 0x7f)),
      ),
    ),
  ]),
  fault(`${method} ends bytes at the first zero`, `${fails}/secrets`, [
    sent(
      `${method} Secret`,
      change(
        'data.*',
        bytes((given) => given.subarray(0, given.includes(0) ? given.indexOf(0) : given.length)),
      ),
    ),
  ]),
  fault(`${method} keeps 10 items of a list`, `${fails}/endpoints`, [
    sent(
      `${method} Endpoints`,
      change(
        'subsets.*.addresses',
        list((items) => items.slice(0, 10)),
      ),
    ),
  ]),
  fault(`${method} sorts variables by name`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        `${containers}.env`,
        list((items) => [...items].sort((one, other) => (name(one) < name(other) ? -1 : 1))),
      ),
    ),
  ]),
  fault(`${method} joins and splits arguments`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        `${containers}.args`,
        list((items) => items.join(' ').split(' ')),
      ),
    ),
  ]),
  fault(`${method} takes arguments for a set`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        `${containers}.args`,
        list((items) => [...new Set(items)]),
      ),
    ),
  ]),
  fault(`${method} expands what arguments name`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        `${containers}.args`,
        list((items) => items.map((item) => String(item).replaceAll('$(V0)', 'first'))),
      ),
    ),
  ]),
  fault(`${method} stores int64 as a float of 32 bits`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        grace,
        number((given) => Math.min(Math.fround(given), Number.MAX_SAFE_INTEGER - 1)),
      ),
    ),
  ]),
  fault(`${method} stores int64 as int32`, `${fails}/replicasets`, [
    sent(
      `${method} ReplicaSet`,
      change(
        grace,
        number((given) => Math.min(given, 2 ** 31 - 1)),
      ),
    ),
  ]),
  // Only the kinds of the interface get such metadata, so the text names no plural here too.
  ...['ownerReferences', 'finalizers', 'generateName'].map((field) =>
    fault(`${method} drops ${field}`, `${fails}/configmap`, [
      sent(`${method} ConfigMap`, where('metadata.name', isGiven, drop(`metadata.${field}`))),
    ]),
  ),
];
