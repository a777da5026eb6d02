import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress, progressLine } from './progress.js';

const minute = 60_000;
const tally = { total: 19_141, done: 4_000, failed: 12, blocked: 0, part: 4_000 / 19_141 };

/** A stream that records its output, with a terminal width that can be changed. */
class Screen {
  written = '';
  columns: number;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly isTTY: boolean,
    columns = 80,
  ) {
    this.columns = columns;
  }

  write(text: string): void {
    this.written += text;
  }

  on(_event: 'resize', listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(_event: 'resize', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  resize(columns: number): void {
    this.columns = columns;
    for (const listener of this.#listeners) listener();
  }

  /** Returns the output since the last call. */
  take(): string {
    const { written } = this;
    this.written = '';
    return written;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the line', () => {
  it.each([
    [200, '4,000 of 19,141 cases, 12 failed, 1:16 left, 200/s'],
    [51, '4,000 of 19,141 cases, 12 failed, 1:16 left, 200/s'],
    [50, '4,000 of 19,141 cases, 12 failed, 1:16 left'],
    [43, '4,000 of 19,141 cases, 12 failed'],
    [39, '4,000/19,141, 12 failed, 1:16 left'],
    [30, '4,000/19,141, 12 failed'],
    [20, '4,000/19,141'],
    [6, '4,000'],
    [1, ''],
    [0, ''],
  ])('fits a terminal of %i columns', (columns, line) => {
    expect(progressLine(tally, 20_000, columns)).toBe(line);
  });

  it.each([
    [{ total: 0, done: 0, failed: 0, blocked: 0, part: 0 }, 0, 'starting'],
    [{ total: 10, done: 0, failed: 0, blocked: 0, part: 0 }, 0, '0 of 10 cases, 0 failed'],
    [{ total: 10, done: 10, failed: 1, blocked: 0, part: 1 }, 1_000, '10 of 10 cases, 1 failed, 10/s'],
    [
      { total: 10_000, done: 1, failed: 0, blocked: 0, part: 1 / 10_000 },
      1_000,
      '1 of 10,000 cases, 0 failed, 2:46:39 left, 1/s',
    ],
    [{ total: 10, done: 10, failed: 1, blocked: 5, part: 1 }, 1_000, '10 of 10 cases, 1 failed, 5 blocked, 10/s'],
    [{ total: 10, done: 5, failed: 0, blocked: 0, part: 0.1 }, 60_000, '5 of 10 cases, 0 failed, 9:00 left, 0/s'],
  ])('shows the known facts of %j', (known, milliseconds, line) => {
    expect(progressLine(known, milliseconds)).toBe(line);
  });
});

describe('on a terminal', () => {
  it('redraws one line, and removes it at the end', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen, { TERM: 'xterm' });
    vi.advanceTimersByTime(250);
    expect(screen.take()).toBe('starting');
    progress.update({ ...tally, failed: 0 });
    vi.advanceTimersByTime(1_000);
    const lines = screen.take().split('\r\x1b[J');
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('4,000 of 19,141 cases, 0 failed, 0:04 left, 4,000/s');
    progress.end();
    expect(screen.take()).toBe('\r\x1b[J');
    vi.advanceTimersByTime(minute);
    screen.resize(40);
    expect(screen.take()).toBe('');
  });

  it.each([
    [{ TERM: 'xterm' }, '\x1b[31m12 failed\x1b[39m'],
    [{ TERM: 'xterm', NO_COLOR: '1' }, ' 12 failed,'],
  ])('colours failures as %j sets it', (environment, part) => {
    const screen = new Screen(true);
    const progress = new Progress(screen, environment);
    progress.update(tally);
    vi.advanceTimersByTime(250);
    expect(screen.take()).toContain(part);
    progress.end();
  });

  it('keeps what is noted above the line', () => {
    const screen = new Screen(true);
    const progress = new Progress(screen, {});
    progress.update({ total: 10, done: 0, failed: 0, blocked: 0, part: 0 / 10 });
    vi.advanceTimersByTime(250);
    screen.take();
    progress.note('a worker ended');
    expect(screen.take()).toMatch('\r\x1b[Ja worker ended\n0 of 10 cases');
    progress.end();
  });

  it('takes every row of a line that a narrower terminal wrapped', () => {
    const screen = new Screen(true, 80);
    const progress = new Progress(screen, { NO_COLOR: '1' });
    progress.update(tally);
    vi.advanceTimersByTime(250);
    const { length } = screen.take();
    expect(length).toBeGreaterThan(40);
    screen.resize(20);
    const written = screen.take();
    expect(written.startsWith('\x1b[2A\r\x1b[J')).toBe(true);
    expect(written.endsWith('J4,000/19,141')).toBe(true);
    progress.end();
  });

  it('asks the terminal for its width, because a background process group gets no resize signal', () => {
    const screen = Object.assign(new Screen(true, 80), { getWindowSize: () => [size, 24] });
    let size = 80;
    const progress = new Progress(screen, { NO_COLOR: '1' });
    progress.update(tally);
    vi.advanceTimersByTime(250);
    const { length } = screen.take();
    expect(length).toBeGreaterThan(40);
    size = 20;
    vi.advanceTimersByTime(250);
    expect(screen.take()).toBe('\x1b[2A\r\x1b[J4,000/19,141');
    progress.end();
  });

  it('uses 80 columns if the terminal reports 0', () => {
    const screen = new Screen(true, 0);
    const progress = new Progress(screen, {});
    progress.update({ total: 10, done: 0, failed: 0, blocked: 0, part: 0 / 10 });
    vi.advanceTimersByTime(250);
    expect(screen.take()).toBe('0 of 10 cases, 0 failed');
    progress.end();
  });
});

describe.each([
  ['a pipe', new Screen(false), { TERM: 'xterm' }],
  ['a dumb terminal', new Screen(true), { TERM: 'dumb' }],
] as const)('on %s', (_, screen, environment) => {
  it('writes a line a minute, and nothing for a short run', () => {
    const progress = new Progress(screen, environment);
    progress.update(tally);
    vi.advanceTimersByTime(minute - 1);
    expect(screen.take()).toBe('');
    vi.advanceTimersByTime(1);
    expect(screen.take()).toBe('4,000 of 19,141 cases, 12 failed, 3:48 left, 67/s\n');
    progress.note('a worker ended');
    progress.end();
    expect(screen.take()).toBe('a worker ended\n');
  });
});
