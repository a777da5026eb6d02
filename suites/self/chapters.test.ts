// A chapter has one name for its rows, its breaks, its spec and its folder.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ChapterName, chapters, isChecked, type RequirementRow } from '../../matrix/requirements/index.js';

const suites = join(import.meta.dirname, '..');
const matrix = join(suites, '../matrix/requirements');
/** The chapters that a request can check; documentScope has only rows that no request can check. */
const checked = (Object.keys(chapters) as ChapterName[]).filter((name) =>
  Object.values<RequirementRow>(chapters[name]).some(isChecked),
);

const namesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));

it('every file of rows is of a chapter, and every chapter has its file', () => {
  const files = namesIn(join(matrix, 'chapters'), '.ts').filter((name) => name !== 'index');
  expect(files.sort()).toEqual(Object.keys(chapters).sort());
});

it('every spec is of a chapter, and every checked chapter has its spec', () => {
  expect(namesIn(suites, '.spec.ts').sort()).toEqual([...checked].sort());
});

it.each([suites, join(matrix, 'chapters')])('every folder of parts is of a chapter: %s', (folder) => {
  const others = ['fixtures', 'self', 'stand-ins', 'support'];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(
    folders
      .map(({ name }) => name)
      .filter((name) => !others.includes(name) && !checked.some((chapter) => chapter === name)),
  ).toEqual([]);
});

it.each(checked)('%s has its effects on clients', (name) => {
  expect(existsSync(join(matrix, 'breaks', `${name}.ts`))).toBe(true);
});
