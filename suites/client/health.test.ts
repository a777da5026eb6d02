// How long the client waits for a target, when the run gives a target up, and how long a busy target gets no requests.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Health } from './health.js';

const silentTimes = (health: Health, times: number, milliseconds = 100): void => {
  for (let count = 0; count < times; count += 1) {
    vi.advanceTimersByTime(milliseconds);
    health.timedOut('GET /', milliseconds);
  }
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the timeout with a target', () => {
  it('is the default for a target that responds, even slowly', () => {
    const health = new Health();
    for (let count = 0; count < 500; count += 1) health.responded(14_000);
    silentTimes(health, 2);
    expect(health.timeout(15_000)).toBe(15_000);
  });

  it('is a multiple of the response time for a target that repeatedly does not respond, at least a second', () => {
    const health = new Health();
    silentTimes(health, 3);
    expect(health.timeout(15_000)).toBe(1_000);
    health.responded(2_000);
    expect(health.timeout(15_000)).toBe(6_000);
    health.responded(12_000);
    expect(health.timeout(15_000)).toBe(15_000);
  });

  it('is a whole number whatever the slowest answer fades to, as timers want it', () => {
    const health = new Health();
    silentTimes(health, 3);
    health.responded(1_234);
    for (let count = 0; count < 300; count += 1) {
      health.responded(1);
      const timeout = health.timeout(15_000);
      expect(Number.isInteger(timeout)).toBe(true);
      expect(() => AbortSignal.timeout(timeout)).not.toThrow();
    }
  });

  it('is the default for requests that insist on it', async () => {
    const health = new Health();
    silentTimes(health, 3);
    expect(await health.withFullWaits(async () => health.timeout(15_000))).toBe(15_000);
    expect(health.timeout(15_000)).toBe(1_000);
  });

  it('is the reason to try a failed case again after a late response', () => {
    const health = new Health();
    health.responded(4_999);
    expect(health.losses.all).toBe(0);
    health.responded(5_000);
    expect(health.losses).toMatchObject({ all: 1, short: 0, cut: 0 });
  });

  it('names the requests that were in flight when the first connection ended, not those that met an old connection', () => {
    const health = new Health();
    health.disconnected('GET /before: other side closed', Date.now());
    const before = health.losses;
    const began = Date.now();
    vi.advanceTimersByTime(10);
    health.disconnected('PUT /a: other side closed', began);
    health.disconnected('a watch: other side closed');
    vi.advanceTimersByTime(1);
    health.disconnected('DELETE /a: other side closed', Date.now());
    health.disconnected('DELETE /a: connect ECONNREFUSED', Date.now());
    expect(health.cutSince(before)).toEqual(['PUT /a: other side closed', 'a watch: other side closed']);
    expect(health.losses).toMatchObject({ cut: 4, refused: 1, all: 5 });
  });

  it('is mentioned in a failure only if it was shortened', async () => {
    const health = new Health();
    silentTimes(health, 3);
    expect(health.losses).toMatchObject({ all: 3, short: 0 });
    silentTimes(health, 1);
    expect(health.losses).toMatchObject({ all: 4, short: 1 });
    await health.withFullWaits(async () => silentTimes(health, 1));
    expect(health.losses).toMatchObject({ all: 5, short: 1 });
  });

  it('is shorter than the default after ten minutes without a response, and ends after twenty', async () => {
    const health = new Health();
    silentTimes(health, 39, 15_000);
    expect(health.hasSpentWaits).toBe(false);
    silentTimes(health, 1, 15_000);
    expect(health.hasSpentWaits).toBe(true);
    expect(await health.withFullWaits(async () => health.timeout(15_000))).toBe(1_000);
    silentTimes(health, 39, 15_000);
    expect(health.stop).toBeUndefined();
    silentTimes(health, 1, 15_000);
    expect(health.stop).toEqual({ kind: 'gone', reason: expect.stringMatching(/no response 80 times, for 1200 s/) });
  });

  it('is spent once by concurrent requests', () => {
    const health = new Health();
    vi.advanceTimersByTime(15_000);
    for (let count = 0; count < 100; count += 1) health.timedOut('GET /', 15_000);
    expect(health.silence).toMatch(/100 times, for 15 s/);
  });
});

describe('a run', () => {
  it.each([
    [401, true, 45, 'refused'],
    [403, true, 45, 'refused'],
    [429, false, 45, 'busy'],
    [403, true, 44, undefined],
    [403, false, 50, undefined],
    [404, false, 50, undefined],
    [500, false, 50, undefined],
  ] as const)('with the status %i (denied: %s) in %i of 50 responses stops as %s', (status, isDenied, count, kind) => {
    const health = new Health();
    for (let at = 0; at < 100; at += 1) {
      const isOne = at % 50 < count;
      health.answered(isOne ? status : 200, isOne && isDenied);
    }
    expect(health.stop?.kind).toBe(kind);
  });

  it('stops the other clients of the target', () => {
    const shared = { lastKinds: [] };
    const [one, other] = [new Health(shared), new Health(shared)];
    one.end({ kind: 'gone', reason: 'silent' });
    expect(other.stop?.reason).toBe('silent');
  });

  it('keeps the first reason', () => {
    const health = new Health();
    health.end({ kind: 'gone', reason: 'first' });
    health.end({ kind: 'busy', reason: 'second' });
    expect(health.stop?.reason).toBe('first');
  });
});
