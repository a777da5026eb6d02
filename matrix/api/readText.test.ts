// Tests that a text is read as far as one may be.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { awaitText, readText } from './readText.js';

const folder = mkdtempSync(join(tmpdir(), 'texts-'));
const file = join(folder, 'file');
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['', 'é', 'é'.repeat(100_000)])('a text is read', async (text) => {
  writeFileSync(file, text);
  expect(readText(file)).toBe(text);
  expect(await awaitText(file)).toBe(text);
});

test('no more than the most is read', () => {
  const most = 1024 * 1024;
  writeFileSync(file, 'x'.repeat(most));
  expect(readText(file, most)).toHaveLength(most);
  truncateSync(file, most + 1);
  expect(() => readText(file, most)).toThrow('it is longer than 1 MiB: give another file');
});

test('a file of any size and a device without an end are refused', async () => {
  truncateSync(file, 5 * 2 ** 30);
  for (const path of [file, ...(process.platform === 'win32' ? [] : ['/dev/zero'])]) {
    expect(() => readText(path)).toThrow('it is longer than 16 MiB');
    await expect(awaitText(path)).rejects.toThrow('it is longer than 16 MiB');
  }
});

test.skipIf(process.platform === 'win32')('a pipe is awaited, and read as far as one may', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writing = (text: string) => writeFile(pipe, text).catch(() => {});
  const read = awaitText(pipe);
  await writing('é'.repeat(100_000));
  expect(await read).toBe('é'.repeat(100_000));
  const tooLong = awaitText(pipe);
  await Promise.all([writing('x'.repeat(17 * 2 ** 20)), expect(tooLong).rejects.toThrow('it is longer than 16 MiB')]);
});

test('what cannot be read is said by the operating system', async () => {
  expect(() => readText(join(folder, 'none'))).toThrow('ENOENT');
  expect(() => readText(folder)).toThrow('EISDIR');
  await expect(awaitText(join(folder, 'none'))).rejects.toThrow('ENOENT');
  await expect(awaitText(folder)).rejects.toThrow('EISDIR');
});
