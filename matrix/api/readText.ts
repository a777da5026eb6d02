// Reads the text of a path that a user gives, up to a limit: a file, a pipe or a device.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';
import { ByteQueue } from './byteQueue.js';

const mebibyte = 1024 * 1024;
/** The most bytes of certificates, tokens, settings and objects. */
const usual = 16 * mebibyte;

/**
 * Reads a file, a pipe or a device as UTF-8. Throws an error of the operating system, or Error if there are more bytes: all
 * of a device without an end would fill the memory. Nothing else happens while it waits for who writes into a pipe.
 */
export function readText(file: string, most = usual): string {
  const descriptor = openSync(file, 'r');
  try {
    return readAll(descriptor, most);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads like `readText`, and lets this process do other things, such as end, while it waits for a pipe or a terminal. */
export async function awaitText(file: string, most = usual): Promise<string> {
  // Windows has no such flag. Elsewhere, the plain way to open a pipe waits for a writer.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stream = streamOf(descriptor);
  if (stream !== undefined) return await readStream(stream, most);
  try {
    return readAll(descriptor, most);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a stream of what may let its reader wait. */
function streamOf(descriptor: number): Socket | undefined {
  if (fstatSync(descriptor).isFIFO()) return new Socket({ fd: descriptor, readable: true, writable: false });
  return isatty(descriptor) ? new ReadStream(descriptor) : undefined;
}

async function readStream(stream: Socket, most: number): Promise<string> {
  const received = new ByteQueue();
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    received.push(chunk);
    if (received.length > most) throw tooLong(most);
  }
  return received.bytes.toString();
}

function readAll(descriptor: number, most: number): string {
  const received = new ByteQueue();
  while (received.length <= most) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const count = readSync(descriptor, chunk);
    if (count === 0) return received.bytes.toString();
    received.push(chunk.subarray(0, count));
  }
  throw tooLong(most);
}

const tooLong = (most: number): Error => new Error(`it is longer than ${most / mebibyte} MiB: give another file`);
