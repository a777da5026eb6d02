// Writes a body of many small parts in pieces, each after the previous one is sent.
import type { ServerResponse } from 'node:http';
import type { Parts } from '../codecs/codec.js';
import { Turns } from '../turns.js';

/** Large enough to make the number of parts irrelevant, and small enough to send at once. */
const pieceBytes = 64 * 1024;
/**
 * The most bytes of a body that wait until its length is known, and the longest body of a cache whose length is counted
 * first. Node.js copies each piece of a body without a length once more, to frame it.
 */
const [beginningBytes, countedBytes] = [1024 * 1024, 16 * 1024 * 1024];
/** What each part counts beside its length until the next look at the clock, in bytes: small parts cost time too. */
const smallPartBytes = 2048;
/** The time limit for the client to read one piece, in milliseconds. */
const usualPatience = 60_000;

/** Reports whether a body of this length, in bytes, is written in pieces. */
export const isLongBody = (length: number): boolean => length > pieceBytes;

interface Beginning {
  readonly parts: Iterable<Uint8Array>;
  /** The bytes of all parts; absent if some are not made yet. */
  readonly length?: number;
}

/** Returns a function that says after which parts to look at the clock: a look costs as much as a part of a cache. */
function looks(): (part: Uint8Array) => boolean {
  let bytes = 0;
  return ({ length }) => {
    bytes += length + smallPartBytes;
    if (bytes < pieceBytes) return false;
    bytes = 0;
    return true;
  };
}

/**
 * Makes the first parts of a body, in turns with other requests. Parts that a cache keeps are counted and made again: a
 * cache may have dropped them, and then they would take memory for each client.
 */
export async function beginningOf(parts: Parts): Promise<Beginning> {
  const [turns, isLook] = [new Turns(), looks()];
  if (parts.areKept) {
    let length = 0;
    for (const part of parts) {
      length += part.length;
      if (length > countedBytes) break;
      if (isLook(part) && turns.isOver) await turns.next();
    }
    if (length <= countedBytes) return { parts, length };
  }
  const left = parts[Symbol.iterator]();
  const first: Uint8Array[] = [];
  for (let length = 0; length <= beginningBytes; ) {
    const { done, value } = left.next();
    if (done) return { parts: first, length };
    first.push(value);
    length += value.length;
    if (isLook(value) && turns.isOver) await turns.next();
  }
  return { parts: inOrder(first, { [Symbol.iterator]: () => left }) };
}

function* inOrder(first: Uint8Array[], rest: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield* first.splice(0);
  yield* rest;
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
  const [turns, isLook] = [new Turns(), looks()];
  let filled = 0;
  for (const part of parts) {
    if (isLook(part) && turns.isOver) await turns.next();
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
