// Workers that take turns, and a worker that ended in the middle of its turn.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Turns } from './turns.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turns-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('lets one worker run alone after the others have finished their test', async () => {
  const path = join(folder, 'stop.json');
  const busy = `${path}.busy.${process.ppid}`;
  const order: string[] = [];
  const turns = new Turns(path);
  await turns.enter();
  // another worker is in the middle of a case
  writeFileSync(busy, '');
  const alone = turns.alone(async () => {
    order.push('alone');
    entering = new Turns(path).enter().then(() => order.push('entered'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push('done');
  });
  let entering: Promise<unknown> | undefined;
  await new Promise((resolve) => setTimeout(resolve, 300));
  order.push('backends');
  rmSync(busy);
  await alone;
  await entering;
  expect(order).toEqual(['backends', 'alone', 'done', 'entered']);
});

it('does not wait for a dead worker', async () => {
  const path = join(folder, 'stop.json');
  writeFileSync(`${path}.busy.4194999`, '');
  writeFileSync(`${path}.turn`, '4194999');
  const turns = new Turns(path);
  // the turn of the dead worker is taken from it
  await turns.enter();
  expect(await turns.alone(() => Promise.resolve('alone'))).toBe('alone');
});

it('waits for the other turns of its own worker', async () => {
  const turns = new Turns(join(folder, 'stop.json'));
  await turns.enter();
  await turns.enter();
  const order: string[] = [];
  const alone = turns.alone(() => Promise.resolve(order.push('alone')));
  const later = turns.enter().then(() => order.push('later'));
  await expect.poll(() => existsSync(join(folder, 'stop.json.turn'))).toBe(true);
  order.push('left');
  turns.leave();
  await Promise.all([alone, later]);
  expect(order[0]).toBe('left');
  expect(order.slice(1).sort()).toEqual(['alone', 'later']);
});

it('is not waited for between two turns when it has no work', async () => {
  const path = join(folder, 'stop.json');
  const turns = new Turns(path);
  await turns.enter();
  turns.leave();
  expect(existsSync(`${path}.busy.${process.pid}`)).toBe(true);
  turns.rest();
  expect(existsSync(`${path}.busy.${process.pid}`)).toBe(false);
});
