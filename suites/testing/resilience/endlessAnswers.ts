// Answers without end: each row goes on writing to a socket until its other end closes it.
import type { Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import { pour } from './badServers.js';

export type Endless = (socket: Socket) => void;

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const kilobytes = 'x'.repeat(64 * 1024);

/** Begins with one text, and goes on with another as fast as the client reads. */
const pouring =
  (first: string, more: string): Endless =>
  (socket) => {
    socket.write(first);
    pour(socket, more);
  };

/** Begins with one text, and goes on with the characters of another, one every 50 ms. */
const dripping =
  (first: string, more: string): Endless =>
  (socket) => {
    socket.write(first);
    let at = 0;
    const timer = setInterval(() => {
      socket.write(more[at % more.length] as string);
      at += 1;
    }, 50);
    socket.once('close', () => clearInterval(timer));
  };

const event = '{"type":"ADDED","object":{"metadata":{"name":"x"}}}';

export const endlessAnswers = {
  'a body in chunks': pouring(chunked, chunkOf(kilobytes)),
  'a list in chunks': pouring(
    `${chunked}${chunkOf('{"kind":"List","items":[')}`,
    chunkOf('{"metadata":{}},'.repeat(4_000)),
  ),
  'a body that drips': dripping(`${head}content-length: 100000000\r\n\r\n`, ' '),
  'chunks of one byte that drip': dripping(`${chunked}2\r\n{"\r\n`, '1\r\na\r\n'),
  'a body as long as it says, of a petabyte': pouring(`${head}content-length: 1000000000000000\r\n\r\n`, kilobytes),
  'a chunk of a petabyte': pouring(`${chunked}38d7ea4c68000\r\n`, kilobytes),
  'an extension of a chunk': pouring(`${chunked}1;`, kilobytes),
  headers: pouring(head, `x-more: ${'y'.repeat(1_000)}\r\n`),
  'headers that drip': dripping(head, 'x-more: y\r\n'),
  'a header': pouring(`${head}x-long: `, kilobytes),
  'a header that drips': dripping(`${head}x-long: `, 'y'),
  trailers: pouring(`${chunked}${chunkOf('{}')}0\r\n`, `x-more: ${'y'.repeat(1_000)}\r\n`),
  'trailers that drip': dripping(`${chunked}${chunkOf('{}')}0\r\n`, 'x-more: y\r\n'),
  'informational responses': pouring('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
  'informational responses that drip': dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'a reason phrase': pouring('HTTP/1.1 200 ', kilobytes),
  events: pouring(chunked, chunkOf(`${event}\n`.repeat(1_000))),
  'an event without a newline': pouring(`${chunked}${chunkOf('{"type":"ADDED","object":{"a":"')}`, chunkOf(kilobytes)),
  'an event that drips': dripping(`${chunked}${chunkOf('{"type":"ADDED","object":{"a":"')}`, '1\r\nx\r\n'),
  gzip: (socket) => {
    socket.write(`${head}content-encoding: gzip\r\n\r\n`);
    const zip = createGzip({ level: 1 });
    const zeros = Buffer.alloc(64 * 1024);
    const more = (): void => {
      while (!socket.destroyed && zip.write(zeros));
    };
    zip.on('drain', more).pipe(socket);
    socket.once('close', () => zip.destroy());
    more();
  },
} as const satisfies Readonly<Record<string, Endless>>;
