// Server CPU of one request about one object: create, get, merge patch.
import { protobuf } from '../format.js';
import { type Load, objects } from '../load.js';
import type { Measurement } from './measurement.js';

/** What a server costs that has done nothing yet. */
export const firstCreate: Measurement = {
  name: 'create, the first in a server',
  unit: 'µs',
  run: createAll,
};

export const create: Measurement = {
  name: 'create',
  unit: 'µs',
  goal: 350,
  run: createAll,
};

export const get: Measurement = {
  name: 'get',
  unit: 'µs',
  goal: 150,
  run: (load) => load.measure(2 * objects, (index) => load.get(index)),
};

export const getProtobuf: Measurement = {
  name: 'get, protobuf',
  unit: 'µs',
  goal: 150,
  async run(load) {
    // JSON was encoded with the answers of the creates, this with the first answer.
    await load.repeat(objects, (index) => load.get(index, protobuf));
    return load.measure(2 * objects, (index) => load.get(index, protobuf));
  },
};

export const mergePatch: Measurement = {
  name: 'merge patch',
  unit: 'µs',
  goal: 400,
  run: (load) => load.measure(objects, (index) => load.patch(index)),
};

function createAll(load: Load): Promise<number> {
  return load.measure(objects, (index) => load.create(index));
}
