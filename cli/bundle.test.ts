// A bundle is loaded with what V8 kept of it, and without where that is damaged or of other options.
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { evaluate, keepCompiled, moduleOf, scriptOf } from './bundle.js';

const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a bundle that says who evaluates it, and keeps what V8 compiles of it. Returns both paths. */
function bundle(name: string) {
  const path = join(folder, `${name}.cjs`);
  const code = Buffer.from(`exports.one = () => ({ name: '${name}', isPlain: module.children !== undefined });`);
  writeFileSync(path, code);
  const script = scriptOf(path, code);
  expect(evaluate(script, path).one?.()).toMatchObject({ name, isPlain: false });
  return { url: pathToFileURL(path), kept: keepCompiled(path, code, script) };
}

it('runs what was kept', () => {
  const { url } = bundle('kept');
  expect(moduleOf(url, 'one')).toMatchObject({ name: 'kept', isPlain: false });
});

it.each([
  ['is gone', (path: string) => rmSync(path)],
  ['is empty', (path: string) => truncateSync(path, 0)],
  ['was cut', (path: string) => truncateSync(path, 100)],
  ['has other bytes', (path: string) => writeFileSync(path, readFileSync(path).fill(7, 64, 96))],
])('runs the bundle alone if what was kept %s', (name, damage) => {
  const { url, kept } = bundle(name);
  damage(kept);
  expect(moduleOf(url, 'one')).toMatchObject({ name, isPlain: true });
});

it('runs other code of the same length', () => {
  const { url } = bundle('other');
  writeFileSync(url, readFileSync(url, 'utf8').replace("'other'", "'newer'"));
  expect(moduleOf(url, 'one')).toMatchObject({ name: 'newer', isPlain: true });
});

it('has no exports of a module that is not there', () => {
  expect(moduleOf(bundle('small').url, 'two')).toEqual({});
});
