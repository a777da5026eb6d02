import { describe, expect, it } from 'vitest';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { equal, isRecord, type KubeObject } from '../../schema/object.js';
import type { StatusError } from '../../statusError.js';
import { doAll, oneStep } from '../../turns.js';
import { shapeOfSchema } from '../customresources/shape.js';
import type { StructuralSchema } from '../customresources/structuralSchema.js';
import { applied } from './apply.js';
import { managersOf } from './entries.js';
import { isEmpty, pathsOf } from './fieldSet.js';
import { metadataShape } from './fieldTable.js';
import { wholeObject } from './shape.js';
import { pathText } from './steps.js';
import { updatedEntries, type Version } from './update.js';

const text: StructuralSchema = { type: 'string' };
const number: StructuralSchema = { type: 'integer' };

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        replicas: number,
        name: text,
        labels: { type: 'object', additionalProperties: text },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: {
            type: 'object',
            properties: { port: number, protocol: { type: 'string', default: 'TCP' }, name: text },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        args: { type: 'array', items: text },
        nested: { type: 'object', properties: { x: text, y: text } },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { phase: text } },
  },
};

const version: Version = {
  apiVersion: 'example.com/v1',
  shape: wholeObject(shapeOfSchema(schema, metadataShape()), ['status']),
};

type Spec = Readonly<Record<string, unknown>>;

const config = (spec: Spec, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a', ...metadata },
  spec,
});

/** The object with its entries, after an apply. */
function apply(
  live: KubeObject | undefined,
  manager: string,
  body: object,
  more: { force?: boolean; now?: string } = {},
) {
  const { force = false, now = '2026-01-01T00:00:00Z' } = more;
  const { object, managedFields } = doAll(
    applied({
      version,
      ...(live && { live }),
      config: body as Readonly<Record<string, unknown>>,
      manager: { manager, operation: 'Apply', apiVersion: version.apiVersion },
      force,
      now,
      inVersion: () => oneStep(() => undefined),
    }),
  );
  const decoded = withoutNulls(object) as KubeObject;
  return { ...decoded, metadata: { ...decoded.metadata, managedFields } } as KubeObject & { spec?: Spec };
}

/** What a decoder makes of a value: a null is an absent field. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}

/** The object with its entries, after an update of its spec. */
function update(live: KubeObject, manager: string, spec: Spec): KubeObject {
  const after = { ...live, spec };
  const managedFields = doAll(
    updatedEntries(
      { version, before: live, after, in: () => oneStep(() => undefined) },
      {
        manager: { manager, operation: 'Update', apiVersion: version.apiVersion },
        given: undefined,
        now: '2026-01-01T00:00:00Z',
      },
    ),
  );
  return { ...after, metadata: { ...live.metadata, managedFields } };
}

/** The paths of each manager. */
const ownersOf = ({ metadata: { managedFields = [] } }: KubeObject): Record<string, string[]> =>
  Object.fromEntries(
    [...(doAll(managersOf(managedFields))?.values() ?? [])].map(({ manager, operation, set }) => [
      operation === 'Apply' ? manager : `${manager} (update)`,
      [...pathsOf(set)].map(pathText),
    ]),
  );

function refusal(of: () => unknown): StatusError {
  try {
    of();
  } catch (error) {
    return error as StatusError;
  }
  throw new Error('not refused');
}

