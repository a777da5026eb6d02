// Tests tar with its own archives and those of the machine's tar.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sigkill } from '../kernel/process.js';
import { makePipe } from '../kernel/streams.js';
import { inputOf, TestContainer } from '../testing/container.js';

const long = `${'d'.repeat(90)}/${'ä'.repeat(60)}/${'f'.repeat(90)}`;
const large = Buffer.alloc(300_001, 'abc');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the stdout of a program that succeeds. */
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
  const archive = await bytesOf(container, ['tar', 'cf', '-', '-C', '/', 'a']);
  const other = new TestContainer();
  other.files.makeDirectory('/to');
  expect((await other.run(['tar', '-xmf', '-', '-C', '/to'], { stdin: inputOf(archive) })).code).toBe(0);
  expect(await other.contentOf(`/to/a/${long}`)).toBe('deep');
  expect(await other.contentOf('/to/a/large')).toBe(String(large));
  expect(other.files.get('/to/a/large')).toMatchObject({ mode: 0o755 });
  expect(await other.contentOf('/to/a/empty')).toBe('');
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
  expect(await container.contentOf(`/${path}`)).toBe(String(large));
});

test('does not extract outside of the directory', async () => {
  const container = new TestContainer();
  container.files.write('/secret', 'mine');
  mkdirSync(join(folder, 'up'), { recursive: true });
  writeFileSync(join(folder, 'secret'), 'theirs');
  const archive = execFileSync('tar', ['-P', '-cf', '-', '../secret'], { cwd: join(folder, 'up') });
  await container.run(['tar', 'xf', '-', '-C', '/tmp'], { stdin: inputOf(archive) });
  expect(await container.contentOf('/secret')).toBe('mine');
  expect(await container.contentOf('/tmp/secret')).toBe('theirs');
});

test.each([
  ['bytes that are not archive', ['tar', 'xf', '-'], Buffer.alloc(600, 'no archive'), 'invalid tar header checksum'],
  ['a short archive', ['tar', 'xf', '-'], Buffer.from('short'), 'unexpected end of the archive'],
  ['a missing file', ['tar', 'cf', '-', 'missing'], Buffer.alloc(0), '/missing: No such file or directory'],
  ['an archive in a file', ['tar', 'cf', '/a.tar', 'tmp'], Buffer.alloc(0), 'only -f - is supported, stdin or stdout'],
  ['gzip', ['tar', 'czf', '-', 'tmp'], Buffer.alloc(0), 'option z is not supported'],
  ['no mode', ['tar', 'f', '-'], Buffer.alloc(0), 'need -c or -x'],
])('%s: an error and exit code 2', async (_, argv, bytes, reason) => {
  const { code, stderr } = await new TestContainer().run(argv, { stdin: inputOf(bytes) });
  expect([code, stderr]).toEqual([2, `tar: ${reason}\n`]);
});

test('a link within is kept, one that leads out is left out with an error, and the rest is extracted', async () => {
  mkdirSync(join(folder, 'linked'));
  symlinkSync('file', join(folder, 'linked', 'a-link'));
  symlinkSync('../../etc', join(folder, 'linked', 'b-link'));
  writeFileSync(join(folder, 'linked', 'file'), 'text');
  const archive = execFileSync('tar', ['-cf', '-', 'linked'], { cwd: folder });
  const container = new TestContainer();
  container.files.makeDirectory('/in');
  const { code, stderr } = await container.run(['tar', '-xmf', '-', '-C', '/in'], { stdin: inputOf(archive) });
  expect([code, stderr]).toEqual([2, 'tar: linked/b-link: only files, directories and links within are supported\n']);
  expect(await container.contentOf('/in/linked/a-link')).toBe('text');
  const again = await bytesOf(container, ['tar', 'cf', '-', '-C', '/in', 'linked']);
  expect(execFileSync('tar', ['tvf', '-'], { input: again }).toString()).toMatch(/ linked\/a-link -> file\n/);
});

test('an archive that is too large ends at the limit of the file system', async () => {
  const container = new TestContainer();
  writeFileSync(join(folder, 'zeros'), Buffer.alloc(70_000_000));
  const archive = execFileSync('tar', ['cf', '-', 'zeros'], { cwd: folder, maxBuffer: 1e8 });
  const { code, stderr } = await container.run(['tar', 'xf', '-'], { stdin: inputOf(archive) });
  expect([code, stderr]).toEqual([2, 'tar: /zeros: No space left on device\n']);
});

test('the reader of an archive may stop early, and one that is cut resumes', async () => {
  const container = new TestContainer();
  container.files.write('/large', large);
  expect(await container.sh('tar cf - large | head -c 2 | wc -c')).toMatchObject({ code: 0, stdout: '2\n' });
  const whole = await bytesOf(container, ['tar', 'cf', '-', 'large']);
  const rest = await bytesOf(container, ['sh', '-c', 'tar cf - /large 2>/dev/null | tail -c+1001']);
  expect(rest.equals(whole.subarray(1000))).toBe(true);
});

test('a signal ends tar, which waits for more', async () => {
  const { input, output } = makePipe();
  const stop = new AbortController();
  const ended = new TestContainer().run(['tar', 'xf', '-'], { stdin: input, signal: stop.signal });
  await output.write(Buffer.from('the start of a header'));
  stop.abort(sigkill);
  expect((await ended).code).toBe(137);
});
