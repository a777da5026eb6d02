// Tests tar with its own archives and those of the machine's tar.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sigkill } from '../../kernel/process.js';
import { Input, inputOf, pipe } from '../../kernel/streams.js';
import { TestContainer } from '../../testing/container.js';

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

describe('with z', () => {
  /** Returns an archive with one file of zeros, as the machine's tar makes it. */
  function zeros(bytes: number): Buffer {
    writeFileSync(join(folder, 'zeros'), Buffer.alloc(bytes));
    return execFileSync('tar', ['czf', '-', 'zeros'], { cwd: folder, maxBuffer: 1e8 });
  }

  /** Returns the bytes with one of them replaced; `at` counts from the end if it is negative. */
  function damaged(bytes: Buffer, at: number, replace: (byte: number) => number): Buffer {
    const copy = Buffer.from(bytes);
    const index = at < 0 ? bytes.length + at : at;
    copy[index] = replace(bytes.readUInt8(index));
    return copy;
  }

  test.each([
    ['czf', '-xzf', '-tzf'],
    ['-zcf', 'zxf', 'tzf'],
  ])("writes and reads gzip, as the machine's tar does: %s, %s and %s", async (create, extract, list) => {
    const container = new TestContainer();
    container.files.makeDirectory('/out');
    container.files.write('/out/large', large);
    container.files.write('/out/empty', '');
    const archive = await bytesOf(container, ['tar', create, '-', '-C', '/', 'out']);
    expect(archive.length).toBeLessThan(10_000);
    expect(execFileSync('tar', ['tzf', '-'], { input: archive, encoding: 'utf8' })).toBe(
      'out/\nout/empty\nout/large\n',
    );
    expect(gunzipSync(archive).includes(large.subarray(0, 1000))).toBe(true);
    expect((await container.run(['tar', list, '-'], { stdin: inputOf(archive) })).stdout).toBe(
      'out/\nout/empty\nout/large\n',
    );
    const theirs = zeros(5000);
    const pieces = Array.from({ length: Math.ceil(theirs.length / 7) }, (_, at) => theirs.subarray(at * 7, at * 7 + 7));
    expect(await container.run(['tar', extract, '-'], { stdin: inputOf(...pieces) })).toMatchObject({ code: 0 });
    expect(container.files.read('/zeros').equals(Buffer.alloc(5000))).toBe(true);
  });

  test('archives that are files, whose first bytes are enough', async () => {
    const container = new TestContainer();
    container.files.write('/large', large);
    expect(
      await container.sh('tar czf /a.tgz large && rm large && tar --gzip -xf /a.tgz && wc -c < large'),
    ).toMatchObject({
      code: 0,
      stdout: '300001\n',
    });
    expect(container.files.read('/a.tgz').length).toBeLessThan(10_000);
    expect(await container.sh('tar tf /a.tgz')).toMatchObject({ code: 0, stdout: 'large\n' });
  });

  test.each([
    ['bytes that are no gzip', () => Buffer.from('no gzip'), 'not in gzip format'],
    ['no bytes', () => Buffer.alloc(0), 'unexpected end of file'],
    ['an archive without gzip', () => gunzipSync(zeros(10)), 'not in gzip format'],
    ['bytes that are cut off', () => zeros(100_000).subarray(0, 100), 'unexpected end of file'],
    ['a wrong checksum', () => damaged(zeros(100_000), -8, (byte) => byte ^ 1), 'invalid compressed data--crc error'],
    ['a wrong length', () => damaged(zeros(100_000), -4, (byte) => byte ^ 1), 'invalid compressed data--length error'],
    // Its first block is of a kind that does not exist.
    ['damaged bytes', () => damaged(zeros(100_000), 10, () => 7), 'invalid compressed data--format violated'],
  ])('%s: an error and exit code 2', async (_, bytes, reason) => {
    for (const letter of ['x', 't']) {
      const { code, stderr } = await new TestContainer().run(['tar', `${letter}zf`, '-'], { stdin: inputOf(bytes()) });
      expect(stderr).toMatch(
        new RegExp(
          `^\ngzip: stdin: ${reason}\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n$`,
        ),
      );
      expect(code).toBe(2);
    }
  });

  test.each([
    ['gzip without z', ['tar', 'xf', '-'], () => zeros(10), 'Archive is compressed. Use -z option'],
    ['gzip of something else', ['tar', 'xzf', '-'], () => gzipSync(large), 'invalid tar header checksum'],
    ['a short archive', ['tar', 'xzf', '-'], () => gzipSync('short'), 'unexpected end of the archive'],
    [
      'a missing file',
      ['tar', 'czf', '/a.tgz', 'missing'],
      () => Buffer.alloc(0),
      '/missing: No such file or directory',
    ],
  ])('%s: an error and exit code 2', async (_, argv, bytes, reason) => {
    const { code, stderr } = await new TestContainer().run(argv, { stdin: inputOf(bytes()) });
    expect(stderr).toContain(`tar: ${reason}`);
    expect(code).toBe(2);
  });

  test('a decompression bomb ends at the limit of the file system, and reads no further', async () => {
    const container = new TestContainer();
    const bomb = zeros(200_000_000);
    expect(bomb.length).toBeLessThan(250_000);
    let read = 0;
    const stdin = new Input({
      read: async () => {
        read += 1000;
        return read - 1000 < bomb.length ? bomb.subarray(read - 1000, read) : undefined;
      },
      close: () => {},
    });
    const { code, stderr } = await container.run(['tar', 'xzf', '-'], { stdin });
    expect([code, stderr]).toEqual([2, 'tar: /zeros: No space left on device\n']);
    expect(container.files.read('/zeros').length).toBeLessThanOrEqual(67_108_864);
    expect(read).toBeLessThan(bomb.length / 2);
    expect(await container.sh('rm /zeros && echo still here')).toMatchObject({ code: 0, stdout: 'still here\n' });
  });

  test.each(['cf', 'czf'])('no room for the archive of %s is an error of the archive', async (create) => {
    const container = new TestContainer();
    container.files.write('/full', randomBytes(60_000_000));
    const { code, stderr } = await container.run(['tar', create, '/archive', 'full']);
    expect([code, stderr]).toEqual([2, 'tar: /archive: No space left on device\n']);
  });

  test('the reader of an archive may stop early', async () => {
    const container = new TestContainer();
    container.files.write('/large', randomBytes(1_000_000));
    expect(await container.sh('tar czf - large | head -c 2 | wc -c')).toMatchObject({ code: 0, stdout: '2\n' });
  });

  test.each(['tar xzf -', 'tar tzf -'])('a signal ends %s, which waits for more', async (command) => {
    const container = new TestContainer();
    const { input, output } = pipe();
    const stop = new AbortController();
    const ended = container.run(command.split(' '), { stdin: input, signal: stop.signal });
    await output.write(zeros(1000).subarray(0, 60));
    stop.abort(sigkill);
    expect((await ended).code).toBe(137);
  });
});
