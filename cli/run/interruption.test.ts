// Tests that a signal ends what a run waits for before its first case.
import { expect, it, vi } from 'vitest';
import { Interruption } from './interruption.js';

it('ends a step that changes nothing, and lets one that is over be', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const interruption = new Interruption();
  interruption.catchSignals();
  try {
    expect(await interruption.race(Promise.resolve('found'))).toBe('found');
    const waiting = interruption.race(new Promise(() => undefined));
    process.emit('SIGINT', 'SIGINT');
    await expect(waiting).rejects.toThrow(/^interrupted \(SIGINT\) before the first case$/);
    expect(interruption.exitCode).toBe(130);
  } finally {
    interruption.release();
    vi.restoreAllMocks();
  }
});
