// How the workers of a run tell each other, and the command line, that it is over before its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Stop } from './health.js';

/** Writes down why the run stops; the first one who says so is right. */
export function noteStop(file: string, stop: Stop): void {
  try {
    writeFileSync(file, JSON.stringify(stop), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Why the run stops; undefined while it goes on. */
export function readStop(file: string): Stop | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stop;
  } catch {
    // it is being written
    return undefined;
  }
}
