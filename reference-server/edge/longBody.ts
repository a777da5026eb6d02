// Writes a body that exists in many small parts: packed into pieces, the next one when the one before is on its way.
import type { ServerResponse } from 'node:http';

/** Large enough to make the parts count little, small enough to come from the heap and to go out at once. */
const pieceBytes = 64 * 1024;

/**
 * Ends the response with the parts. Only one piece is in memory at a time, whatever the length of the body and however
 * slowly it is read; a client that is gone ends it.
 */
export async function endWithParts(response: ServerResponse, parts: readonly Uint8Array[]): Promise<void> {
  // Node has encrypted and handed on a piece when it says that it is written, so one buffer serves for all.
  const piece = Buffer.allocUnsafeSlow(pieceBytes);
  let filled = 0;
  for (const part of parts) {
    if (filled > 0 && filled + part.length > pieceBytes) {
      await written(response, piece.subarray(0, filled));
      if (response.destroyed) return;
      filled = 0;
    }
    if (part.length > pieceBytes) await written(response, part);
    else {
      piece.set(part, filled);
      filled += part.length;
    }
  }
  response.end(piece.subarray(0, filled));
}

/** Whether a body of these parts is better written in pieces. */
export const isLong = (length: number): boolean => length > pieceBytes;

function written(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.write(bytes, () => {
      response.off('close', resolve);
      resolve();
    });
  });
}
