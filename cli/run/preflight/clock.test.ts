// Tests the clock skew of a server.
import { describe, expect, it } from 'vitest';
import { clockSkew } from './clock.js';

describe('the skew of a clock', () => {
  const now = Date.parse('2026-01-01T00:00:10Z');
  const date = (seconds: number): string => new Date(now + seconds * 1000).toUTCString();
  it.each([
    ['is none within a second', date(0), now, now + 900, 0],
    ['is none within the time of the answer', date(5), now, now + 8_000, 0],
    ['is told ahead', date(60), now, now, 60],
    ['is told behind', date(-60), now, now, -59],
    ['is not known without a date', undefined, now, now, 0],
  ] as const)('%s', (_, date, sent, received, skew) => {
    expect(clockSkew(date, sent, received)).toBe(skew);
  });
});
