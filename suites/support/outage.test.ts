// What workers tell each other of a target that is gone, as processes that share a folder.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Outages } from './outage.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['several workers', true],
  ['one worker', false],
])('an outage has one beginning, its requests and one end, for %s', (_, isShared) => {
  const one = new Outages(isShared ? join(folder, 'stop.json') : undefined);
  const other = isShared ? new Outages(join(folder, 'stop.json')) : one;
  expect(one.count).toBe(0);
  expect([one.begin().isFirst, other.begin().isFirst]).toEqual([true, false]);
  one.suspect('PUT /a: other side closed');
  other.suspect('GET /b: other side closed');
  expect(other.ended()).toEqual([]);
  one.over();
  if (isShared) other.over();
  expect(other.ended()).toEqual([
    { milliseconds: expect.any(Number), requests: ['PUT /a: other side closed', 'GET /b: other side closed'] },
  ]);
  expect(other.begin().isFirst).toBe(true);
  expect([one.count, one.suspects(1).length, one.suspects(2).length]).toEqual([2, 2, 0]);
});

it('counts no silence: only what breaks connections is told', () => {
  const outages = new Outages(join(folder, 'stop.json'));
  outages.begin();
  outages.over();
  expect(outages.ended()).toEqual([]);
  outages.begin();
  outages.broke();
  outages.over();
  expect(outages.ended()).toEqual([{ milliseconds: expect.any(Number), requests: [] }]);
});

it('lets one worker alone once the others are done, and has them wait', { timeout: 600_000 }, async () => {
  const path = join(folder, 'stop.json');
  const busy = `${path}.busy.${process.ppid}`;
  const order: string[] = [];
  const outages = new Outages(path);
  await outages.enter();
  // another worker is in the middle of a case
  writeFileSync(busy, '');
  const alone = outages.alone(async () => {
    order.push('alone');
    entering = new Outages(path).enter().then(() => order.push('entered'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    order.push('done');
  });
  let entering: Promise<unknown> | undefined;
  await new Promise((resolve) => setTimeout(resolve, 300));
  order.push('other ends');
  rmSync(busy);
  await alone;
  await entering;
  expect(order).toEqual(['other ends', 'alone', 'done', 'entered']);
});

it('waits for no worker that is no more', { timeout: 600_000 }, async () => {
  const path = join(folder, 'stop.json');
  writeFileSync(`${path}.busy.4194999`, '');
  writeFileSync(`${path}.turn`, '4194999');
  expect(await new Outages(path).alone(() => Promise.resolve('alone'))).toBe('alone');
});
