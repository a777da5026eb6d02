// Freezes what the storage gives to readers: code that changes an object which it shares with all readers fails its test,
// and does not change an object without a write.
import { Entry } from '../../reference-server/storage/storage.js';

const { get } = Object.getOwnPropertyDescriptor(Entry.prototype, 'value') ?? {};
if (get === undefined) throw new Error('an Entry has no value to freeze');

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

Object.defineProperty(Entry.prototype, 'value', {
  configurable: true,
  get(this: Entry) {
    const value: unknown = get.call(this);
    freeze(value);
    return value;
  },
});
