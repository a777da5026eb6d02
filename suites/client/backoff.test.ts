// The pace of requests to a busy target: how long they wait, how many are sent at once, and when they are given up.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Busy, Pace } from './backoff.js';
import { Reply } from './reply.js';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-06-01T00:00:00Z') }));
afterEach(() => void vi.useRealTimers());

const reply = (status: number, after?: string, body = '{}'): Reply =>
  new Reply(
    'GET /x',
    status,
    { 'content-type': 'application/json', ...(after !== undefined && { 'retry-after': after }) },
    Buffer.from(body),
  );
const ok = reply(200);
const now = (): number => Date.now();

describe('a response', () => {
  const refusedEviction = '{"kind":"Status","details":{"causes":[{"reason":"DisruptionBudget"}]}}';
  it.each([
    ['says seconds', reply(429, '2'), 2_000],
    ['is unavailable for seconds', reply(503, '2'), 2_000],
    ['says a longer time than anybody waits', reply(429, '3600'), 30_000],
    ['says a date', reply(429, 'Mon, 01 Jun 2026 00:00:03 GMT'), 3_000],
    ['says a date that is over', reply(429, 'Thu, 01 Jan 2026 00:00:00 GMT'), 100],
    ['says zero', reply(429, '0'), 100],
    ['says more seconds than a number holds exactly', reply(429, '9'.repeat(400)), 30_000],
    ['says a date in thousands of years', reply(429, 'Fri, 31 Dec 9999 23:59:59 GMT'), 30_000],
    ['says less than zero', reply(429, '-5'), 100],
    ['says nothing', reply(429, ''), 500],
    ['says what is neither', reply(429, 'soon'), 500],
    ['does not say when', reply(429), 500],
    ['is unavailable and does not say when', reply(503), undefined],
    ['is an error', reply(500, '1'), undefined],
    ['refuses an eviction', reply(429, '1', refusedEviction), undefined],
    ['closes an idle connection', reply(408), 0],
  ] as const)('that %s leads to the wait', (_, answered, pause) => {
    expect(new Pace().pause(answered, 1, now())).toBe(pause);
  });
});

it('a 429 that does not say when counts after the fifth try', () => {
  const pauses = [1, 2, 3, 4, 5].map((attempt) => new Pace().pause(reply(429), attempt, now()));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, undefined]);
});

it('sums waits, of which those at the same time count once', () => {
  const told: string[] = [];
  const pace = new Pace((line) => told.push(line));
  expect(pace.waits).toBeUndefined();
  for (let count = 0; count < 3; count += 1) pace.pause(reply(429, '2'), 1, now());
  vi.advanceTimersByTime(5_000);
  pace.pause(reply(429, '1'), 2, now() - 5_000);
  expect(pace.waits).toEqual({ type: 'waits', times: 4, milliseconds: 3_000, atOnce: 1 });
  expect(told).toEqual([expect.stringMatching(/^the target asks to wait \(429, Retry-After\)/)]);
});

describe('the requests at once', () => {
  /** Starts exchanges that end when the test says so. Returns those under way. */
  function begun(pace: Pace, count: number): (() => void)[] {
    const ends: (() => void)[] = [];
    for (let at = 0; at < count; at += 1) void pace.inTurn(() => new Promise<void>((end) => ends.push(end)));
    return ends;
  }
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  it('are halved by a response, once for all that were sent before, and grow again one by one', async () => {
    const pace = new Pace();
    const ends = begun(pace, 8);
    await settle();
    expect(ends).toHaveLength(8);
    const sent = now();
    vi.advanceTimersByTime(10);
    for (let count = 0; count < 4; count += 1) pace.pause(reply(429, '1'), 1, sent);
    expect(pace.waits?.atOnce).toBe(4);
    const more = begun(pace, 8);
    await settle();
    expect(more).toHaveLength(0);
    for (const end of ends) end();
    await settle();
    expect(more).toHaveLength(4);
    for (let count = 0; count < 5; count += 1) pace.pause(ok, 1, now());
    await settle();
    expect(more).toHaveLength(5);
  });
});

describe('a target that asks to wait for ever', () => {
  const given = (pace: Pace, milliseconds: number): unknown => {
    const began = now();
    for (let attempt = 1; now() - began <= milliseconds; attempt += 1) {
      try {
        pace.pause(reply(429, '1'), attempt, began);
      } catch (error) {
        return error;
      }
      vi.advanceTimersByTime(1_000);
    }
    return undefined;
  };

  it('does not end the run by requests that it refuses at once', () => {
    const pace = new Pace();
    const began = now();
    vi.advanceTimersByTime(200_000);
    for (let count = 0; count < 8; count += 1)
      expect(() => pace.pause(reply(429, '1'), 9, began)).toThrow(/ to this request, at last GET \/x/);
  });

  it('gets minutes, and ends the run after three requests', () => {
    const pace = new Pace();
    expect(given(pace, 170_000)).toBeUndefined();
    pace.answered();
    const outcomes = [given(pace, 200_000), given(pace, 200_000), given(pace, 200_000)];
    expect(outcomes.map((error) => error instanceof Busy && error.endsRun)).toEqual([false, false, true]);
    expect(String(outcomes[2])).toMatch(
      /for 1\d\d s it answered 429 with Retry-After to every request, at last GET \/x/,
    );
  });

  it('and answers in between gets an hour in all', () => {
    const pace = new Pace();
    const began = now();
    let ended: unknown;
    while (ended === undefined) {
      try {
        vi.advanceTimersByTime(pace.pause(reply(429, '3600'), 1, now()) ?? 0);
        pace.answered();
      } catch (error) {
        ended = error;
      }
    }
    expect((ended as Busy).endsRun).toBe(true);
    expect(String(ended)).toContain(' to one request or another, at last GET /x: lower --workers');
    expect(Math.round((now() - began) / 60_000)).toBeOneOf([60, 61]);
  });

  it('and answers others gets less and less time', () => {
    const pace = new Pace();
    const times: number[] = [];
    for (let ends = false; !ends; pace.answered()) {
      const began = now();
      const error = given(pace, 200_000) as Busy;
      times.push(Math.round((now() - began) / 1_000));
      ends = error.endsRun;
    }
    expect([times[0], times[3], times.length]).toEqual([180, 22, 30]);
  });
});
