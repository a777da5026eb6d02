// Tests that folders are made, and that what cannot be made is said at once.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNot } from './fileFailure.js';
import { makeFolder } from './makeFolder.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'make-folder-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns why a folder cannot be made. */
function why(path: string): string | undefined {
  try {
    makeFolder(path);
  } catch (error) {
    return whyNot(error);
  }
  return undefined;
}

describe('a folder', () => {
  it('is made with its parents, once', () => {
    const deep = join(folder, 'one', 'two');
    makeFolder(deep, 0o700);
    expect(statSync(deep).mode & 0o777).toBe(0o700);
    expect(why(deep)).toBeUndefined();
  });

  it('is not made below a file', () => {
    expect(why(join(folder, 'file', 'one'))).toBe('it, or a part of its path, is no folder (ENOTDIR)');
  });

  it.skipIf(!existsSync('/proc/self'))('is not made where the system has none, without end', () => {
    expect(why('/proc/none/one')).toBe('nothing can be made there (ENOENT)');
  });
});
