// The outcome of a request: a response that was read whole, or none.
import type { Dispatcher } from 'undici';
import type { Call } from './calls.js';
import { decode, isProtobuf, mediaTypeOf } from './decoders.js';
import { at, brief } from './json.js';
import { headerPairs } from './transport.js';

/** No response arrived: the connection failed or broke, or the deadline passed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** A response that was read whole. */
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

  /** Returns the decoded body. Throws if the body is malformed. */
  value(): unknown {
    this.#value ??= { decoded: decode(this.headers['content-type'], this.bytes) };
    return this.#value.decoded;
  }

  /** Returns the decoded body; undefined if the body cannot be decoded. */
  tryValue(): unknown {
    try {
      return this.value();
    } catch {
      return undefined;
    }
  }

  /** Returns the message of a Status, or the start of the body; for protobuf, the decoded body. */
  excerpt(): string {
    const value = this.tryValue();
    const message = at(value, 'message');
    if (typeof message === 'string') return brief(message);
    if (value !== undefined && isProtobuf(this.headers['content-type'])) return brief(value);
    return brief(this.bytes.toString('utf8', 0, 300));
  }
}

/** The head of a response of the HTTP client. */
type Head = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>;

/** Returns the response to a call, from its head and its bytes. */
export function replyOf({ method, path }: Pick<Call, 'method' | 'path'>, answer: Head, bytes: Buffer): Reply {
  return new Reply(`${method} ${path}`, answer.statusCode, Object.fromEntries(headerPairs(answer.headers)), bytes);
}
