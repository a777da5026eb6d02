// Turns of several workers, and of a worker that dies in its turn.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveTurns, Turns } from './turns.js';

let folder: string;
let socket: string;
let stopServing: () => void;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turns-'));
  socket = join(folder, 'turns');
  stopServing = await serveTurns(socket);
});
afterEach(() => {
  stopServing();
  rmSync(folder, { recursive: true });
});

/** The turns that have begun, in order. */
let begun: string[];
beforeEach(() => {
  begun = [];
});
const take = async (turns: Turns, name: string, mode: 'together' | 'alone', shared = 'target' as const) => {
  const turn = await turns.take(shared, mode);
  begun.push(name);
  return turn;
};

describe.each([
  ['in one worker', false],
  ['in several workers', true],
])('turns %s', (_, isShared) => {
  const workers = (count: number): Turns[] => {
    const one = new Turns();
    return Array.from({ length: count }, () => (isShared ? new Turns(socket) : one));
  };

  it('are together, or one is alone, in the order in which they were asked for', async () => {
    const [a, b, c] = workers(3) as [Turns, Turns, Turns];
    const first = await take(a, 'first', 'together');
    const second = await take(b, 'second', 'together');
    const alone = take(c, 'alone', 'alone');
    // the server has the request before it has the next one
    const other = await c.take('secondServer', 'alone');
    const later = take(a, 'later', 'together');
    other.end();
    await (await c.take('secondServer', 'alone')).end();
    expect(begun).toEqual(['first', 'second']);
    first.end();
    second.end();
    (await alone).end();
    (await later).end();
    expect(begun).toEqual(['first', 'second', 'alone', 'later']);
  });

  it('that both want to become alone do so one after the other', async () => {
    const [a, b] = workers(2) as [Turns, Turns];
    const both = [await take(a, 'a', 'together'), await take(b, 'b', 'together')];
    let underWay = 0;
    await Promise.all(
      both.map(async (turn) => {
        await turn.becomeAlone();
        underWay += 1;
        expect(underWay).toBe(1);
        await b.alone('secondServer', async () => undefined);
        underWay -= 1;
        turn.end();
      }),
    );
  });
});

it('a worker that keeps its turn gives it back to one that waits to be alone, after the last subject in it', async () => {
  const [a, b] = [new Turns(socket), new Turns(socket)];
  (await take(a, 'first', 'together')).end();
  // nobody is in the turn that is kept
  (await take(b, 'alone', 'alone')).end();
  const both = [await take(a, 'second', 'together'), await take(a, 'third', 'together')];
  const again = take(b, 'alone again', 'alone');
  both[0]?.end();
  await (await b.take('secondServer', 'alone')).end();
  expect(begun).toEqual(['first', 'alone', 'second', 'third']);
  both[1]?.end();
  const alone = await again;
  const later = take(a, 'later', 'together');
  await (await a.take('secondServer', 'alone')).end();
  expect(begun).toEqual(['first', 'alone', 'second', 'third', 'alone again']);
  alone.end();
  (await later).end();
});

it('a turn ends with its worker', async () => {
  const hold = `import('node:net').then(({ connect }) => {
    const held = connect(process.argv[1]);
    held.write('1 target alone\\n');
    held.once('data', () => console.log('begun'));
  })`;
  const worker: ChildProcess = spawn(process.execPath, ['-e', hold, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(worker.stdout as NodeJS.ReadableStream, 'data');
  const next = take(new Turns(socket), 'next', 'together');
  await (await new Turns(socket).take('secondServer', 'alone')).end();
  expect(begun).toEqual([]);
  worker.kill('SIGKILL');
  (await next).end();
});

it('a worker that is gone when its turn begins is no error', async () => {
  for (let gone = 0; gone < 20; gone++) {
    const worker = connect(socket);
    worker.write('1 target alone\n', () => worker.destroy());
    await once(worker, 'close');
  }
  (await new Turns(socket).take('target', 'alone')).end();
});

it('no turn is waited for when nobody grants any', async () => {
  const path = join(folder, 'gone');
  const closing = createServer((connection) => connection.destroy()).listen(path);
  await once(closing, 'listening');
  const turns = new Turns(path);
  for (const _ of ['while it waits', 'later']) await expect(turns.take('target', 'together')).rejects.toThrow();
  closing.close();
});
