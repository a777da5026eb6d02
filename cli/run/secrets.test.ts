// Tests that no output of a run contains a secret in any form, and that only the owner can read files with secrets.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { startServing } from '../testing/serving.js';
import { writeTestFixtures } from '../testing/testFixtures.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const tap = pathToFileURL(join(root, 'cli/testing/secretTap.mjs')).href;

/** The chosen cases: each mechanism, invalid credentials, and all cases that create Secrets. */
const choices: readonly (readonly string[])[] = [
  ['--grep', 'authentication.o'],
  ['--grep', 'authentication.pass'],
  ['--grep', 'validation.secret'],
  ['--chapter', 'tokenReview,serviceAccounts'],
];

/** The run whose cases Playwright runs. */
const ofPlaywright = 'run-0';

/** The minimum length of a secret to search for; shorter ones may be words. */
const shortest = 8;

let folder: string;
let temporary: string;
/** The files and output of the runs, by name. */
const written = new Map<string, Buffer>();
/** All files that were in the temporary folder at any time, with their modes. */
const temporaries = new Map<string, { readonly mode: number; readonly text: string }>();
/** All secrets, with the place where each was seen. */
const secrets = new Map<string, string>();

/** Yields all files below a folder. */
function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Returns what a file holds, unpacked if it is compressed. */
const plain = (path: string): Buffer => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path));

function look(): void {
  try {
    for (const path of filesBelow(temporary)) {
      // The suite's own code contains the invalid credentials.
      if (path.includes('playwright-transform-cache')) continue;
      const { mode, size, mtimeMs } = statSync(path);
      const key = `${path} ${size} ${mtimeMs}`;
      if (!temporaries.has(key)) temporaries.set(key, { mode: mode & 0o777, text: readFileSync(path, 'utf8') });
    }
  } catch {
    // The file has been removed meanwhile.
  }
}

/** A run for Allure is one of Playwright; without Allure, one worker runs its few cases. */
async function run(name: string, ...options: readonly string[]): Promise<void> {
  const output = join(folder, name);
  const looking = setInterval(look, 200);
  const env = { ...process.env, TMPDIR: temporary, SECRET_TAP: join(folder, 'tap'), NODE_OPTIONS: `--import=${tap}` };
  const printed = await new Promise<string>((resolve) => {
    const outputs = ['--output', output, ...(name === ofPlaywright ? ['--allure', join(output, 'allure')] : [])];
    execFile(process.execPath, [main, ...options, ...outputs], { env, maxBuffer: 1 << 26 }, (_, out, err) =>
      resolve(out + err),
    );
  });
  clearInterval(looking);
  written.set(`${name}, printed`, Buffer.from(printed));
  for (const path of filesBelow(output)) written.set(relative(folder, path), plain(path));
}

/** Yields all strings in a value that are long enough for a secret and are not words. */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* stringsIn(each);
}

function learn(secret: string, seen: string): void {
  if (secret.length >= shortest) secrets.set(secret, seen);
}

/** Records the decoded values of a Secret, except for the public ones. */
function learnSecrets(value: AnyShape): void {
  for (const each of [value, value?.object, ...(value?.items ?? [])]) {
    if (each?.kind !== 'Secret' && each?.type === undefined) continue;
    // The suite's own samples hold no secrets: only the token of a service account is one.
    const isOfRun = String(each.metadata?.namespace).startsWith('kac-') || each.data?.['sample-key'] !== undefined;
    for (const [key, data] of Object.entries(each.data ?? {}))
      if (isOfRun ? key === 'token' : key !== 'ca.crt' && key !== 'namespace')
        learn(Buffer.from(String(data), 'base64').toString('utf8'), key);
  }
}

function learnTap(): void {
  for (const line of readFileSync(join(folder, 'tap'), 'utf8').trim().split('\n')) {
    const { kind, text } = JSON.parse(line) as { readonly kind: string; readonly text: string };
    if (kind === 'authorization') {
      const [, scheme = '', shown = ''] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
      if (/^bearer$/i.test(scheme) && shown.length >= 24) learn(shown, 'bearer');
      const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(shown, 'base64').toString('utf8')) ?? [];
      if (/^basic$/i.test(scheme)) {
        learn(shown, 'basic');
        learn(password, 'password');
      }
    } else if (kind === 'answer') {
      for (const each of [text, ...text.split('\n')]) {
        try {
          learnSecrets(load(each) as AnyShape);
        } catch {
          // A part of a response, or not an object.
        }
      }
    }
  }
}

