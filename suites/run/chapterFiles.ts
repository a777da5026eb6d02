// The files of the chapters by their names, compiled or not: each chapter has its checks and its faults in its folder.
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chapters } from '../requirements/index.js';

/** Imports a file of each chapter that has it, in the order of the chapters' names. `nameOf`: without its extension. */
async function importOfChapters<Module>(nameOf: (chapter: string) => string): Promise<readonly Module[]> {
  const files = Object.keys(chapters)
    .sort()
    .map((chapter) => join(import.meta.dirname, '..', chapter, nameOf(chapter) + extname(import.meta.filename)));
  return Promise.all(files.filter((file) => existsSync(file)).map((file) => import(file) as Promise<Module>));
}

/** Defines every chapter: its groups are in `groups` of suites/run/group.ts. */
export const loadChapters = (): Promise<readonly object[]> => importOfChapters((chapter) => `${chapter}.spec`);

/** Returns what the files `faults.ts` of the chapters export. */
export const importFaults = <Module>(): Promise<readonly Module[]> => importOfChapters(() => 'faults');