describe('an apply', () => {
  it.each<[string, Spec, string[]]>([
    ['scalars', { replicas: 1, name: 'x' }, ['.spec.name', '.spec.replicas']],
    ['a null', { replicas: null }, ['.spec.replicas']],
    ['the entries of a map', { labels: { a: 'b' } }, ['.spec.labels.a']],
    ['an empty map', { labels: {} }, ['.spec.labels']],
    ['an atomic map as a whole', { selector: { a: 'b', b: 'c' } }, ['.spec.selector']],
    ['an atomic list as a whole', { args: ['a', 'b'] }, ['.spec.args']],
    ['the values of a set', { tags: ['b', 'a'] }, ['.spec.tags[="a"]', '.spec.tags[="b"]']],
    ['nothing of an empty set', { tags: [] }, []],
    [
      'items and their fields, by their keys with defaults',
      { ports: [{ port: 80, name: 'x' }] },
      [
        '.spec.ports[port=80,protocol="TCP"]',
        '.spec.ports[port=80,protocol="TCP"].name',
        '.spec.ports[port=80,protocol="TCP"].port',
      ],
    ],
    ['fields of any type', { any: { x: { y: [1] } } }, ['.spec.any.x', '.spec.any.x.y']],
  ])('owns %s', (_what, spec, paths) => {
    expect(ownersOf(apply(undefined, 'm', config(spec)))).toEqual(paths.length === 0 ? {} : { m: paths });
  });

  it.each<[string, Spec, Spec, Spec]>([
    ['keeps the fields of others', { name: 'x' }, { replicas: 2 }, { name: 'x', replicas: 2 }],
    ['adds to a map', { labels: { a: '1' } }, { labels: { b: '2' } }, { labels: { a: '1', b: '2' } }],
    ['adds to a set', { tags: ['a', 'b'] }, { tags: ['c', 'a'] }, { tags: ['c', 'a', 'b'] }],
    ['puts new items where it has them', { tags: ['x', 'y'] }, { tags: ['y', 'n', 'x'] }, { tags: ['y', 'n', 'x'] }],
    [
      'merges items with equal keys',
      { ports: [{ port: 1, protocol: 'TCP' }] },
      { ports: [{ port: 2 }, { port: 1, name: 'n' }] },
      {
        ports: [{ port: 2 }, { port: 1, protocol: 'TCP', name: 'n' }],
      },
    ],
  ])('%s', (_what, before, next, after) => {
    const live = apply(undefined, 'one', config(before));
    expect(apply(live, 'two', config(next)).spec).toEqual(after);
  });

  it.each<[string, Spec, Spec, Spec | null]>([
    ['a field', { name: 'x', replicas: 1 }, { name: 'x' }, { name: 'x' }],
    ['an entry of a map', { labels: { a: '1', b: '2' } }, { labels: { b: '2' } }, { labels: { b: '2' } }],
    ['a value of a set', { tags: ['a', 'b'] }, { tags: ['b'] }, { tags: ['b'] }],
    ['an item', { ports: [{ port: 1 }, { port: 2 }] }, { ports: [{ port: 2 }] }, { ports: [{ port: 2 }] }],
    ['an atomic list', { args: ['a'], name: 'x' }, { name: 'x' }, { name: 'x' }],
    ['all', { nested: { x: '1' }, name: 'x' }, { name: 'x' }, { name: 'x' }],
  ])('that leaves out %s takes it from the object', (_what, before, next, after) => {
    const live = apply(undefined, 'one', config(before));
    expect(apply(live, 'one', config(next)).spec).toEqual(after);
  });

  it('leaves what another manager has, and what no one has', () => {
    const one = apply(undefined, 'one', config({ ports: [{ port: 1, name: 'x' }], name: 'x' }));
    const two = apply(one, 'two', config({ ports: [{ port: 1 }] }));
    expect(apply(two, 'one', config({})).spec).toEqual({ ports: [{ port: 1 }] });
    const other = update(one, 'other', { ...one.spec, replicas: 3 });
    expect(apply(other, 'one', config({})).spec).toEqual({ replicas: 3 });
  });

  it('conflicts with the owners of values that it changes, all of them', () => {
    const one = apply(undefined, 'one', config({ name: 'x', ports: [{ port: 1, name: 'p' }] }));
    const live = update(apply(one, 'two', config({ name: 'x' })), 'three', { ...one.spec, replicas: 2 });
    const body = config({ name: 'y', replicas: 4, ports: [{ port: 1, name: 'q' }] });
    const { code, message, details } = refusal(() => apply(live, 'four', body));
    expect(code).toBe(409);
    expect(message).toBe(
      [
        'Apply failed with 4 conflicts: conflicts with "one":',
        '- .spec.name',
        '- .spec.ports[port=1,protocol="TCP"].name',
        'conflicts with "three" using example.com/v1:',
        '- .spec.replicas',
        'conflicts with "two":',
        '- .spec.name',
      ].join('\n'),
    );
    expect(details?.causes?.map(({ field, message: text }) => [text, field])).toEqual([
      ['conflict with "one"', '.spec.name'],
      ['conflict with "one"', '.spec.ports[port=1,protocol="TCP"].name'],
      ['conflict with "three" using example.com/v1', '.spec.replicas'],
      ['conflict with "two"', '.spec.name'],
    ]);
    expect(ownersOf(apply(live, 'four', body, { force: true }))).toEqual({
      four: [
        '.spec.name',
        '.spec.replicas',
        '.spec.ports[port=1,protocol="TCP"]',
        '.spec.ports[port=1,protocol="TCP"].name',
        '.spec.ports[port=1,protocol="TCP"].port',
      ],
      one: ['.spec.ports[port=1,protocol="TCP"]', '.spec.ports[port=1,protocol="TCP"].port'],
    });
  });

  it('has the time of the last change', () => {
    const first = apply(undefined, 'one', config({ name: 'x' }), { now: '2026-01-01T00:00:00Z' });
    const again = apply(first, 'one', config({ name: 'x' }), { now: '2026-01-01T00:00:01Z' });
    expect(again.metadata.managedFields).toEqual(first.metadata.managedFields);
    const changed = apply(first, 'one', config({ name: 'y' }), { now: '2026-01-01T00:00:02Z' });
    expect(changed.metadata.managedFields?.[0]?.time).toBe('2026-01-01T00:00:02Z');
  });

  it.each<[string, Spec, string]>([
    ['an unknown field', { more: 1 }, '.spec.more: field not declared in schema'],
    ['a text for a number', { replicas: 'x' }, '.spec.replicas: expected numeric (int or float), got string'],
    ['a list for a map', { labels: ['a'] }, '.spec.labels: expected map, got &{[a]}'],
    [
      'an item twice',
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    ['a value twice', { tags: ['a', 'a'] }, '.spec.tags: duplicate entries for key [="a"]'],
  ])('refuses %s', (_what, spec, message) => {
    expect(refusal(() => apply(undefined, 'm', config(spec)))).toMatchObject({
      code: 500,
      message: `failed to create typed patch object (/a; example.com/v1, Kind=Thing): ${message}`,
    });
  });

  it('by kubectl takes over what its client-side apply has written, and keeps the annotation', () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration';
    const before = config({ name: 'x', replicas: 1 });
    const live: KubeObject = { ...config({}), metadata: { name: 'a' } };
    const written = update(
      { ...live, metadata: { ...live.metadata, managedFields: seed } },
      'kubectl-client-side-apply',
      {
        name: 'x',
        replicas: 1,
      },
    );
    const annotated = {
      ...written,
      metadata: { ...written.metadata, annotations: { [name]: JSON.stringify(before) } },
    };
    expect(refusal(() => apply(annotated, 'other', config({ name: 'y' }))).code).toBe(409);
    const next = apply(annotated, 'kubectl', config({ name: 'y', replicas: 1 }));
    expect(next.spec).toEqual({ name: 'y', replicas: 1 });
    expect(JSON.parse(next.metadata.annotations?.[name] ?? '')).toMatchObject({ spec: { name: 'y', replicas: 1 } });
  });
});

