import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteQueue } from './byteQueue.js';

it('holds what has come and was not dropped, and changes nothing that it has given', () => {
  const step = fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(50));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = new ByteQueue();
      const given: { readonly bytes: Buffer; readonly text: string }[] = [];
      let expected = Buffer.alloc(0);
      for (const [chunk, count] of steps) {
        queue.push(chunk);
        expected = Buffer.concat([expected, chunk]);
        given.push({ bytes: queue.bytes, text: expected.toString('hex') });
        queue.drop(count);
        expected = expected.subarray(count);
        expect([queue.length, queue.bytes.toString('hex')]).toEqual([expected.length, expected.toString('hex')]);
      }
      for (const { bytes, text } of given) expect(bytes.toString('hex')).toBe(text);
    }),
  );
});
