import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certs-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, options: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const certs = (...options: readonly string[]) => run(process.execPath, [main, 'certs', ...options]);
const verify = async (out: string, ...by: string[]) =>
  (await run('openssl', ['verify', '-CAfile', join(out, 'ca.crt'), ...by, join(out, 'server.crt')])).code;

describe('certs', () => {
  it('writes the files of the script, keys for their owner only', async () => {
    const out = join(folder, 'script');
    const ended = await certs('--ip', '10.0.0.9', '--san', 'IP:127.0.0.1,DNS:localhost', '--out', out);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect((await readdir(out)).sort()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key']);
    for (const key of ['ca.key', 'server.key']) expect((await stat(join(out, key))).mode & 0o777).toBe(0o600);
    expect(await verify(out, '-verify_ip', '10.0.0.9')).toBe(0);
    expect(await verify(out, '-verify_ip', '127.0.0.1')).toBe(0);
    expect(await verify(out, '-verify_hostname', 'localhost')).toBe(0);

    const before = await readFile(join(out, 'server.key'), 'utf8');
    const again = await certs('--ip', '10.0.0.9', '--out', out);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/^certs: .+ holds ca\.crt.+--force.+\n$/) });
    expect(await readFile(join(out, 'server.key'), 'utf8')).toBe(before);
    expect((await certs('--ip', '10.0.0.9', '--out', out, '--force')).code).toBe(0);
    expect(await readFile(join(out, 'server.key'), 'utf8')).not.toBe(before);
  });

  it('takes the manual route step by step', async () => {
    const out = join(folder, 'manual');
    const steps = [
      ['ca-key'],
      ['ca-cert', '--days', '7'],
      ['server-key'],
      ['signing-request', '--ip', '10.0.0.9'],
      ['server-cert', '--days', '7'],
    ];
    for (const step of steps) expect(await certs(...step, '--out', out)).toMatchObject({ code: 0, stderr: '' });
    expect(await verify(out, '-verify_ip', '10.0.0.9')).toBe(0);
    const shown = await run('openssl', ['x509', '-in', join(out, 'server.crt'), '-noout', '-text']);
    expect(shown.stdout).toMatch(/Subject: CN = 10\.0\.0\.9\n.*Public-Key: \(2048 bit\)/s);
  });

  it.each([
    [['--san', 'DNS:a'], "required option '--ip <address>' not specified"],
    [['--ip', '10.0.0.9', '--san', 'URI:x'], '"URI:x" is no subject alternative name'],
    [['--ip', '10.0.0.9', '--days', '0'], 'Give a number of days from 1 to 99999'],
    [['ca-cert'], 'make it with `certs ca-key` first'],
    [['server-cert'], 'make it with `certs ca-cert` first'],
    [['signing-request', '--ip', '10.0.0.9'], 'make it with `certs server-key` first'],
  ])('%j is refused with the reason, and writes no file', async (options, message) => {
    const out = join(folder, 'nothing');
    const { code, stderr } = await certs(...options, '--out', out);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(out)).toBe(false);
  });
});
