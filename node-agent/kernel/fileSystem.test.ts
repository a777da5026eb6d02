// Tests the virtual file system: paths, links, mounts, budget.
import { describe, expect, test } from 'vitest';
import { FileSystem } from './fileSystem.js';
import { Budget, Directory, FileError } from './nodes.js';

function filled(): FileSystem {
  const files = new FileSystem();
  files.makeDirectory('/a/b');
  files.write('/a/b/file', 'text');
  files.symlink('/a/relative', 'b/file');
  files.symlink('/a/absolute', '/a/b');
  files.symlink('/loop', '/loop');
  return files;
}

describe('paths', () => {
  test.each([
    '/a/b/file',
    'a/b/file',
    '//a/./b//file',
    '/a/b/../b/file',
    '/../a/b/file',
    '/a/relative',
    '/a/absolute/file',
    '/a/absolute/../b/file',
  ])('%s is the file', (path) => expect(filled().read(path).toString()).toBe('text'));

  test.each<[string, (files: FileSystem) => unknown, string]>([
    ['a missing file', (files) => files.read('/a/none'), '/a/none: No such file or directory'],
    ['a missing directory', (files) => files.write('/none/x', ''), '/none/x: No such file or directory'],
    ['a file as a directory', (files) => files.read('/a/b/file/x'), '/a/b/file/x: Not a directory'],
    ['a directory as a file', (files) => files.write('/a/b', ''), '/a/b: Is a directory'],
    ['a loop of links', (files) => files.read('/loop'), '/loop: Too many levels of symbolic links'],
    ['a full directory', (files) => files.remove('/a'), '/a: Directory not empty'],
    ['the root', (files) => files.remove('/', true), '/: Device or resource busy'],
    ['a link over a file', (files) => files.symlink('/a/b', 'x'), '/a/b: File exists'],
    ['a directory below a file', (files) => files.makeDirectory('/a/b/file/x'), '/a/b/file: Not a directory'],
  ])('%s', (_, act, message) => {
    expect(() => act(filled())).toThrow(FileError);
    expect(() => act(filled())).toThrow(message);
  });

  test('a recursive removal follows no link', () => {
    const files = filled();
    files.makeDirectory('/c');
    files.symlink('/c/out', '/a');
    files.remove('/c', true);
    expect(files.list('/')).not.toContain('c');
    expect(files.read('/a/b/file').toString()).toBe('text');
  });
});

describe('mounts', () => {
  test('a directory is mounted in two trees, read-only in one', () => {
    const shared = new Directory();
    const [one, two] = [new FileSystem(), new FileSystem()];
    one.mount('/deep/data', shared, false);
    two.mount('/data', shared, true);
    one.write('/deep/data/x', 'y');
    expect(two.read('/data/x').toString()).toBe('y');
    for (const act of [
      () => two.write('/data/x', ''),
      () => two.remove('/data/x'),
      () => two.makeDirectory('/data/d'),
      () => two.symlink('/data/l', 'x'),
    ]) {
      expect(act).toThrow('Read-only file system');
    }
    expect(() => one.remove('/deep/data', true)).toThrow('/deep/data: Device or resource busy');
    expect(two.read('/data/../data/x').toString()).toBe('y');
  });
});

describe('budget', () => {
  test('a pod cannot exceed its budget, and a removal frees bytes', () => {
    const files = new FileSystem(new Budget(5000));
    files.write('/a', 'x'.repeat(2000));
    expect(() => files.write('/b', 'x'.repeat(2000))).toThrow('/b: No space left on device');
    files.remove('/a');
    files.write('/b', 'x'.repeat(2000));
    files.write('/b', 'x'.repeat(3000));
    expect(files.read('/b').length).toBe(3000);
    const many = () => Array.from({ length: 20 }, (_, at) => files.makeDirectory(`/tmp/${at}`));
    expect(many).toThrow('No space left on device');
  });

  test('devices accept all writes and keep nothing', async () => {
    const files = new FileSystem(new Budget(2000));
    await files.open('/dev/null', 'truncate').write(Buffer.alloc(1000));
    expect(await files.input('/dev/null').read()).toBeUndefined();
    expect((await files.input('/dev/zero').read())?.every((byte) => byte === 0)).toBe(true);
  });
});
