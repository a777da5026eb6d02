// What came of a request: an answer, read whole, or none.
import type { Dispatcher } from 'undici';
import type { Call } from './calls.js';
import { decode, isProtobuf, mediaTypeOf } from './decoders.js';
import { at, brief } from './json.js';
import { headerPairs } from './transport.js';

/** No answer came: the connection failed, broke, or the deadline passed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** An answer, read whole. */
export class Reply {
  #value: { readonly decoded: unknown } | undefined;

  constructor(
    readonly request: string,
    readonly status: number,
    readonly headers: Readonly<Record<string, string>>,
    readonly bytes: Buffer,
  ) {}

  get mediaType(): string {
    return mediaTypeOf(this.headers['content-type']);
  }

  /** The decoded body; throws where it is malformed. */
  value(): unknown {
    this.#value ??= { decoded: decode(this.headers['content-type'], this.bytes) };
    return this.#value.decoded;
  }

  /** The decoded body, or undefined where it does not decode. */
  tryValue(): unknown {
    try {
      return this.value();
    } catch {
      return undefined;
    }
  }

  /** The message of a Status, or the start of the body; of protobuf, what it says. */
  excerpt(): string {
    const value = this.tryValue();
    const message = at(value, 'message');
    if (typeof message === 'string') return brief(message);
    if (value !== undefined && isProtobuf(this.headers['content-type'])) return brief(value);
    return brief(this.bytes.toString('utf8', 0, 300));
  }
}

/** What an HTTP client says of an answer. */
type Head = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/** The answer to a call, from its head and its bytes. */
export function replyOf({ method, path }: Pick<Call, 'method' | 'path'>, answer: Head, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}
