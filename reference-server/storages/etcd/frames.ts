// The frames of gRPC: each message has a byte that says whether it is compressed, and its length in four bytes.

const headBytes = 5;

export function framed(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, headBytes);
  return frame;
}

/** Reads the messages of a stream, whatever the parts in which they come. */
export class MessageReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The bytes that are needed for the next step. */
  #needed = headBytes;

  /** Takes a part, and returns the messages that are complete now. Throws for a compressed message. */
  push(part: Buffer): Buffer[] {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes < this.#needed) return [];
    let rest = this.#parts.length === 1 ? part : Buffer.concat(this.#parts);
    const messages: Buffer[] = [];
    this.#needed = headBytes;
    while (rest.length >= headBytes) {
      if (rest[0] !== 0) throw new Error('a message is compressed, which this client did not ask for');
      const end = headBytes + rest.readUInt32BE(1);
      this.#needed = end;
      if (rest.length < end) break;
      messages.push(rest.subarray(headBytes, end));
      rest = rest.subarray(end);
      this.#needed = headBytes;
    }
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return messages;
  }
}
