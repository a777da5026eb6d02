import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../suites/requirements/index.js';
import { hostile } from '../testing/hostile.js';
import { exchange } from '../testing/sample.js';
import { curlLine } from './curl.js';

const url = 'https://127.0.0.1:6443';

/** Runs the line in a shell whose curl records its arguments and its input. */
function run(line: string): { words: string[]; input: Buffer } {
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; case "$*" in *@-*) printf 'INPUT\\0'; cat;; esac; }\n${line}\n`;
  const out = execFileSync('sh', ['-c', script], {
    env: { PATH: process.env.PATH, TOKEN: 'to ken', CA: '/c a', USERNAME: 'u', PASSWORD: 'p w' },
  });
  const at = out.indexOf('INPUT\0');
  const words = (at === -1 ? out : out.subarray(0, at)).toString().split('\0').slice(0, -1);
  return { words, input: at === -1 ? Buffer.alloc(0) : out.subarray(at + 6) };
}

const withRequest = (more: Partial<Exchange['request']>): Exchange =>
  exchange('x', { request: { method: 'POST', url: `${url}/api/v1/pods`, headers: [], ...more } });
const headersOf = (words: readonly string[]): string[] => words.filter((_, index) => words[index - 1] === '-H');

describe('the curl line', () => {
  it('sends the same request', () => {
    const { words } = run(curlLine(exchange('x'), url));
    expect(words).toEqual([
      ...['-sSi', '--globoff', '--path-as-is', '-X', 'POST', '--cacert', '/c a'],
      ...[
        '-H',
        'accept: application/json',
        '-H',
        'content-type: application/json',
        '-H',
        'Authorization: Bearer to ken',
      ],
      ...['--data-binary', '{"kind":"Pod"}', '--url', `${url}/api/v1/namespaces/ns/pods`],
    ]);
  });

  it.each([
    ...hostile,
    ['a quote', `it's '"\`$(touch /tmp/x)\` \\ !!\n#`] as const,
    ['a file', '@/etc/passwd'] as const,
  ])('sends %s as a body, byte by byte, without expansion by the shell', (_, text) => {
    const { words, input } = run(curlLine(withRequest({ body: { text, bytes: Buffer.byteLength(text) } }), url));
    const sent = words[words.indexOf('--data-binary') + 1];
    if (sent === '@-') expect(input).toEqual(Buffer.from(text));
    else expect(sent).toBe(text);
    expect(sent).not.toBe('@/etc/passwd');
    expect(words.at(-1)).toBe(`${url}/api/v1/pods`);
  });

  it('sends a binary body', () => {
    const bytes = Buffer.from([0, 255, 10, 39]);
    const { input } = run(curlLine(withRequest({ body: { base64: bytes.toString('base64'), bytes: 4 } }), url));
    expect(input).toEqual(bytes);
  });

  it.each(hostile)('quotes url, method and headers with %s', (_, text) => {
    const shown = text.replace(/\0/g, '').replace(/\p{Surrogate}/gu, '');
    const line = curlLine(
      withRequest({
        method: shown,
        url: `${url}/${shown}`,
        headers: [
          ['x-a', text.replace(/\p{Surrogate}/gu, '')],
          [text, 'dropped'],
        ],
      }),
      url,
    );
    const { words } = run(line);
    expect(words[4]).toBe(shown);
    expect(words.at(-1)).toBe(`${url}/${shown}`);
    expect(headersOf(words)).toEqual([expect.stringMatching(/^x-a: /), 'Accept:']);
  });

  it('never shows a credential', () => {
    const bearer = curlLine(withRequest({ headers: [['Authorization', 'Bearer s3cret']] }), url);
    const basic = curlLine(withRequest({ headers: [['AUTHORIZATION', 'Basic czNjcmV0']] }), url);
    expect(bearer + basic).not.toMatch(/s3cret|czNjcmV0/);
    expect(run(basic).words).toContain('u:p w');
  });

  it('keeps curl from adding headers, and from dropping empty ones', () => {
    const { words } = run(
      curlLine(
        withRequest({
          headers: [
            ['x-empty', ''],
            ['content-length', '2'],
          ],
          body: { text: '{}', bytes: 2 },
        }),
        url,
      ),
    );
    expect(headersOf(words)).toEqual(['x-empty;', 'Accept:', 'Content-Type:']);
  });

  it('completes a path with the url of the target', () => {
    const { words } = run(curlLine(withRequest({ url: '/api' }), 'http://127.0.0.1:8080/'));
    expect(words.at(-1)).toBe('http://127.0.0.1:8080/api');
    expect(words).not.toContain('--cacert');
  });
});
