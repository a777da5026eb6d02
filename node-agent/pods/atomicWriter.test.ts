// Tests how the files of a volume are replaced: behind links, all at once, and within the budget.
import { expect, test } from 'vitest';
import { FileSystem, StorageBudget } from '../kernel/fileSystem.js';
import { AtomicWriter, type Payload } from './atomicWriter.js';

const payload = (files: Readonly<Record<string, string>>, mode = 0o644): Payload =>
  new Map(Object.entries(files).map(([path, content]) => [path, { content, mode }]));

function volume(budget?: StorageBudget) {
  const files = new FileSystem(budget);
  files.makeDirectory('/v');
  const writer = new AtomicWriter(files, '/v');
  const content = (path: string): string => {
    const inode = files.get(path);
    return inode.kind === 'file' ? Buffer.concat([...inode.chunks()]).toString() : inode.kind;
  };
  return { files, writer, content };
}

test('files are links to the present directory', () => {
  const { files, writer, content } = volume();
  writer.write(payload({ a: '1', 'deep/b': '2' }));
  expect(files.list('/v').slice(-3)).toEqual(['..data', 'a', 'deep']);
  expect(files.list('/v')[0]).toMatch(/^\.\.\d{4}(_\d\d){5}\.\d{9}$/);
  expect(files.getLink('/v/a')).toMatchObject({ kind: 'link', target: '..data/a' });
  expect([content('/v/a'), content('/v/deep/b'), content('/v/..data/a')]).toEqual(['1', '2', '1']);
});

test('a change replaces all files, and who has one open keeps it', () => {
  const { files, writer, content } = volume();
  writer.write(payload({ a: '1', b: '2' }));
  const [before] = files.list('/v');
  const open = files.get('/v/a');
  writer.write(payload({ a: 'one', c: '3' }));
  expect(files.list('/v').slice(-3)).toEqual(['..data', 'a', 'c']);
  expect(files.list('/v')).toHaveLength(4);
  expect(files.list('/v')).not.toContain(before);
  expect([content('/v/a'), content('/v/c')]).toEqual(['one', '3']);
  expect(open.kind === 'file' && [...open.chunks()].join('')).toBe('1');
});

test('the same files are not written again, others modes are', () => {
  const { files, writer } = volume();
  writer.write(payload({ a: '1' }));
  const [before] = files.list('/v');
  writer.write(payload({ a: '1' }));
  expect(files.list('/v')[0]).toBe(before);
  writer.write(payload({ a: '1' }, 0o400));
  expect(files.get('/v/a').mode).toBe(0o400);
});

test('old files return what they hold of the budget, and a path stays in the volume', () => {
  const { files, writer } = volume(new StorageBudget(10_000));
  for (let turn = 0; turn < 50; turn++) writer.write(payload({ a: 'x'.repeat(3000) + turn, '../../b': '' }));
  expect(files.list('/v').slice(-2)).toEqual(['a', 'b']);
  expect(files.find('/b')).toBeUndefined();
});
