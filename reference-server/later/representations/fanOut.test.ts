// Counts how often an event is encoded for many watches of a large object: once for each representation and codec.
import { setMaxListeners } from 'node:events';
import { expect, test } from 'vitest';
import { json } from '../../codecs/json.js';
import { frameOf, type StreamCodec } from '../../edge/frames.js';
import { startDirect } from '../../testing/direct.js';
import type { WatchEvent, WatchStream } from '../../watch/sink.js';
import { tableOf } from './columns/column.js';
import type { Form } from './represent.js';
import { representWatch } from './watch.js';

const path = '/api/v1/namespaces/default/configmaps';
const second = new Date('2026-01-01T00:00:00Z');
const columns = tableOf([
  { name: 'Name', type: 'string', description: 'the name', cell: ({ metadata }) => metadata.name ?? '' },
]);
const table = (inclusion: 'Metadata' | 'Object'): Form => ({
  table: { apiVersion: 'meta.k8s.io/v1', columns, inclusion, now: () => second },
});
const forms: Readonly<Record<string, Form | undefined>> = {
  'whole objects': undefined,
  metadata: { partial: { apiVersion: 'meta.k8s.io/v1' } },
  tables: table('Metadata'),
  'tables with their objects': table('Object'),
};

/** The events of a test, after the first one of each watch. */
const events = 5;

test.each(Object.entries(forms))('%s', async (_, form) => {
  const server = await startDirect();
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const encodes: number[] = [];
  for (const watches of [5, 10, 20]) {
    let encoded = 0;
    let received = 0;
    const count =
      <Arguments extends unknown[], Result>(encode: (...given: Arguments) => Result) =>
      (...given: Arguments) => {
        encoded += 1;
        return encode.apply(json, given);
      };
    const codec = { ...json, encode: count(json.encode), encodeItem: count(json.encodeItem as never) } as StreamCodec;
    const write = (batch: readonly WatchEvent[]) => {
      for (const event of batch) received += frameOf(event, codec).length > 0 ? 1 : 0;
      return true;
    };
    const { metadata } = (await server.call('GET', path)).body;
    const ended = Array.from({ length: watches }, async () => {
      const url = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`;
      const answer = (await server.answer('GET', url, { signal: end.signal })) as { readonly watch: WatchStream };
      const watch = form === undefined ? answer.watch : representWatch(answer.watch, form);
      await watch({ write, drained: async () => {} });
    });
    for (let index = 0; index <= events; index += 1) {
      if (index === 1) encoded = 0;
      await server.create(path, { metadata: { name: `m-${watches}-${index}` }, data: { large: 'x'.repeat(100_000) } });
      await expect.poll(() => received).toBe(watches * (index + 1));
    }
    encodes.push(encoded);
    void ended;
  }
  end.abort();
  await server.stop();
  expect(encodes).toEqual([events, events, events]);
});
