// The files of the chapters by their names, compiled or not: each chapter has its checks and its faults in its folder.
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chapters, isChecked } from '../requirements/index.js';

/** The chapters with checks, in the order of their names. */
const checked = Object.entries(chapters)
  .filter(([, rows]) => Object.values(rows).some(isChecked))
  .map(([chapter]) => chapter)
  .sort();

/**
 * Defines the chapters of these names, all when absent: their groups are in `groups` of suites/run/group.ts. The bundle
 * finds the files by the pattern.
 */
export const loadChapters = (names: readonly string[] = checked): Promise<readonly object[]> =>
  Promise.all(
    checked
      .filter((chapter) => names.includes(chapter))
      .map((chapter) => import(/* @vite-ignore */ `../${chapter}/${chapter}.spec.js`)),
  );

/** Returns what the files `faults.ts` of the chapters export. */
export const importFaults = <Module>(): Promise<readonly Module[]> =>
  Promise.all(
    checked
      .map((chapter) => join(import.meta.dirname, '..', chapter, `faults${extname(import.meta.filename)}`))
      .filter((file) => existsSync(file))
      .map((file) => import(file) as Promise<Module>),
  );