function learnFiles(): void {
  const isOf =
    (kind: string) =>
    ([path]: readonly [string, unknown]) =>
      path.includes(kind);
  // The key of an elliptic curve contains the public key, which is also in the certificate.
  const certificates = [...temporaries].filter(isOf('.crt ')).map(([, { text }]) => text.replace(/\s/g, ''));
  for (const [path, { text }] of temporaries) {
    for (const [key] of text.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+/g)) {
      const lines = key.split(/\\n|\n/).filter((line) => line.length >= 32 && !line.startsWith('-'));
      for (const line of lines)
        if (!certificates.some((certificate) => certificate.includes(line))) learn(line, `a key in ${path}`);
    }
    // A file that was being written when it was looked at is there once more, whole.
    if (path.includes('fixtures.json') && text.trimEnd().endsWith('}'))
      for (const each of stringsIn(JSON.parse(text).secrets)) learn(each, path);
    if (path.includes('kubeconfig ')) for (const [, token = ''] of text.matchAll(/token: (\S+)/g)) learn(token, path);
  }
}

/** Returns a secret in these forms: raw, in JSON, in a URL, in hex, and within base64. */
function formsOf(secret: string): Map<string, string> {
  const bytes = Buffer.from(secret);
  const forms: [string, string][] = [
    ['raw', secret],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON twice', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['XML', secret.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')],
    ['URL', encodeURIComponent(secret)],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
  ];
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const inner = encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor((8 * (offset + bytes.length)) / 6));
    forms.push([`base64 after ${offset}`, inner]);
    forms.push([`base64 of URLs after ${offset}`, inner.replaceAll('+', '-').replaceAll('/', '_')]);
  }
  return new Map(forms.map(([name, form]) => [form, name]));
}

/** Returns the secrets in the texts with their forms. Searches each text once. */
function found(texts: ReadonlyMap<string, Buffer>): string[] {
  const known = new Map<string, { readonly form: string; readonly what: string }[]>();
  for (const [secret, seen] of secrets)
    for (const [text, name] of formsOf(secret)) {
      const form = Buffer.from(text).toString('latin1');
      const beginning = form.slice(0, shortest);
      known.set(beginning, [
        ...(known.get(beginning) ?? []),
        { form, what: `${seen}, ${name}: ${secret.slice(0, 60)}` },
      ]);
    }
  const all: string[] = [];
  for (const [name, bytes] of texts) {
    const text = bytes.toString('latin1');
    for (let at = 0; at + shortest <= text.length; at += 1)
      for (const { form, what } of known.get(text.slice(at, at + shortest)) ?? [])
        if (text.startsWith(form, at)) all.push(`${name}: ${what}`);
  }
  return all;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  temporary = join(folder, 't');
  mkdirSync(temporary);
  for (const [index, choice] of choices.entries())
    await run(`run-${index}`, 'run', '--target', 'reference-server', ...choice);
  // A run with failures prints long messages.
  const fixtures = join(temporary, 'made');
  await writeTestFixtures(fixtures);
  const file = (name: string): string => join(fixtures, name);
  const server = await startServing(
    ...['--tls-cert-file', file('server.crt'), '--tls-private-key-file', file('server.key')],
    ...['--root-ca-file', file('ca.crt'), '--token-auth-file', file('tokens.csv'), '--nodes', '0'],
  );
  look();
  const given = ['run', '--kubeconfig', server.kubeconfig, '--fixtures', fixtures, '--features', 'all'];
  await run('failing', ...given, '--grep', 'authentication.password');
  await server.stop();
  learnTap();
  learnFiles();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secrets of runs', () => {
  it('were of every kind', () => {
    const seen = [...secrets.values()].join('\n');
    for (const kind of [
      /^bearer$/m,
      /^basic$/m,
      /^password$/m,
      /^token$/m,
      /a key in .*fixtures\.json/,
      /a key in .*server\.key/,
      /fixtures\.json/,
    ])
      expect(seen).toMatch(kind);
    expect(secrets.size).toBeGreaterThan(100);
    expect(written.get('failing/report.json')?.toString()).toContain('"failed"');
    for (const name of ['evidence.jsonl.gz', 'index.html', 'junit.xml', 'report.json', 'summary.md'])
      expect([...written.keys()]).toContain(`run-0/${name}`);
    expect([...written.keys()].filter((name) => /^run-0\/allure\/.*-result\.json$/.test(name))).not.toEqual([]);
  });

  it('are in no file and no output of the runs, in no form', () => {
    expect(found(written)).toEqual([]);
  });

  it('are in files of their owner only', () => {
    const forAll = [...temporaries].filter(([, { mode }]) => (mode & 0o077) !== 0);
    expect(found(new Map(forAll.map(([path, { text }]) => [path, Buffer.from(text)])))).toEqual([]);
  });

  it('are not left behind', () => {
    expect(readdirSync(temporary).filter((name) => name.startsWith('kube-api-conformance'))).toEqual([]);
  });
});
