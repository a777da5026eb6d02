// Tests the virtual file system: paths, mounts, budget.
import { describe, expect, test } from 'vitest';
import { Directory, FileError, FileSystem, StorageBudget } from './fileSystem.js';

function filled(): FileSystem {
  const files = new FileSystem();
  files.makeDirectory('/a/b');
  files.write('/a/b/file', 'text');
  return files;
}

async function contentOf(files: FileSystem, path: string): Promise<string> {
  let text = '';
  for await (const chunk of files.input(path)) text += chunk;
  return text;
}

describe('paths', () => {
  test.each(['/a/b/file', 'a/b/file', '//a/./b//file', '/a/b/../b/file', '/../a/b/file'])(
    '%s is the file',
    async (path) => expect(await contentOf(filled(), path)).toBe('text'),
  );

  test.each<[string, (files: FileSystem) => unknown, string]>([
    ['a missing file', (files) => files.input('/a/none'), '/a/none: No such file or directory'],
    ['a missing directory', (files) => files.write('/none/x', ''), '/none/x: No such file or directory'],
    ['a file as a directory', (files) => files.input('/a/b/file/x'), '/a/b/file/x: Not a directory'],
    ['a directory as a file', (files) => files.write('/a/b', ''), '/a/b: Is a directory'],
    ['a long name', (files) => files.write(`/a/${'b'.repeat(256)}`, ''), '…: File name too long'],
    ['a long path', (files) => files.makeDirectory('/a'.repeat(100_000)), '…: File name too long'],
    [
      'a mount at a long path',
      (files) => files.mount('/a'.repeat(100_000), new Directory(), false),
      '…: File name too long',
    ],
    ['a directory below a file', (files) => files.makeDirectory('/a/b/file/x'), '/a/b/file: Not a directory'],
  ])('%s', (_, act, message) => {
    expect(() => act(filled())).toThrow(FileError);
    expect(() => act(filled())).toThrow(message);
  });
});

describe('mounts', () => {
  test('a directory is mounted in two trees, read-only in one', async () => {
    const shared = new Directory();
    const [one, two] = [new FileSystem(), new FileSystem()];
    one.mount('/deep/data', shared, false);
    two.mount('/data', shared, true);
    one.write('/deep/data/x', 'y');
    for (const act of [() => two.write('/data/x', ''), () => two.makeDirectory('/data/d')]) {
      expect(act).toThrow('Read-only file system');
    }
    expect(await contentOf(two, '/data/../data/x')).toBe('y');
  });

  test('of two trees in each other end, and others do not see them', () => {
    const [one, two] = [new Directory(), new Directory()];
    const files = new FileSystem();
    files.mount('/one', one, false);
    files.mount('/one/two', two, false);
    files.mount('/one/two/one', one, false);
    files.write('/one/x', '');
    expect([files.list('/one'), files.list('/one/two'), files.list('/one/two/one')]).toEqual([
      ['two', 'x'],
      ['one'],
      ['x'],
    ]);
    expect(() => files.remove('/one')).toThrow('Device or resource busy');
    const other = new FileSystem();
    other.mount('/one', one, false);
    expect(other.list('/one')).toEqual(['x']);
  });

  test('the root has no room for one', () => {
    expect(() => new FileSystem().mount('/', new Directory(), false)).toThrow('/: Device or resource busy');
  });
});

describe('budget', () => {
  test('a pod cannot exceed its budget, and a truncation frees bytes', async () => {
    const files = new FileSystem(new StorageBudget(5000));
    files.write('/a', 'x'.repeat(2000));
    expect(() => files.write('/b', 'x'.repeat(2000))).toThrow('/b: No space left on device');
    files.write('/a', '');
    files.write('/b', 'x'.repeat(2000));
    files.write('/b', 'x'.repeat(3000));
    expect((await contentOf(files, '/b')).length).toBe(3000);
    const many = () => Array.from({ length: 20 }, (_, at) => files.makeDirectory(`/tmp/${at}`));
    expect(many).toThrow('No space left on device');
  });

  test('/dev/null accepts all writes and keeps nothing', async () => {
    const files = new FileSystem(new StorageBudget(2000));
    await files.open('/dev/null', 'truncate').write(Buffer.alloc(1000));
    expect(await files.input('/dev/null').read()).toBeUndefined();
  });
});
