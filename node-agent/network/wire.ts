// A connection within this process: two ends, of which each notices what becomes of the other.
import { type Duplex, duplexPair } from 'node:stream';

/** Two ends of a connection. Where one breaks off, the other does too; where one closes, the other reads to the end. */
export function makeWire(): [Duplex, Duplex] {
  const [near, far] = duplexPair();
  join(near, far);
  join(far, near);
  return [near, far];
}

function join(one: Duplex, other: Duplex): void {
  one.once('close', () => {
    if (!one.writableFinished || other.readableEnded) other.destroy();
    else other.once('end', () => other.destroy());
  });
}
