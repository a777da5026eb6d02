// Reads the text of a path that a user gives, up to a limit: a file, a pipe or a device.
import { closeSync, openSync, readSync } from 'node:fs';

const mebibyte = 1024 * 1024;
/** The most bytes of certificates, tokens, settings and objects. */
const usual = 16 * mebibyte;

/**
 * Reads a file, a pipe or a device as UTF-8. Throws an error of the operating system, or Error if there are more bytes: all
 * of a device without an end would fill the memory.
 */
export function readText(file: string, most = usual): string {
  const descriptor = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let length = 0; length <= most; ) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(descriptor, chunk);
      if (count === 0) return Buffer.concat(chunks).toString();
      chunks.push(chunk.subarray(0, count));
      length += count;
    }
    throw new Error(`it is longer than ${most / mebibyte} MiB: give another file`);
  } finally {
    closeSync(descriptor);
  }
}
