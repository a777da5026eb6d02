// Outages as the workers of a run share them: processes with a common folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

it('counts only broken connections, not timeouts', () => {
  const outages = new Outages(join(folder, 'stop.json'));
  outages.begin();
  outages.over();
  expect(outages.ended()).toEqual([]);
  outages.begin();
  outages.broke();
  outages.over();
  expect(outages.ended()).toEqual([{ milliseconds: expect.any(Number), requests: [] }]);
});

it('has the requests that ended shortly before another worker saw it, and no older ones', () => {
  vi.useFakeTimers();
  try {
    const [one, other] = [new Outages(join(folder, 'stop.json')), new Outages(join(folder, 'stop.json'))];
    one.suspectNext('GET /long-ago: other side closed');
    vi.advanceTimersByTime(60_000);
    one.suspectNext('PUT /a: other side closed');
    vi.advanceTimersByTime(2_000);
    other.begin();
    other.suspect('GET /b: other side closed');
    other.over();
    expect(other.suspects(1)).toEqual(['PUT /a: other side closed', 'GET /b: other side closed']);
    expect(other.suspects(2)).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
