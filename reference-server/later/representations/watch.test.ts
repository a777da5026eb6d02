// Tests the events of watches in other representations.
import { expect, it } from 'vitest';
import { joined } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import { encodable, type ObjectBody } from '../../versions/views.js';
import type { WatchEvent, WatchSink } from '../../watch/sink.js';
import { defaultColumns } from './columns/column.js';
import { representWatch } from './watch.js';

const added: WatchEvent = {
  type: 'ADDED',
  object: encodable({ kind: 'LimitRange', apiVersion: 'v1', metadata: { name: 'a', resourceVersion: '7' }, spec: {} }),
};
const bookmark: WatchEvent = {
  type: 'BOOKMARK',
  object: encodable({
    kind: 'LimitRange',
    apiVersion: 'v1',
    metadata: { resourceVersion: '9', creationTimestamp: null },
  }),
};
const failed: WatchEvent = {
  type: 'ERROR',
  object: encodable({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 }),
};

class Sink implements WatchSink {
  readonly written: (readonly WatchEvent[])[] = [];

  write(events: readonly WatchEvent[]): boolean {
    this.written.push(events);
    return false;
  }

  async drained(): Promise<void> {}

  get objects(): unknown[] {
    return this.written
      .flat()
      .map(({ object }) => JSON.parse(Buffer.from(joined(object.encode(json, false))).toString()));
  }
}

const table = {
  apiVersion: 'meta.k8s.io/v1',
  columns: defaultColumns,
  inclusion: 'Metadata',
  now: () => new Date(),
} as const;

it('only the first event of a table defines the columns', async () => {
  const sink = new Sink();
  const batches = [[failed], [added, added], [bookmark]];
  let hasRoom = true;
  await representWatch(
    async ({ write }) => {
      for (const batch of batches) hasRoom = write(batch);
    },
    { table },
  )(sink);
  expect(hasRoom).toBe(false);
  expect(sink.written.flat().map(({ type }) => type)).toEqual(['ERROR', 'ADDED', 'ADDED', 'BOOKMARK']);
  const row = {
    cells: ['a', '0001-01-01T00:00:00Z'],
    object: {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a', resourceVersion: '7' },
    },
  };
  const head = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '7' } };
  expect(sink.objects).toEqual([
    (failed.object as ObjectBody).object,
    { ...head, columnDefinitions: defaultColumns.definitions, rows: [row] },
    { ...head, columnDefinitions: null, rows: [row] },
    expect.objectContaining({
      metadata: { resourceVersion: '9' },
      columnDefinitions: null,
      rows: [expect.objectContaining({ cells: ['', '0001-01-01T00:00:00Z'] })],
    }),
  ]);
});

it('each watch of tables has the columns', async () => {
  const watch = representWatch(async ({ write }) => void write([added]), { table });
  const [one, other] = [new Sink(), new Sink()];
  await Promise.all([watch(one), watch(other)]);
  expect(one.objects).toEqual(other.objects);
});

it('watches of metadata share their events', async () => {
  const events = [added, bookmark, failed];
  const [one, other, beta] = [new Sink(), new Sink(), new Sink()];
  const watch = async ({ write }: WatchSink) => void write(events);
  await representWatch(watch, { partial: { apiVersion: 'meta.k8s.io/v1' } })(one);
  await representWatch(watch, { partial: { apiVersion: 'meta.k8s.io/v1' } })(other);
  await representWatch(watch, { partial: { apiVersion: 'meta.k8s.io/v1beta1' } })(beta);
  expect(one.written[0]).toBe(other.written[0]);
  expect(one.objects).toEqual([
    { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a', resourceVersion: '7' } },
    {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9', creationTimestamp: null },
    },
    (failed.object as ObjectBody).object,
  ]);
  expect(beta.objects[0]).toMatchObject({ apiVersion: 'meta.k8s.io/v1beta1' });
});
