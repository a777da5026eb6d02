// Writes a body that exists in many small parts: packed into pieces, the next one when the one before is on its way.
import type { ServerResponse } from 'node:http';

/** Large enough to make the parts count little, small enough to come from the heap and to go out at once. */
const pieceBytes = 64 * 1024;
/** How long a client may take for one piece, in milliseconds. */
const usualPatience = 60_000;

/** Whether a body of so many bytes is better written in pieces. */
export const isLong = (length: number): boolean => length > pieceBytes;

/**
 * Ends the response with the parts. Only one piece is in memory at a time, whatever the length of the body and however
 * slowly it is read. A client that is gone ends it, and one that takes nothing for too long is cut off.
 */
export async function endWithParts(
  response: ServerResponse,
  parts: readonly Uint8Array[],
  patience = usualPatience,
): Promise<void> {
  // Node has encrypted and handed on a piece when it says that it is written, so one buffer serves for all.
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  let filled = 0;
  for (const part of parts) {
    if (filled > 0 && filled + part.length > pieceBytes) {
      await written(response, piece.subarray(0, filled), patience);
      filled = 0;
    }
    if (part.length > pieceBytes) await written(response, part, patience);
    else {
      piece.set(part, filled);
      filled += part.length;
    }
    if (response.destroyed) return;
  }
  response.end(piece.subarray(0, filled));
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
