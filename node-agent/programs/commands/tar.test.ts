// Tests tar with its own archives and those of the machine's tar.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputOf } from '../../kernel/streams.js';
import { TestContainer } from '../../testing/container.js';

const long = `${'d'.repeat(90)}/${'ä'.repeat(60)}/${'f'.repeat(90)}`;
const large = Buffer.alloc(300_001, 'abc');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the output of a program. */
async function bytesOf(container: TestContainer, argv: readonly string[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stdout = { write: async (chunk: Buffer) => void chunks.push(Buffer.from(chunk)) };
  expect((await container.run(argv, { stdout })).code).toBe(0);
  return Buffer.concat(chunks);
}

test('extracts the archives that it creates', async () => {
  const container = new TestContainer();
  container.files.makeDirectory(`/a/${long.slice(0, long.lastIndexOf('/'))}`);
  container.files.write(`/a/${long}`, 'deep');
  container.files.write('/a/large', large, 0o755);
  container.files.write('/a/empty', '');
  container.files.symlink('/a/link', 'large');
  const archive = await bytesOf(container, ['tar', 'cf', '-', '-C', '/', 'a']);
  const other = new TestContainer();
  other.files.makeDirectory('/to');
  expect((await other.run(['tar', '-xmf', '-', '-C', '/to'], { stdin: inputOf(archive) })).code).toBe(0);
  expect(other.files.read(`/to/a/${long}`).toString()).toBe('deep');
  expect(other.files.read('/to/a/link').equals(large)).toBe(true);
  expect(other.files.get('/to/a/large').mode).toBe(0o755);
  expect(other.files.read('/to/a/empty').length).toBe(0);
});

test("creates archives that the machine's tar reads", async () => {
  const container = new TestContainer();
  container.files.makeDirectory('/out/sub');
  container.files.write('/out/sub/large', large);
  container.files.write('/out/ünï', 'text');
  writeFileSync(join(folder, 'a.tar'), await bytesOf(container, ['tar', 'cf', '-', '/out']));
  execFileSync('tar', ['xf', 'a.tar'], { cwd: folder });
  expect(readFileSync(join(folder, 'out/sub/large')).equals(large)).toBe(true);
  expect(readFileSync(join(folder, 'out/ünï'), 'utf8')).toBe('text');
});

test.each(['ustar', 'gnu', 'pax'])("reads archives of the machine's tar: %s", async (format) => {
  mkdirSync(join(folder, 'in', 'x'.repeat(80), 'y'.repeat(format === 'ustar' ? 10 : 120)), { recursive: true });
  const path = join('in', 'x'.repeat(80), 'y'.repeat(format === 'ustar' ? 10 : 120), 'file');
  writeFileSync(join(folder, path), large);
  const archive = execFileSync('tar', [`--format=${format}`, '-cf', '-', path], { cwd: folder, maxBuffer: 1e8 });
  const container = new TestContainer();
  // In pieces that cross the boundaries of blocks.
  const pieces = Array.from({ length: Math.ceil(archive.length / 777) }, (_, at) =>
    archive.subarray(at * 777, at * 777 + 777),
  );
  expect((await container.run(['tar', 'xf', '-'], { stdin: inputOf(...pieces) })).code).toBe(0);
  expect(container.files.read(`/${path}`).equals(large)).toBe(true);
});

test('does not extract outside of the directory', async () => {
  const container = new TestContainer();
  container.files.write('/secret', 'mine');
  mkdirSync(join(folder, 'up'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'theirs');
  const archive = execFileSync('tar', ['-P', '-cf', '-', '../secret'], { cwd: join(folder, 'up') });
  await container.run(['tar', 'xf', '-', '-C', '/tmp'], { stdin: inputOf(archive) });
  expect(container.files.read('/secret').toString()).toBe('mine');
  expect(container.files.read('/tmp/secret').toString()).toBe('theirs');
});
