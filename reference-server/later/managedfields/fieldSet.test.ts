import { describe, expect, it } from 'vitest';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { changesTimesOnly } from '../../registry/fields.js';
import { doAll } from '../../turns.js';
import { entriesOf as entriesInSteps, type Managers, managersOf, withoutOldest } from './entries.js';
import { difference, fieldsNamed, intersection, isEmpty, none, pathsOf, sameSet, union } from './fieldSet.js';
import { normalStep, pathText, stepTo } from './steps.js';

const set = (...paths: string[]) => fieldsNamed(...paths.map((path) => path.split('.')));
const shown = (of: ReturnType<typeof set>) => [...pathsOf(of)].map(pathText);

describe('sets', () => {
  it.each([
    ['union', union(set('a', 'b.c'), set('b', 'b.d')), ['.a', '.b', '.b.c', '.b.d']],
    ['what ends in a set is before what is below it', union(set('a.b', 'a.c'), set('d')), ['.d', '.a.b', '.a.c']],
    ['union with nothing', union(set('a'), none), ['.a']],
    ['intersection', intersection(set('a', 'b.c', 'b.d'), set('b', 'b.d', 'e')), ['.b.d']],
    ['intersection of branches without common paths', intersection(set('a.b'), set('a.c')), []],
    ['difference', difference(set('a', 'b', 'b.c', 'b.d'), set('b.d', 'a')), ['.b', '.b.c']],
    ['difference: a path does not take those below it', difference(set('b', 'b.c'), set('b')), ['.b.c']],
    ['difference: a path stays when those below it go', difference(set('b', 'b.c'), set('b.c')), ['.b']],
    ['difference with itself', difference(set('b', 'b.c'), set('b', 'b.c')), []],
  ])('%s', (_what, result, paths) => {
    expect(shown(result)).toEqual(paths);
    expect(isEmpty(result)).toBe(paths.length === 0);
  });

  it('are equal if they have the same paths', () => {
    expect(sameSet(set('a.b', 'c'), union(set('c'), set('a.b')))).toBe(true);
    expect(sameSet(set('a.b'), set('a'))).toBe(false);
    expect(sameSet(set('a'), set('b'))).toBe(false);
  });
});

describe('steps', () => {
  const keys = [{ name: 'port' }, { name: 'protocol', fallback: 'TCP' }];
  const list = { kind: 'list', items: { kind: 'leaf' } } as const;

  it.each([
    [{ port: 80 }, 'k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]'],
    [{ protocol: 'UDP', port: 1 }, 'k:{"port":1,"protocol":"UDP"}', '[port=1,protocol="UDP"]'],
    [{}, 'k:{"protocol":"TCP"}', '[protocol="TCP"]'],
  ])('to %j', (item, step, text) => {
    expect(stepTo(item, { ...list, keys })).toBe(step);
    expect(pathText([step])).toBe(text);
  });

  it.each([
    [null, "an element that's an explicit null"],
    [{}, 'list or map type'],
  ])('a set has no %j', (item, why) => expect(() => stepTo(item, list)).toThrow(why));

  it.each([
    [null, 'may not have a null element'],
    ['a', 'may not have non-map elements'],
    [{ b: 1 }, 'omits all key fields ["name"]'],
  ])('a list with keys has no %j', (item, why) => {
    expect(() => stepTo(item, { ...list, keys: [{ name: 'name' }] })).toThrow(why);
  });

  it.each([
    ['f:a b', 'f:a b'],
    ['k:{ "b":1, "a":"x" }', 'k:{"a":"x","b":1}'],
    ['v: "a"', 'v:"a"'],
    ['i:3', 'i:3'],
    ['z:new', undefined],
  ])('%s from outside is %s', (step, normal) => expect(normalStep(step)).toBe(normal));

  it.each(['k:{', 'k:[]', 'v:', 'i:x'])('%s is malformed', (step) =>
    expect(() => normalStep(step)).toThrow(SyntaxError),
  );
});

const entry = (
  manager: string,
  fieldsV1: object,
  more: Partial<ObjectOf<'ManagedFieldsEntry'>> = {},
): ObjectOf<'ManagedFieldsEntry'> => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...more,
});

