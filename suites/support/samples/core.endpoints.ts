// Sample of an Endpoints object; the address is of a documentation range.
import type { Sample } from './sample.js';

export const sample: Sample = {
  fields: { subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] }] },
};
