// Writes a body of many small parts in pieces, each after the previous one is sent.
import type { ServerResponse } from 'node:http';
import type { Parts } from '../codecs/codec.js';
import { Turns } from '../turns.js';

/** Large enough to make the number of parts irrelevant, and small enough to send at once. */
const pieceBytes = 64 * 1024;
/**
 * The most bytes of a body that wait until its length is known, and of one that a cache keeps. Node.js copies each piece
 * of a body without a length once more, to frame it.
 */
const [beginningBytes, keptBytes] = [1024 * 1024, 16 * 1024 * 1024];
/** The time limit for the client to read one piece, in milliseconds. */
const usualPatience = 60_000;

/** Reports whether a body of this length, in bytes, is written in pieces. */
export const isLongBody = (length: number): boolean => length > pieceBytes;

interface Beginning {
  readonly first: readonly Uint8Array[];
  readonly length: number;
  /** The parts that are not made yet; absent if the first ones are all. */
  readonly rest?: Iterable<Uint8Array>;
}

/** Makes the first parts of a body, in turns with other requests. */
export async function beginningOf(parts: Parts): Promise<Beginning> {
  const left = parts[Symbol.iterator]();
  const most = parts.areKept ? keptBytes : beginningBytes;
  const turns = new Turns();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length <= most) {
    const { done, value } = left.next();
    if (done) return { first, length };
    first.push(value);
    length += value.length;
    if (turns.isOver) await turns.next();
  }
  return { first, length, rest: { [Symbol.iterator]: () => left } };
}

/**
 * Writes parts, in turns with other requests. Only one piece is in memory at a time, even if the body is long and the
 * client is slow. Destroys the connection of a client that does not read a piece in time.
 */
export async function writeParts(
  response: ServerResponse,
  parts: Iterable<Uint8Array>,
  patience = usualPatience,
): Promise<void> {
  // Node.js has encrypted a piece before it calls back, so one buffer is enough.
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  const turns = new Turns();
  let filled = 0;
  for (const part of parts) {
    if (turns.isOver) await turns.next();
    if (filled > 0 && filled + part.length > pieceBytes) {
      await written(response, piece.subarray(0, filled), patience);
      filled = 0;
    }
    if (part.length > pieceBytes) {
      for (let at = 0; at < part.length && !response.destroyed; at += pieceBytes)
        await written(response, part.subarray(at, at + pieceBytes), patience);
    } else {
      piece.set(part, filled);
      filled += part.length;
    }
    if (response.destroyed) return;
  }
  if (filled > 0) await written(response, piece.subarray(0, filled), patience);
}

function written(response: ServerResponse, bytes: Uint8Array, patience: number): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => response.destroy(), patience);
    const done = () => {
      clearTimeout(late);
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    response.write(bytes, done);
  });
}
