import { describe, expect, it } from 'vitest';
import { type Counts, limitsOf, scaled } from './rollout.js';

const set = (wanted: number, available = wanted, present = wanted): Counts => ({
  wanted,
  present,
  ready: available,
  available,
});
/** A ReplicaSet of a Deployment that had `desired` replicas, and at most three more. */
const of = (desired: number, counts: Counts): Counts => ({ ...counts, desired, most: desired + 3 });
const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});

const strategy = rolling(3, 2);

describe('the limits of a rollout', () => {
  it.each([
    ['25%', '25%', 10, { surge: 3, unavailable: 2 }],
    ['25%', '25%', 1, { surge: 1, unavailable: 0 }],
    [0, '10%', 5, { surge: 0, unavailable: 1 }],
    [2, 9, 3, { surge: 2, unavailable: 3 }],
    ['100%', 0, 4, { surge: 4, unavailable: 0 }],
  ])('%s more and %s less of %i', (maxSurge, maxUnavailable, replicas, limits) => {
    expect(limitsOf({ replicas, strategy: rolling(maxSurge, maxUnavailable) })).toEqual(limits);
  });
});

describe('a step of a rollout', () => {
  it.each<[string, Parameters<typeof scaled>, readonly number[]]>([
    ['the first', [{ replicas: 3 }, set(0), []], [3]],
    ['one pod more, then', [{ replicas: 3, strategy: rolling(1, 0) }, set(0), [set(3)]], [1, 3]],
    [
      'no old pod goes before a new one is available',
      [{ replicas: 3, strategy: rolling(1, 0) }, set(1, 0), [set(3)]],
      [1, 3],
    ],
    ['one old pod goes', [{ replicas: 3, strategy: rolling(1, 0) }, set(1), [set(3)]], [1, 2]],
    ['broken old pods go first', [{ replicas: 3, strategy: rolling(0, 1) }, set(0), [set(1, 1), set(2, 0)]], [0, 1, 1]],
    ['the last', [{ replicas: 3, strategy: rolling(1, 0) }, set(3), [set(1)]], [3, 0]],
    ['fewer replicas', [{ replicas: 1 }, set(3), []], [1]],
    ['Recreate stops the old ones', [{ replicas: 2, strategy: { type: 'Recreate' } }, set(0), [set(2)]], [0, 0]],
    ['Recreate waits for them', [{ replicas: 2, strategy: { type: 'Recreate' } }, set(0), [set(0, 0, 1)]], [0, 0]],
    ['Recreate starts the new ones', [{ replicas: 2, strategy: { type: 'Recreate' } }, set(0), [set(0)]], [2, 0]],
    ['paused, scaled up', [{ replicas: 5, paused: true }, set(0), [set(0), set(2)]], [0, 0, 5]],
    ['paused, the current one scaled down', [{ replicas: 1, paused: true }, set(2), [set(0)]], [1, 0]],
    ['paused, without pods', [{ replicas: 2, paused: true }, set(0), [set(0)]], [2, 0]],
    ['paused, at its size', [{ replicas: 10, paused: true, strategy }, of(10, set(5, 0)), [of(10, set(8))]], [5, 8]],
    ['scaled up in a rollout', [{ replicas: 30, strategy }, of(10, set(5, 0)), [of(10, set(8))]], [13, 20]],
    ['scaled down in a rollout', [{ replicas: 5, strategy }, of(10, set(5, 0)), [of(10, set(8))]], [3, 5]],
    ['scaled to nothing in a rollout', [{ replicas: 0, strategy }, of(10, set(5, 0)), [of(10, set(8))]], [0, 0]],
    [
      'scaled by one in a rollout: the largest one',
      [{ replicas: 11, strategy }, of(10, set(5, 0)), [of(10, set(3)), of(10, set(5))]],
      [6, 3, 5],
    ],
    ['scaled up without saying for what it was', [{ replicas: 20, strategy }, set(5, 0), [of(10, set(8))]], [9, 14]],
    ['scaled, with one that has pods', [{ replicas: 7, strategy }, of(3, set(3)), [of(3, set(0))]], [7, 0]],
    ['scaled, Recreate', [{ replicas: 7, strategy: { type: 'Recreate' } }, of(3, set(3)), [of(3, set(1))]], [3, 1]],
  ])('%s', (_, args, expected) => {
    expect(scaled(...args)).toEqual(expected);
  });

  it.each([
    ['25%', '25%'],
    [1, 0],
    [0, 1],
    ['100%', '100%'],
  ])('with %s more and %s less, a rollout ends and keeps its limits', (maxSurge, maxUnavailable) => {
    for (const replicas of [1, 2, 3, 7, 10]) {
      const spec = { replicas, strategy: rolling(maxSurge, maxUnavailable) };
      const { surge, unavailable } = limitsOf(spec);
      let [current, old] = [set(0), set(replicas)];
      for (let steps = 0; current.wanted < replicas || old.wanted > 0; steps++) {
        expect(steps).toBeLessThan(4 * replicas + 4);
        const [next = 0, less = 0] = scaled(spec, current, [old]);
        expect(next + less).toBeLessThanOrEqual(replicas + surge);
        const available = Math.min(current.available, next) + Math.min(old.available, less);
        expect(available).toBeGreaterThanOrEqual(replicas - unavailable);
        [current, old] = [set(next), set(less)];
      }
    }
  });
});
