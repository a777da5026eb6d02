import { describe, expect, it } from 'vitest';
import { VerdictCache } from './verdictCache.js';

const user = (name: string) => ({ name, groups: [] });

/** Returns a cache with a controlled clock and judge. */
function setUp(ttl: number, size?: number) {
  const asked: string[] = [];
  const state = { time: 0, broken: false };
  const cache = new VerdictCache(
    async (token) => {
      asked.push(token);
      if (state.broken) throw new Error('down');
      return token.startsWith('bad') ? undefined : user(token);
    },
    ttl,
    size,
    () => state.time,
  );
  return { asked, state, verdict: (token: string) => cache.verdict(token) };
}

describe('a verdict', () => {
  it('is cached until it expires, good or bad', async () => {
    const { asked, state, verdict } = setUp(100);
    for (const time of [0, 99]) {
      state.time = time;
      expect(await verdict('jane')).toEqual(user('jane'));
      expect(await verdict('bad')).toBeUndefined();
    }
    expect(asked).toEqual(['jane', 'bad']);
    state.time = 100;
    await verdict('jane');
    await verdict('bad');
    expect(asked).toEqual(['jane', 'bad', 'jane', 'bad']);
  });

  it('is requested once for concurrent requests', async () => {
    const { asked, verdict } = setUp(0);
    const verdicts = await Promise.all([verdict('jane'), verdict('jane'), verdict('joe')]);
    expect(verdicts).toEqual([user('jane'), user('jane'), user('joe')]);
    expect(asked).toEqual(['jane', 'joe']);
    await verdict('jane');
    expect(asked).toHaveLength(3);
  });

  it('is not cached after an error', async () => {
    const { asked, state, verdict } = setUp(100);
    state.broken = true;
    await expect(verdict('jane')).rejects.toThrow('down');
    state.broken = false;
    expect(await verdict('jane')).toEqual(user('jane'));
    expect(asked).toHaveLength(2);
  });

  it('of the oldest token is evicted first', async () => {
    const { asked, verdict } = setUp(100, 2);
    for (const token of ['one', 'two', 'three', 'three', 'two', 'one']) await verdict(token);
    expect(asked).toEqual(['one', 'two', 'three', 'one']);
  });
});
