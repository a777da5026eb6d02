// Costs of server-side apply and of managed fields: long configurations, many managers, many conflicts.

import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { KubeObject } from '../../../schema/object.js';
import { StatusError } from '../../../statusError.js';
import type { Work } from '../../../testing/costs/growth.js';
import { doInTurns, oneStep } from '../../../turns.js';
import { type Application, applied, type Config } from '../../managedfields/apply.js';
import { shapeOfKind } from '../../managedfields/fieldTable.js';
import { wholeObject } from '../../managedfields/shape.js';
import { updatedEntries, type Version } from '../../managedfields/update.js';

const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index));
const keyed = (count: number, value: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`k${index}`, value(index)]));

function versionOf(kind: string): Version {
  const shape = shapeOfKind('v1', kind);
  if (shape === undefined) throw new Error(`${kind} has no shape`);
  return { apiVersion: 'v1', shape: wholeObject(shape, ['status']) };
}

const object = (kind: string, more: object, metadata: object = {}): Config => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'a', ...metadata },
  ...more,
});

const pod = (containers: readonly object[]): Config => object('Pod', { spec: { containers } });
const configMap = (data: object): Config => object('ConfigMap', { data });

/** Two configurations of one kind, of about half the bytes each: one after the other is applied. */
const pairs: Readonly<Record<string, (bytes: number) => readonly [Config, Config]>> = {
  'many fields': (bytes) => [configMap(keyed(bytes / 24, () => 'v')), configMap(keyed(bytes / 24, () => 'w'))],
  'many fields in place of others': (bytes) => [
    configMap(keyed(bytes / 24, () => 'v')),
    configMap(Object.fromEntries(many(bytes / 24, (index) => [`m${index}`, 'v']))),
  ],
  'many fields that go': (bytes) => [configMap(keyed(bytes / 12, () => 'v')), configMap({})],
  'many items': (bytes) => [
    pod(many(bytes / 60, (index) => ({ name: `c${index}`, image: 'x' }))),
    pod(many(bytes / 60, (index) => ({ name: `c${index}`, image: 'y' }))),
  ],
  'many items in the reverse order': (bytes) => [
    pod(many(bytes / 60, (index) => ({ name: `c${index}`, image: 'x' }))),
    pod(many(bytes / 60, (index) => ({ name: `c${index}`, image: 'x' })).reverse()),
  ],
  'many items among others': (bytes) => [
    pod(many(bytes / 60, (index) => ({ name: `c${2 * index}`, image: 'x' }))),
    pod(many(bytes / 60, (index) => ({ name: `c${3 * index}`, image: 'x' }))),
  ],
  'many ports': (bytes) => [
    pod([{ name: 'a', ports: many(bytes / 50, (index) => ({ containerPort: index })) }]),
    pod([{ name: 'a', ports: many(bytes / 50, (index) => ({ containerPort: index, name: 'n' })) }]),
  ],
  'a long set': (bytes) => [
    object('Pod', {}, { finalizers: many(bytes / 24, (index) => `a/f${index}`) }),
    object('Pod', {}, { finalizers: many(bytes / 24, (index) => `a/g${index}`) }),
  ],
  'a long list with one owner': (bytes) => [
    pod([{ name: 'a', args: many(bytes / 10, () => 'v') }]),
    pod([{ name: 'a', args: many(bytes / 10, () => 'w') }]),
  ],
  'items that occur twice': (bytes) => [
    pod([{ name: 'a' }]),
    pod(many(bytes / 20, (index) => ({ name: `c${index % 9}` }))),
  ],
  'unknown fields': (bytes) => [
    configMap({}),
    object(
      'ConfigMap',
      keyed(bytes / 12, () => 0),
    ),
  ],
};

/** Entries of about this many bytes. */
const hostileEntries: Readonly<Record<string, (bytes: number) => readonly ObjectOf<'ManagedFieldsEntry'>[]>> = {
  'many managers of one field': (bytes) =>
    many(bytes / 120, (index) => entry(`m${index}`, { 'f:data': { 'f:a': {} } })),
  'many managers of many fields': (bytes) =>
    many(bytes / 130, (index) => entry(`m${index}`, { 'f:data': { [`f:k${index}`]: {} } })),
  'many fields of one manager': (bytes) => [
    entry('m', { 'f:data': Object.fromEntries(many(bytes / 12, (index) => [`f:k${index}`, {}])) }),
  ],
  'many items of one manager': (bytes) => [
    entry('m', { 'f:data': Object.fromEntries(many(bytes / 30, (index) => [`k:{"b":${index},"a":"x"}`, {}])) }),
  ],
  'fields that nest': (bytes) =>
    many(bytes / 8000, (index) => entry(`m${index}`, JSON.parse(`${'{"f:a":'.repeat(900)}{}${'}'.repeat(900)}`))),
};

const entry = (manager: string, fieldsV1: unknown): ObjectOf<'ManagedFieldsEntry'> => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1,
});

const now = '2026-01-01T00:00:00Z';

function applying(config: Config, manager: string, live?: KubeObject, force = false): Application {
  return {
    version: versionOf(String(config.kind)),
    ...(live && { live }),
    config,
    manager: { manager, operation: 'Apply', apiVersion: 'v1' },
    force,
    now,
    inVersion: () => oneStep(() => undefined),
  };
}

async function apply(application: Application): Promise<KubeObject> {
  const { object: result, managedFields } = await doInTurns(applied(application));
  return { ...result, metadata: { ...result.metadata, managedFields } };
}

/** Does work that may be refused. Returns the length of the message. */
async function lengthOf(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return JSON.stringify(error.toStatus()).length;
  }
}

const applies = Object.entries(pairs).flatMap(([name, make]) =>
  (
    [
      [
        'first',
        async ([, config]) =>
          () =>
            apply(applying(config, 'one')),
      ],
      ['again', async ([before, config]) => applyAfter(before, config, 'one', false)],
      ['by another', async ([before, config]) => applyAfter(before, config, 'two', false)],
      ['by force', async ([before, config]) => applyAfter(before, config, 'two', true)],
    ] as const satisfies readonly (readonly [
      string,
      (pair: readonly [Config, Config]) => Promise<() => Promise<unknown>>,
    ])[]
  ).map(
    ([how, prepare]): Work => ({
      name: `apply ${how}: ${name}`,
      async prepare(bytes) {
        const work = await prepare(make(bytes));
        return () => lengthOf(work);
      },
    }),
  ),
);

async function applyAfter(before: Config, config: Config, manager: string, force: boolean) {
  const live = await apply(applying(before, 'one'));
  return () => apply(applying(config, manager, live, force));
}

/** An update of an object whose request gives the entries. The response has them, so that its length does not count. */
const updates = Object.entries(hostileEntries).map(
  ([name, make]): Work => ({
    name: `update with entries: ${name}`,
    prepare(bytes) {
      const given = make(bytes);
      const before: KubeObject = { metadata: { name: 'a', managedFields: [entry('b', { 'f:data': {} })] } };
      const after: KubeObject = { metadata: { name: 'a' }, data: { a: 'b', k0: 'v' } };
      const version = versionOf('ConfigMap');
      return async () => {
        const manager = { manager: 'm', operation: 'Update', apiVersion: 'v1' } as const;
        await doInTurns(
          updatedEntries({ version, before, after, in: () => oneStep(() => undefined) }, { manager, given, now }),
        );
        return 0;
      };
    },
  }),
);

/** All applies, and updates with entries. */
export const applyWorks: readonly Work[] = [...applies, ...updates];
