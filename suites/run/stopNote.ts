// The note by which the workers of a run tell each other, and the command line, that the run stops early.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Stop } from '../client/health.js';

/** Writes why the run stops. The first note stays. */
export function noteStop(file: string, stop: Stop): void {
  try {
    writeFileSync(file, JSON.stringify(stop), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns why the run stops; undefined while it goes on. */
export function readStop(file: string): Stop | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stop;
  } catch {
    // another worker is writing the note
    return undefined;
  }
}
