// Server CPU of a delivered event: writes with 100 watchers, less the same writes without watchers.
import type { IncomingMessage } from 'node:http';
import { cpuMicroseconds } from '../cost.js';
import { type Format, json, protobuf } from '../format.js';
import type { Load } from '../load.js';
import { openWatch } from '../openWatch.js';
import type { Measurement } from './measurement.js';

const watchers = 100;
const writes = 500;
const patienceMilliseconds = 120_000;

export const watchEvent: Measurement = {
  name: `watch event, ${watchers} watchers`,
  unit: 'µs',
  goal: 5,
  run: (load) => microseconds(load, json),
};

export const watchEventProtobuf: Measurement = {
  name: `watch event, ${watchers} watchers, protobuf`,
  unit: 'µs',
  goal: 5,
  run: (load) => microseconds(load, protobuf),
};

async function microseconds(load: Load, format: Format): Promise<number> {
  const unseen = await load.measure(writes, (index) => load.patch(index));
  const revision = await newestRevision(load);
  const opened = await Promise.all(Array.from({ length: watchers }, () => open(load, revision, format)));
  try {
    const before = cpuMicroseconds(load.subject.pids);
    const delivered = Promise.all(opened.map((watch) => events(watch, writes, format)));
    await Promise.all([load.repeat(writes, (index) => load.patch(index)), delivered]);
    const seen = cpuMicroseconds(load.subject.pids) - before;
    return (seen - unseen * writes) / (writes * watchers);
  } finally {
    for (const watch of opened) watch.destroy();
  }
}

async function newestRevision(load: Load): Promise<string> {
  const { metadata } = await load.read(`${load.collection}?limit=1`);
  return metadata.resourceVersion;
}

/** Opens a watch from a revision on. */
function open({ subject, collection, signal }: Load, revision: string, format: Format): Promise<IncomingMessage> {
  const path = `${collection}?watch=true&timeoutSeconds=600&resourceVersion=${revision}`;
  return openWatch(subject, path, { mediaType: format.mediaType, signal });
}

/** Reads a watch until it has brought so many events. */
async function events(watch: IncomingMessage, count: number, format: Format): Promise<void> {
  const late = setTimeout(
    () => watch.destroy(new Error('the events of a watch did not come in time')),
    patienceMilliseconds,
  );
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
