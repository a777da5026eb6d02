// Megabytes over a slow link: sent in pieces, and awaited as long as bytes come.
import type { Client } from '../client/client.js';
import { Unchecked } from '../client/expect.js';

/** The bytes of a piece, as kubectl sends them. */
const piece = 32 * 1024;
/** How many times the usual time a slow link gets. */
const patience = 4;

export const piecesOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );

/**
 * Waits for many bytes. `wait` waits for their end within some milliseconds, and is called again if more bytes came in
 * that time. Throws Unchecked if they still come after four times the usual time: nothing is known about the rest.
 */
export async function whileMoving(
  client: Client,
  wait: (milliseconds: number) => Promise<boolean>,
  size: () => number,
): Promise<void> {
  const { streamTimeout } = client;
  let before = -1;
  for (let times = 0; size() > before; times += 1) {
    if (times === patience)
      throw new Unchecked(
        'skipped',
        `the link is slow: ${size()} bytes came in ${(patience * streamTimeout) / 1000} s`,
      );
    before = size();
    if (await wait(streamTimeout)) return;
  }
  client.health.lost('the bytes of a connection did not come');
}
