// Tests a damaged store: the start fails with exit code 2 and one sentence that quotes no stored data.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DurableStorage } from './durable.js';
import { openLmdb } from './lmdb.js';
import { BrokenRecord, decodedRecord, encodedRecord } from './record.js';

const main = resolve(import.meta.dirname, '../../../dist/cli/main.js');
const secret = 'c2VjcmV0LW9mLXRoZS1zdG9yZQ';
let folder: string;
let whole: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damage-'));
  whole = join(folder, 'whole');
  const storage = await DurableStorage.open(await openLmdb(whole), { history: 100 });
  const value = (index: number) => ({ metadata: { name: `s-${index}` }, data: { [secret]: 'x'.repeat(500) } });
  const keys = Array.from({ length: 1000 }, (_, index) => `core/secrets/default/s-${index}`);
  await Promise.all(keys.map((key, index) => storage.create(key, value(index))));
  await storage.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Damage = (file: (name: string) => string) => void;
const store = 'store/data.mdb';
const truncated = (bytesOf: (size: number) => number): Damage => {
  return (file) => truncateSync(file(store), bytesOf(statSync(file(store)).size));
};
const overwritten = (change: (pages: Buffer) => void): Damage => {
  return (file) => {
    const pages = readFileSync(file(store));
    change(pages);
    writeFileSync(file(store), pages);
  };
};
const page = 4096;

test.each<[what: string, damage: Damage, why: string]>([
  ['truncated to half', truncated((size) => Math.floor(size / 2)), 'it cannot be read'],
  ['truncated to 100 bytes', truncated(() => 100), '.*'],
  ['truncated to nothing', truncated(() => 0), 'its file "store/data.mdb" is empty'],
  ['gone', (file) => rmSync(file(store)), 'its file "store/data.mdb" is gone'],
  ['a text', (file) => writeFileSync(file(store), 'not a store\n'.repeat(1000)), '.*'],
  ['zeros from its third page on', overwritten((pages) => pages.fill(0, 2 * page)), '.*'],
  [
    'noise from its third page on',
    overwritten((pages) => randomBytes(pages.length - 2 * page).copy(pages, 2 * page)),
    '.*',
  ],
  ['noise as a whole', overwritten((pages) => randomBytes(pages.length).copy(pages)), '.*'],
  // All characters of one record are intact except one.
  [
    'another letter in one record',
    overwritten((pages) => pages.write('X', pages.lastIndexOf('xxxx'))),
    '(object|change) .* is broken',
  ],
  [
    'a text for its format',
    (file) => writeFileSync(file('format'), 'hello'),
    'its file "format" is not as it was written',
  ],
])('%s', async (_, damage, why) => {
  const directory = mkdtempSync(join(folder, 'damaged-'));
  cpSync(whole, directory, { recursive: true });
  damage((name) => join(directory, name));
  const { code, stdout, stderr } = await serve(directory);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).not.toContain(secret);
  const start = `serve: --data-dir: the store in ${directory} is damaged \\(`;
  const advice = '\\): restore the directory from a copy, or delete it to begin with an empty one';
  expect(stderr).toMatch(new RegExp(`${start}${why}${advice}\\n$`));
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

/** Starts a server that should fail to start. */
function serve(directory: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((answer) => {
    execFile(process.execPath, [main, 'serve', '--nodes', '0', '--data-dir', directory], (error, stdout, stderr) =>
      answer({ code: error?.signal ?? error?.code, stdout, stderr }),
    ).stdout?.once('data', function (this: { destroy(): void }) {
      this.destroy();
    });
  });
}

test('a damaged record is detected, and records without a checksum are read', () => {
  const value = { a: ['é\u{1f600}', 1] };
  const text = encodedRecord(value);
  expect(decodedRecord(text, 'it')).toEqual(value);
  expect(decodedRecord('[1,{"a":2}]', 'it')).toEqual([1, { a: 2 }]);
  for (const broken of ['', text.slice(1), text.replace('1]', '2]'), `{${text.slice(1)}`, '[1,']) {
    expect(() => decodedRecord(broken, 'it')).toThrow(BrokenRecord);
  }
});
