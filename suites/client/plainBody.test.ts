// Tests the body of a compressed stream: what is flushed is there at once, and either end closes the other.
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import { expect, it } from 'vitest';
import { plainBody } from './transport.js';

const headers = { 'content-encoding': 'gzip' };

/** Returns a compressed stream, what is written to it, and what is read of it. */
function compressed() {
  const gzip = createGzip();
  const sent = gzip.pipe(new PassThrough());
  const read: string[] = [];
  const body = plainBody(headers, sent);
  body.on('data', (chunk: Buffer) => read.push(chunk.toString()));
  return { gzip, sent, body, read };
}

it('has what was flushed before the stream ends', async () => {
  const { gzip, read } = compressed();
  gzip.write('one');
  gzip.flush();
  await expect.poll(() => read).toEqual(['one']);
});

it('ends with the stream', async () => {
  const { gzip, body, read } = compressed();
  gzip.end('all');
  await expect.poll(() => body.readableEnded).toBe(true);
  expect(read).toEqual(['all']);
});

it('closes the connection with its reader', async () => {
  const { sent, body } = compressed();
  body.destroy();
  await expect.poll(() => sent.destroyed).toBe(true);
});

it('is the stream itself where nothing is compressed', () => {
  const sent = new PassThrough();
  expect(plainBody({}, sent)).toBe(sent);
});
