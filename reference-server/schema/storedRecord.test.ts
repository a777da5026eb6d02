// Stored records of any shape, as code reads them: what has its type stays, and the rest is left out and named.
import { describe, expect, it } from 'vitest';
import type { AnyShape } from '../testing/anyShape.js';
import { readRecord } from './storedRecord.js';

const strange: readonly unknown[] = [null, 7, 'x', true, [], {}, [null], [7], { a: null }, -1e300];

/** Returns what is left of a record, and how what was left out is named. */
const read = (key: string, record: unknown): [AnyShape, string] => {
  const { value, faults } = readRecord(key, record);
  return [value as AnyShape, faults.join('; ')];
};

describe('a record', () => {
  const map = { metadata: { name: 'a', namespace: 'n' }, data: { a: 'b' }, internal: [1] };

  it('that has the types of its kind is the same object', () => {
    expect(readRecord('core/configmaps/n/a', map).value).toBe(map);
  });

  it.each<[string, string, unknown, AnyShape, string]>([
    [
      'loses a field that has another type',
      'core/configmaps/n/a',
      { ...map, data: 7 },
      { metadata: map.metadata, internal: [1] },
      'data: expected object, got number',
    ],
    [
      'loses a field as a whole: half of a rule may permit more',
      'rbac.authorization.k8s.io/clusterroles/r',
      { metadata: { name: 'r' }, rules: [{ verbs: ['get'], resources: ['pods'], resourceNames: 7 }] },
      { metadata: { name: 'r' } },
      'rules[0].resourceNames: expected array, got number',
    ],
    [
      'loses single fields of its metadata',
      'core/configmaps/n/a',
      { metadata: { name: 'a', namespace: 'n', labels: 'x', deletionTimestamp: 'yesterday', generation: 2 } },
      { metadata: { name: 'a', namespace: 'n', generation: 2 } },
      'metadata.labels: expected object, got string',
    ],
    ['has the name of its key', 'core/configmaps/n/a', { metadata: { name: 7 } }, { metadata: map.metadata }, 'name'],
    [
      'that is no object',
      'core/pods/n/a',
      'k8s',
      { metadata: map.metadata },
      'it is not an object; it has no metadata',
    ],
    [
      'of a kind that was made keeps its fields',
      'example.com/things/n/a',
      { metadata: { name: 'a', labels: [] }, spec: 7 },
      { metadata: { name: 'a' }, spec: 7 },
      'metadata.labels: expected object, got array',
    ],
    [
      'loses nulls',
      'core/configmaps/n/a',
      { metadata: { ...map.metadata, labels: null }, data: { a: null }, immutable: null },
      { metadata: map.metadata, data: { a: '' } },
      '',
    ],
  ])('%s', (_, key, record, value, faults) => {
    const [left, named] = read(key, record);
    expect(left).toMatchObject(value);
    expect(Object.keys(left).filter((name) => !/^(apiVersion|kind)$/.test(name))).toEqual(Object.keys(value));
    expect(named).toContain(faults);
  });

  it('of a definition keeps its spec, and loses a status that has another type', () => {
    const key = 'apiextensions.k8s.io/customresourcedefinitions/a.b';
    const record = { metadata: { name: 'a.b' }, spec: { versions: 7 }, status: { conditions: 'all' } };
    const [left, named] = read(key, record);
    expect(left).toEqual({ metadata: { name: 'a.b' }, spec: { versions: 7 } });
    expect(named).toBe('status.conditions: expected array, got string');
  });

  it('with any value in any place is read', () => {
    const webhook = {
      metadata: { name: 'w', ownerReferences: [{ name: 'o', uid: 'u' }], managedFields: [{ manager: 'm' }] },
      webhooks: [{ name: 'h', rules: [{ operations: ['*'], resources: ['*'] }], clientConfig: { url: 'https://h' } }],
    };
    const key = 'admissionregistration.k8s.io/validatingwebhookconfigurations/w';
    for (const changed of changes(webhook)) {
      const { value } = readRecord(key, changed);
      expect(value.metadata.name).toBe('w');
      expect(readRecord(key, value).faults).toEqual([]);
    }
  });
});

/** Yields copies of a value, each with a strange value in one place. */
function* changes(value: unknown): Iterable<unknown> {
  yield* strange;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    for (const other of changes(inner))
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
}
