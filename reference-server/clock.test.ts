import { expect, it } from 'vitest';
import { MovableClock } from './clock.js';

const hour = 3_600_000;

/** Fails unless the clock shows the time of the machine. */
function expectPresent(clock: MovableClock): void {
  const [before, shown, after] = [Date.now(), clock.now().getTime(), Date.now()];
  expect([shown - before, after - shown].every((millis) => millis > -1000)).toBe(true);
}

it('runs with the machine', () => {
  const clock = new MovableClock();
  expectPresent(clock);
});

it('calls timers in their order, each at its own time, when it is advanced', async () => {
  const clock = new MovableClock();
  const start = clock.now().getTime();
  const called: [name: string, after: number][] = [];
  const call = (name: string) => () => called.push([name, Math.round((clock.now().getTime() - start) / 1000)]);
  clock.after(2 * hour, call('second'));
  clock.after(hour, () => {
    call('first')();
    clock.after(hour / 2, call('begun by the first'));
  });
  clock.after(4 * hour, call('too late'));
  clock.after(hour, call('cancelled'))();
  await clock.advance(3 * hour);
  expect(called).toEqual([
    ['first', 3600],
    ['begun by the first', 5400],
    ['second', 7200],
  ]);
  expect(Math.round((clock.now().getTime() - start) / 1000)).toBe(3 * 3600);
});

it('waits for what a timer has started before it calls the next one', async () => {
  const said: string[] = [];
  const clock = new MovableClock(async () => {
    await new Promise(setImmediate);
    said.push('settled');
  });
  clock.after(1000, () => said.push('one'));
  clock.after(2000, () => said.push('two'));
  await clock.advance(5000);
  expect(said).toEqual(['settled', 'one', 'settled', 'two', 'settled', 'settled']);
});

it('ends, even if a timer sets the next one again and again', async () => {
  const clock = new MovableClock();
  let calls = 0;
  const again = (): void => {
    calls += 1;
    clock.after(1, again);
  };
  clock.after(1, again);
  const start = clock.now().getTime();
  const { timers, until, complete } = await clock.advance(1000 * hour, { timers: 1000 });
  expect([timers, complete]).toEqual([1000, false]);
  expect(until.getTime() - start).toBeLessThan(hour);
  expect(calls).toBeGreaterThanOrEqual(1000);
  expect(clock.now().getTime() - start).toBeGreaterThanOrEqual(1000 * hour);
});

it('does not stop for timers in the background, and calls each of them at the end', async () => {
  const clock = new MovableClock();
  let looks = 0;
  const look = (): void => {
    looks += 1;
    clock.after(1, look, 'background');
  };
  clock.after(1, look, 'background');
  clock.after(2 * hour, () => {});
  expect(await clock.advance(3 * hour)).toMatchObject({ timers: 1, complete: true });
  expect(looks).toBe(1);
});

it('calls a timer in real time after a move that does not reach it', async () => {
  const clock = new MovableClock();
  const called = new Promise<void>((resolve) => clock.after(hour, resolve));
  await clock.advance(hour - 20);
  await called;
  expect(clock.elapsed()).toBeGreaterThanOrEqual(hour);
});

it('goes back without a change of its timers', async () => {
  const clock = new MovableClock();
  let calls = 0;
  clock.after(hour, () => {
    calls += 1;
  });
  await clock.set(new Date('2001-01-01T00:00:00Z'));
  expect(clock.now().getUTCFullYear()).toBe(2001);
  expect(calls).toBe(0);
  await clock.advance(hour);
  expect(calls).toBe(1);
  await clock.reset();
  expectPresent(clock);
});

it('waits longer than the longest timer of Node.js', async () => {
  const clock = new MovableClock();
  let calls = 0;
  clock.after(60 * 24 * hour, () => {
    calls += 1;
  });
  await clock.advance(59 * 24 * hour);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toBe(0);
  await clock.advance(24 * hour);
  expect(calls).toBe(1);
});