/** An object with a manager: updates of one without any have none. */
const seed: readonly ObjectOf<'ManagedFieldsEntry'>[] = [
  {
    manager: 'seed',
    operation: 'Update',
    apiVersion: version.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:seed': {} },
  },
];

describe('applies and updates in turns', () => {
  const managers = ['one', 'two', 'three'];

  it.each(Array.from({ length: 40 }, (_, index) => index + 1))('keep what must hold: %i', (start) => {
    const random = randomFrom(start);
    let live: (KubeObject & { spec?: Spec }) | undefined;
    for (let step = 0; step < 25; step++) {
      const manager = managers[random(3)] as string;
      const spec = specFrom(random);
      if (live !== undefined && random(4) === 0) {
        live = update(live, manager, spec);
        continue;
      }
      const next = apply(live, manager, config(spec), { force: true });
      const again = apply(next, manager, config(spec));
      // An apply twice is a no-op.
      expect(equal(again, next)).toBe(true);
      requireOwned(next, spec);
      live = next;
    }
  });

  /** The object has what the manager applied, and every owned path is in the object. */
  function requireOwned(object: KubeObject & { spec?: Spec }, spec: Spec): void {
    expect(equal(apply(object, 'reader', config(spec)).spec, object.spec)).toBe(true);
    const all = doAll(managersOf(object.metadata.managedFields ?? []));
    for (const { manager: name, operation, set } of all?.values() ?? []) {
      expect(isEmpty(set)).toBe(false);
      if (operation !== 'Apply') continue;
      for (const path of pathsOf(set))
        expect([name, pathText(path), isIn(object, path)]).toEqual([name, pathText(path), true]);
    }
  }
});

function isIn(value: unknown, [step = '', ...rest]: readonly string[]): boolean {
  if (step === '') return value !== undefined;
  const kind = step.slice(0, 2);
  const name = step.slice(2);
  if (kind === 'f:') return isIn((value as Spec | undefined)?.[name], rest);
  const items = (value ?? []) as readonly unknown[];
  if (kind === 'v:') return items.includes(JSON.parse(name));
  const keys = JSON.parse(name) as Spec;
  const found = items.find((item) =>
    equal({ protocol: 'TCP', ...(item as Spec), name: undefined }, { ...keys, name: undefined }),
  );
  return isIn(found, rest);
}

function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

function specFrom(random: (below: number) => number): Spec {
  // Lists and maps that are empty are absent for a decoder, so that no one can own these.
  const pick = (...values: string[]) => values.filter((_, at) => at === 0 || random(2) === 0);
  const maybe = (name: string, make: () => unknown) => (random(2) === 0 ? { [name]: make() } : {});
  return {
    ...maybe('name', () => `n${random(2)}`),
    ...maybe('replicas', () => random(3)),
    ...maybe('labels', () => Object.fromEntries(pick('a', 'b', 'c').map((name) => [name, `${random(2)}`]))),
    ...maybe('selector', () => ({ a: `${random(2)}` })),
    ...maybe('tags', () => pick('a', 'b', 'c', 'd')),
    ...maybe('args', () => pick('a', 'b')),
    ...maybe('ports', () =>
      pick('1', '2', '3').map((port) => ({ port: Number(port), ...maybe('name', () => `p${random(2)}`) })),
    ),
    ...maybe('nested', () => ({ x: 'x', ...maybe('y', () => `${random(2)}`) })),
  };
}
