// Header blocks of SPDY/3: names and values, compressed as one sequence per connection.
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { dictionary } from './dictionary.js';
import { uint32 } from './frames.js';

/** The maximum size of a decompressed header block: a small block can be gigabytes. */
const longest = 1024 * 1024;

export type SpdyHeaders = Readonly<Record<string, string>>;

/** One direction of a connection. Blocks must be passed in the order of their frames. */
class Through {
  readonly #zlib: Deflate | Inflate;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(zlib: Deflate | Inflate) {
    this.#zlib = zlib;
    zlib.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > longest) zlib.destroy(new Error(`a header block is larger than ${longest} bytes`));
      else this.#chunks.push(chunk);
    });
  }

  /** Returns the compressed or decompressed block. Rejects if the block cannot be read. */
  async put(block: Buffer): Promise<Buffer> {
    [this.#chunks, this.#size] = [[], 0];
    await new Promise<void>((resolve, reject) => {
      this.#zlib.once('error', reject);
      this.#zlib.write(block);
      this.#zlib.flush(constants.Z_SYNC_FLUSH, () => {
        this.#zlib.off('error', reject);
        resolve();
      });
    });
    return Buffer.concat(this.#chunks);
  }

  close(): void {
    this.#zlib.on('error', () => undefined).close();
  }
}

/** Writes and reads the header blocks of one connection. */
export class HeaderBlocks {
  readonly #out = new Through(createDeflate({ dictionary }));
  readonly #in = new Through(createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH }));

  encode(headers: SpdyHeaders): Promise<Buffer> {
    const pairs = Object.entries(headers).flatMap(([name, value]) => [counted(name.toLowerCase()), counted(value)]);
    return this.#out.put(Buffer.concat([uint32(pairs.length / 2), ...pairs]));
  }

  /** Rejects if the block is malformed. */
  async decode(block: Buffer): Promise<SpdyHeaders> {
    const plain = await this.#in.put(block);
    const headers: Record<string, string> = {};
    let at = 4;
    const text = (): string => {
      const start = at + 4;
      at = start + plain.readUInt32BE(at);
      if (at > plain.length) throw new Error('a header block ends within a header');
      return plain.toString('utf8', start, at);
    };
    for (let left = plain.readUInt32BE(0); left > 0; left -= 1) headers[text()] = text();
    return headers;
  }

  close(): void {
    this.#out.close();
    this.#in.close();
  }
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint32(bytes.length), bytes]);
}
