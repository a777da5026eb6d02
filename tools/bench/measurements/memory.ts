// Resident memory after the whole load, with the objects still there.
import { residentBytes } from '../cost.js';
import type { Measurement } from './measurement.js';

export const memory: Measurement = {
  name: 'resident memory after the load',
  unit: 'MB',
  goal: 160,
  run: async (load) => residentBytes(load.subject.pids) / 1e6,
};
