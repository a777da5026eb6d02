// Compares bytes as bytes: Vitest compares the elements of buffers one by one, which takes seconds for a few megabytes.
import { expect } from 'vitest';

const same = (one: unknown, other: unknown): true | undefined =>
  Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other) ? true : undefined;

// A setup file runs again for each test file, and the testers of all stay.
const added = Symbol.for('kube-api-conformance: testers of bytes');
if (Reflect.get(globalThis, added) === undefined) expect.addEqualityTesters([same]);
Reflect.set(globalThis, added, true);
