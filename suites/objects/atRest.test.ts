// Reads that are compared return one state of the object, or fail with the reason.
import { expect, it } from 'vitest';
import { Prerequisite } from '../client/expect.js';
import type { Reply } from '../client/reply.js';
import { readAtRest } from './atRest.js';

/** Returns a function that reads two forms of an object; each read takes the next of these versions. */
function reader(form: (version: string) => object, ...versions: readonly string[]) {
  let reads = 0;
  const reply = (): Reply => {
    const version = versions[Math.min(reads, versions.length - 1)] ?? '';
    reads += 1;
    return { request: 'GET /a', tryValue: () => form(version) } as unknown as Reply;
  };
  return { read: async () => ({ json: reply(), other: reply() }), count: () => reads };
}

const object = (resourceVersion: string) => ({ metadata: { resourceVersion } });
const list = (resourceVersion: string) => ({ metadata: { resourceVersion }, items: [object('1')] });

it.each<[what: string, form: typeof object, versions: string[], reads: number]>([
  ['an object that rests', object, ['1'], 2],
  ['an object that was written once', object, ['1', '2', '2'], 4],
  ['a list whose items rest', list, ['1', '2', '3'], 2],
  ['a form that tells another version each time', object, ['1', '2', '1', '2', '1', '2', '1', '2', '1', '2'], 10],
])('%s is read', async (_, form, versions, reads) => {
  const { read, count } = reader(form, ...versions);
  await readAtRest(read);
  expect(count()).toBe(reads);
});

it('an object that is written all the time is not checked', async () => {
  const { read } = reader(object, ...Array.from({ length: 20 }, (_, index) => String(index)));
  await expect(readAtRest(read)).rejects.toThrow(Prerequisite);
});
