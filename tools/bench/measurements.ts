// The measurements, in the order in which they build on each other.
import type { IncomingMessage } from 'node:http';
import { cpuMicroseconds, residentBytes } from './figures.js';
import { type Format, json, protobuf } from './format.js';
import { type Load, objects, selector } from './load.js';

/** One row of the table. */
export interface Measurement {
  readonly name: string;
  readonly unit: 'µs' | 'ms' | 'MB';
  /** The goal of the reference server, in the unit; absent if the figure is only for comparison. */
  readonly goal?: number;
  /** Measures a server that has the objects of the earlier measurements. Returns the figure in the unit. */
  run(load: Load): Promise<number>;
}

/** How many lists are measured. */
const lists = 96;
const watchers = 100;
/** How many writes the watchers see. */
const writes = 500;
/** Milliseconds for all events of a watch to arrive. */
const timeout = 120_000;

export const measurements: readonly Measurement[] = [
  {
    name: 'create',
    unit: 'µs',
    goal: 350,
    run: (load) => load.measure(objects, (index) => load.create(index)),
  },
  {
    name: 'get',
    unit: 'µs',
    goal: 150,
    run: (load) => load.measure(objects, (index) => load.get(index)),
  },
  {
    name: 'get, protobuf',
    unit: 'µs',
    goal: 150,
    async run(load) {
      // JSON was encoded with the responses to the creates; protobuf is encoded with the first response.
      await load.repeat(objects, (index) => load.get(index, protobuf));
      return load.measure(objects, (index) => load.get(index, protobuf));
    },
  },
  {
    name: 'merge patch',
    unit: 'µs',
    goal: 400,
    run: (load) => load.measure(objects, (index) => load.patch(index)),
  },
  {
    name: 'list of all, after a write',
    unit: 'ms',
    goal: 8,
    run: (load) => listMilliseconds(load, '', objects),
  },
  {
    name: 'list of all, after a write, protobuf',
    unit: 'ms',
    goal: 8,
    run: (load) => listMilliseconds(load, '', objects, protobuf),
  },
  {
    name: 'list by a label of a tenth, after a write',
    unit: 'ms',
    goal: 5,
    run: (load) => listMilliseconds(load, `?labelSelector=${encodeURIComponent(selector)}`, objects / 10),
  },
  {
    name: `watch event, ${watchers} watchers`,
    unit: 'µs',
    goal: 5,
    run: (load) => eventMicroseconds(load, json),
  },
  {
    name: `watch event, ${watchers} watchers, protobuf`,
    unit: 'µs',
    goal: 5,
    run: (load) => eventMicroseconds(load, protobuf),
  },
  {
    name: 'resident memory after the load',
    unit: 'MB',
    goal: 160,
    run: async (load) => residentBytes(load.subject.pids) / 1e6,
  },
];

/** Measures a list and the write before it: without the write, a server could send the previous list again. */
async function listMilliseconds(load: Load, query: string, count: number, format: Format = json): Promise<number> {
  const microseconds = await load.measure(lists, async (index) => {
    await load.patch(index * 7);
    await load.list(query, count, format);
  });
  return microseconds / 1000;
}

/** Measures the delivery of an event: writes with watchers, less the same writes without watchers. */
async function eventMicroseconds(load: Load, format: Format): Promise<number> {
  const { client, collection, subject } = load;
  const unseen = await load.measure(writes, (index) => load.patch(index));
  const { resourceVersion } = (await client.read('GET', `${collection}?limit=1`)).metadata;
  const path = `${collection}?watch=true&timeoutSeconds=600&resourceVersion=${resourceVersion}`;
  const opened = await Promise.all(Array.from({ length: watchers }, () => client.watch(path, format, load.signal)));
  try {
    const before = cpuMicroseconds(subject.pids);
    const delivered = Promise.all(opened.map((watch) => receive(watch, writes, format)));
    await Promise.all([load.repeat(writes, (index) => load.patch(index)), delivered]);
    const seen = cpuMicroseconds(subject.pids) - before;
    return (seen - unseen * writes) / (writes * watchers);
  } finally {
    for (const watch of opened) watch.destroy();
  }
}

/** Reads a watch until `count` events have arrived. */
async function receive(watch: IncomingMessage, count: number, format: Format): Promise<void> {
  const late = setTimeout(() => watch.destroy(new Error('the events of a watch did not arrive in time')), timeout);
  const ended = format.counter();
  let seen = 0;
  try {
    for await (const chunk of watch.iterator({ destroyOnReturn: false })) {
      seen += ended(chunk as Buffer);
      if (seen >= count) return;
    }
  } finally {
    clearTimeout(late);
  }
  throw new Error(`a watch ended after ${seen} of ${count} events`);
}
