// All measurements, in the order in which they build on each other.
import { listAll, listTenth } from './lists.js';
import type { Measurement } from './measurement.js';
import { memory } from './memory.js';
import { create, firstCreate, get, mergePatch } from './objects.js';
import { watchEvent } from './watch.js';

export type { Measurement } from './measurement.js';

export const measurements: readonly Measurement[] = [
  firstCreate,
  create,
  get,
  mergePatch,
  listAll,
  listTenth,
  watchEvent,
  memory,
];