const entriesOf = (managers: Managers) => doAll(entriesInSteps(managers));
const read = (...entries: ObjectOf<'ManagedFieldsEntry'>[]): Managers => doAll(managersOf(entries)) as Managers;

describe('entries', () => {
  it('have their steps in order: fields, items by their keys, values', () => {
    const fields = {
      'f:ports': {
        'k:{"port":443}': { '.': {} },
        'k:{"port":80}': { '.': {}, 'f:port': {} },
        '.': {},
      },
      'f:a': { 'v:"b"': {}, 'v:"a"': {} },
    };
    const [written] = entriesOf(read(entry('m', fields)));
    expect(JSON.stringify(written?.fieldsV1)).toBe(
      '{"f:a":{"v:\\"a\\"":{},"v:\\"b\\"":{}},"f:ports":{".":{},"k:{\\"port\\":80}":{".":{},"f:port":{}},"k:{\\"port\\":443}":{}}}',
    );
  });

  it('have their managers in order: who applies first, then by time and name', () => {
    const managers = read(
      entry('b', { 'f:a': {} }, { time: '2026-01-01T00:00:01Z' }),
      entry('c', { 'f:a': {} }, { time: '2026-01-01T00:00:00Z' }),
      entry('a', { 'f:a': {} }, { time: '2026-01-01T00:00:01Z' }),
      entry('z', { 'f:a': {} }, { operation: 'Apply', time: '2026-01-01T00:00:09Z' }),
      entry('a', { 'f:a': {} }, { time: '2026-01-01T00:00:01Z', subresource: 'status' }),
    );
    expect(entriesOf(managers).map(({ manager, subresource = '' }) => `${manager}${subresource}`)).toEqual([
      'z',
      'c',
      'a',
      'astatus',
      'b',
    ]);
  });

  it('share equal fields', () => {
    const [one] = entriesOf(read(entry('a', { 'f:data': { 'f:x': {} } })));
    const [other] = entriesOf(read(entry('b', { 'f:data': { 'f:x': {} } })));
    expect(one?.fieldsV1).toBe(other?.fieldsV1);
  });

  it.each([
    ['another operation', entry('a', {}, { operation: 'Delete' })],
    ['no version', entry('a', {}, { apiVersion: '' })],
    ['another type of fields', entry('a', {}, { fieldsType: 'FieldsV2' })],
    ['fields that are not object', entry('a', ['f:a'])],
    ['a field that is not an object', entry('a', { 'f:a': 1 })],
    ['a malformed step', entry('a', { 'k:{': {} })],
  ])('with %s are malformed', (_what, malformed) => {
    expect(doAll(managersOf([entry('good', { 'f:a': {} }), malformed]))).toBeUndefined();
  });

  it('are the same but for their times', () => {
    const now = { time: '2026-01-01T00:00:00Z' };
    expect(
      changesTimesOnly([entry('a', { 'f:a': {} }, now)], { metadata: { managedFields: [entry('a', { 'f:a': {} })] } }),
    ).toBe(true);
    expect(
      changesTimesOnly([entry('a', { 'f:a': {} }, now)], {
        metadata: { managedFields: [entry('b', { 'f:a': {} }, now)] },
      }),
    ).toBe(false);
    expect(changesTimesOnly([entry('a', { 'f:a': {} })], { metadata: { managedFields: [] } })).toBe(false);
  });

  it('of updates are ten at most: the oldest have one manager for each version', () => {
    const updates = Array.from({ length: 13 }, (_, at) =>
      entry(`m${String(at).padStart(2, '0')}`, { [`f:x${at}`]: {} }, { time: `2026-01-01T00:00:${10 + at}Z` }),
    );
    const kept = entriesOf(withoutOldest(read(...updates, entry('a', { 'f:a': {} }, { operation: 'Apply' }))));
    expect(kept.map(({ manager }) => manager)).toEqual([
      'a',
      'ancient-changes',
      ...Array.from({ length: 9 }, (_, at) => `m${String(at + 4).padStart(2, '0')}`),
    ]);
    expect(kept[1]).toMatchObject({
      time: '2026-01-01T00:00:13Z',
      fieldsV1: { 'f:x0': {}, 'f:x1': {}, 'f:x2': {}, 'f:x3': {} },
    });
  });
});
