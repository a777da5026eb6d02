// All measurements, in the order in which they build on each other.
import { listAll, listAllProtobuf, listTenth } from './lists.js';
import type { Measurement } from './measurement.js';
import { memory } from './memory.js';
import { create, get, getProtobuf, mergePatch } from './objects.js';
import { watchEvent, watchEventProtobuf } from './watch.js';

export type { Measurement } from './measurement.js';

export const measurements: readonly Measurement[] = [
  create,
  get,
  getProtobuf,
  mergePatch,
  listAll,
  listAllProtobuf,
  listTenth,
  watchEvent,
  watchEventProtobuf,
  memory,
];
