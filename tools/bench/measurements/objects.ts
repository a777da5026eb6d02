// Server CPU of one request about one object: create, get, merge patch.
import { protobuf } from '../format.js';
import { objects } from '../load.js';
import type { Measurement } from './measurement.js';

export const create: Measurement = {
  name: 'create',
  unit: 'µs',
  goal: 350,
  run: (load) => load.measure(objects, (index) => load.create(index)),
};

export const get: Measurement = {
  name: 'get',
  unit: 'µs',
  goal: 150,
  run: (load) => load.measure(objects, (index) => load.get(index)),
};

export const getProtobuf: Measurement = {
  name: 'get, protobuf',
  unit: 'µs',
  goal: 150,
  async run(load) {
    // JSON was encoded with the answers of the creates, this with the first answer.
    await load.repeat(objects, (index) => load.get(index, protobuf));
    return load.measure(objects, (index) => load.get(index, protobuf));
  },
};

export const mergePatch: Measurement = {
  name: 'merge patch',
  unit: 'µs',
  goal: 400,
  run: (load) => load.measure(objects, (index) => load.patch(index)),
};
