#!/usr/bin/env node
// Prints the lines and files of the repository by folder, as code, tests with their support, data (generated files and
// tables as text) and documents; then the files of unusual length, and the folders with more than 40 files.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The sorts of files: the first rule that a path, or the first line of the file, matches. */
const rules = [
  ['data', /^docs\/(interface|reports\/)|(^|\/)package-lock\.json$|^\/\/ Written by /],
  ['docs', /\.md$|^examples\/|^LICENSE$/],
  [
    'tests',
    /\.test\.ts$|(^|\/)(testing|testdata|golden|self)\/|^tools\/clients\/|^vitest\.config|(^|\/)faults(\.ts$|\/)/,
  ],
  ['code', /\.(ts|mjs|js)$|^\.ci\/run$/],
  ['data', /./],
];
const sorts = ['code', 'tests', 'data', 'docs'];

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(root, path)) && !/\.(bin|png)$/.test(path))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const [sort] = rules.find(([, rule]) => rule.test(path) || rule.test(text.slice(0, text.indexOf('\n'))));
    return { path, sort, lines: text.split('\n').length - 1 };
  });

/** A row of the table: lines and files of each sort. */
const row = (name, members) => {
  const cells = sorts.flatMap((sort) => {
    const own = members.filter((file) => file.sort === sort);
    return [own.reduce((sum, { lines }) => sum + lines, 0), own.length];
  });
  return `${name.padEnd(18)}${cells.map((cell) => String(cell || '').padStart(8)).join('')}\n`;
};

const topOf = ({ path }) => (path.includes('/') ? path.split('/')[0] : '.');
process.stdout.write(`${'lines, files'.padEnd(18)}${sorts.map((sort) => sort.padStart(16)).join('')}\n`);
for (const folder of [...new Set(files.map(topOf))].sort()) {
  process.stdout.write(
    row(
      folder,
      files.filter((file) => topOf(file) === folder),
    ),
  );
}
process.stdout.write(row('all', files));

const written = files.filter(({ path, sort }) => (sort === 'code' || sort === 'tests') && path.endsWith('.ts'));
const short = written.filter(({ lines }) => lines <= 20).length;
const long = written.filter(({ lines }) => lines > 300).length;
process.stdout.write(`\n.ts files of 20 lines and fewer: ${short}; of more than 300: ${long}\n`);
for (const folder of [...new Set(files.map(({ path }) => dirname(path)))].sort()) {
  const count = files.filter(({ path }) => dirname(path) === folder).length;
  if (count > 40) process.stdout.write(`${folder}: ${count} files\n`);
}
