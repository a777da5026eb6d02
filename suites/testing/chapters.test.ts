// A chapter is one folder: its requirements, its checks and its faults are side by side.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ChapterName, chapters, isChecked, type RequirementRow } from '../requirements/index.js';

const suites = join(import.meta.dirname, '..');
/** Every file that makes a folder a chapter's, with the chapters that have it. */
const chaptersWith = (file: (chapter: string) => string): string[] =>
  readdirSync(suites, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && readdirSync(join(suites, entry.name)).includes(file(entry.name)))
    .map(({ name }) => name)
    .sort();

/** The chapters that a request can check; documentScope has only rows that no request can check. */
const checked = (Object.keys(chapters) as ChapterName[])
  .filter((name) => Object.values<RequirementRow>(chapters[name]).some(isChecked))
  .sort();

it('every folder with requirements is listed as a chapter in suites/requirements/chapters.ts', () => {
  expect(chaptersWith(() => 'requirements.ts')).toEqual(Object.keys(chapters).sort());
});

it.each([
  ['checks', (chapter: string) => `${chapter}.spec.ts`],
  ['faults', () => 'faults.ts'],
] as const)('every chapter that a request can check has its %s', (_, file) => {
  expect(chaptersWith(file)).toEqual(checked);
});
