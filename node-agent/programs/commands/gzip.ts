// gzip between the streams of programs, a piece at a time.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Input, type Output, outputTo } from '../../kernel/streams.js';

/** The compressed bytes are not gzip, damaged or cut off. The message equals that of the program gzip. */
export class GzipError extends Error {
  override readonly name = 'GzipError';
}

/** The words of gzip for the errors of zlib. */
const reasons: Readonly<Record<string, string>> = {
  'incorrect header check': 'not in gzip format',
  'unexpected end of file': 'unexpected end of file',
  'incorrect data check': 'invalid compressed data--crc error',
  'incorrect length check': 'invalid compressed data--length error',
};

/** Returns an output that writes compressed bytes to another one. `end` writes the last bytes; call `close` at last. */
export function compressTo(to: Output): { readonly output: Output; end(): Promise<void>; close(): void } {
  const stream = createGzip();
  const { write } = outputTo(stream);
  const written = (async () => {
    for await (const chunk of stream) await to.write(chunk);
  })();
  written.catch(() => {});
  return {
    output: {
      write: (chunk) =>
        write(chunk).catch(async (error) => {
          // The output that receives the compressed bytes knows the reason.
          await written;
          throw error;
        }),
    },
    end: async () => {
      stream.end();
      await written;
    },
    close: () => void stream.destroy(),
  };
}

/** Returns an input that reads the decompressed bytes of another one. Its reads reject with GzipError. */
export function decompress(input: Input): Input {
  const stream = createGunzip();
  // The first bytes show whether there are any: no bytes at all are no error to zlib.
  let empty = true;
  const compressed = async function* () {
    for await (const chunk of input) {
      empty &&= chunk.length === 0;
      yield chunk;
    }
  };
  const ended = pipeline(Readable.from(compressed(), { highWaterMark: 1 }), stream);
  ended.catch(() => {});
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  return new Input({
    read: async () => {
      try {
        const next = await chunks.next();
        if (next.done === true && empty) throw new GzipError('unexpected end of file');
        return next.done === true ? undefined : next.value;
      } catch (error) {
        throw isZlibError(error)
          ? new GzipError(reasons[error.message] ?? 'invalid compressed data--format violated')
          : error;
      }
    },
    close: () => void stream.destroy(),
  });
}

const isZlibError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
