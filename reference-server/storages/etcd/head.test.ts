// Tests what requests wait for: a read that they share, or a write that is sent after they began to wait.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Head } from './head.js';

/** A head whose reads are ended by the test. */
function headWithReads() {
  const ends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const head = new Head(() => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })));
  const log: string[] = [];
  const ask = (name: string): void => {
    head.sync().then(
      () => log.push(name),
      (error: Error) => log.push(`${name}: ${error.message}`),
    );
  };
  return { head, ends, log, ask };
}

test('the requests of one turn share a read, and those that come during it share the next one', async () => {
  const { ends, log, ask } = headWithReads();
  ask('a');
  ask('b');
  await turn();
  ask('c');
  ask('d');
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await turn();
  expect(log).toEqual(['a', 'b']);
  await turn();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await turn();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
});

test('a write settles the requests that waited when it was sent, and no later ones', async () => {
  const { head, ends, log, ask } = headWithReads();
  ask('a');
  await turn();
  ask('b');
  const write = head.settledByWrite();
  ask('c');
  write.done();
  await turn();
  expect(log).toEqual(['b']);
  ends[0]?.resolve();
  await turn();
  await turn();
  expect([log, ends.length]).toEqual([['b', 'a'], 2]);
  ends[1]?.resolve();
  await turn();
  expect(log).toEqual(['b', 'a', 'c']);
});

test('the requests of a write that failed wait for a read', async () => {
  const { head, ends, log, ask } = headWithReads();
  ask('a');
  const write = head.settledByWrite();
  await turn();
  expect(ends).toEqual([]);
  write.failed();
  write.failed();
  await turn();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await turn();
  await turn();
  expect([log, ends.length]).toEqual([['a'], 1]);
});

test('a read that fails fails its requests, and the next one is tried again', async () => {
  const { ends, log, ask } = headWithReads();
  ask('a');
  await turn();
  ends[0]?.reject(new Error('away'));
  await turn();
  ask('b');
  await turn();
  ends[1]?.resolve();
  await turn();
  expect(log).toEqual(['a: away', 'b']);
});
