// Tests what becomes of the links of HTML, whole and byte by byte.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Links } from './links.js';

const rewrite = (html: string, size: number): Promise<string> => {
  const bytes = Buffer.from(html);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return text(Readable.from(pieces).pipe(new Links((link) => (link.startsWith('/') ? `/p${link}` : link))));
};
const long = 'x'.repeat(10_000);

it.each([
  ['<a href="/x">', '<a href="/p/x">'],
  ["<A id=a HREF = '/x' >t</A>", "<A id=a HREF = '/p/x' >t</A>"],
  ['<a href=/x>', '<a href=/p/x>'],
  ['<a title=">" href="/x">', '<a title=">" href="/p/x">'],
  ['<a href="x"><a href><a href=""><a href="#y">', '<a href="x"><a href><a href=""><a href="#y">'],
  [
    '<img src="/i" alt="/i"/><video poster="/v" src="/w">',
    '<img src="/p/i" alt="/i"/><video poster="/p/v" src="/p/w">',
  ],
  ['<link rel=x href=/c><form action="/f">', '<link rel=x href=/p/c><form action="/p/f">'],
  ['<p href="/x"> a < b </a href="/x">', '<p href="/x"> a < b </a href="/x">'],
  ['<!-- <a href="/x"> --><a href="/x">', '<!-- <a href="/x"> --><a href="/p/x">'],
  [
    '<script src="/s">"<a href=\'/x\'>"</SCRIPT><a href="/x">',
    '<script src="/p/s">"<a href=\'/x\'>"</SCRIPT><a href="/p/x">',
  ],
  ['<a href="/é">ü</a><a href="/x', '<a href="/p/é">ü</a><a href="/x'],
  ['<', '<'],
  [`<a href="/${long}"><a href="/x">`, undefined],
])('%s', async (html, expected) => {
  for (const size of [1, 7, 100_000]) {
    const made = await rewrite(html, size);
    if (expected !== undefined) expect(made).toBe(expected);
    else expect(made.replaceAll('/p/', '/')).toBe(html);
  }
});
