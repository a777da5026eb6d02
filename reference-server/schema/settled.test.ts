// Values that were decoded already.
import { describe, expect, it } from 'vitest';
import { typeOf } from '../../matrix/api/modern/index.js';
import { doAll } from '../turns.js';
import { decodeValue } from './decode.js';
import { settle } from './settled.js';
import { unknownFields } from './unknownFields.js';

describe('a settled value', () => {
  const pod = typeOf('Pod');
  const spec = { containers: [{ name: 'c' }], extra: 1 };
  const decoded = (value: object) => doAll(decodeValue(pod, value)) as { readonly spec: unknown };

  it('is the decoded one, while it is of its type and nobody copies it', () => {
    expect(decoded({ metadata: {}, spec }).spec).not.toBe(spec);
    settle(pod, { spec });
    expect(decoded({ metadata: {}, spec }).spec).toBe(spec);
    expect(decoded({ metadata: {}, spec: { ...spec } }).spec).not.toHaveProperty('extra');
    expect(doAll(decodeValue(typeOf('ServiceSpec'), spec as object))).not.toBe(spec);
    expect(doAll(unknownFields(pod, { spec }))).toEqual([]);
    expect(doAll(unknownFields(pod, { spec: { ...spec } }))).toEqual(['spec.extra']);
  });

  it('leaves metadata and status as they are: those are written apart', () => {
    const [metadata, status] = [{ name: 'a' }, { phase: 'Pending' }];
    settle(pod, { metadata, status });
    const fresh = doAll(decodeValue(pod, { metadata, status })) as Readonly<Record<string, unknown>>;
    expect([fresh.metadata === metadata, fresh.status === status]).toEqual([false, false]);
  });
});
