// Server CPU of a list: of all objects, and of the tenth that a label selector matches. Each is preceded by a write,
// whose cost is part of the figure, so that no server can answer from the list before.
import { type Format, json, protobuf } from '../format.js';
import { type Load, objects, selector } from '../load.js';
import type { Measurement } from './measurement.js';

const lists = 96;

async function milliseconds(load: Load, query: string, count: number, format: Format = json): Promise<number> {
  const microseconds = await load.measure(lists, async (index) => {
    await load.patch(index * 7);
    await load.list(query, count, format);
  });
  return microseconds / 1000;
}

export const listAll: Measurement = {
  name: 'list of all, after a write',
  unit: 'ms',
  goal: 8,
  run: (load) => milliseconds(load, '', objects),
};

export const listAllProtobuf: Measurement = {
  name: 'list of all, after a write, protobuf',
  unit: 'ms',
  goal: 8,
  run: (load) => milliseconds(load, '', objects, protobuf),
};

export const listTenth: Measurement = {
  name: 'list by a label of a tenth, after a write',
  unit: 'ms',
  goal: 5,
  run: (load) => milliseconds(load, `?labelSelector=${encodeURIComponent(selector)}`, objects / 10),
};
