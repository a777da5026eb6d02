// gRPC to one member of an etcd, on an HTTP/2 session of Node: single calls, and streams in both directions. Not a package,
// because a call of @grpc/grpc-js costs twice as much CPU, and one of connect-node five times as much.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { Deadlines } from './deadlines.js';
import type { Endpoints } from './endpoints.js';
import { framed, MessageReader } from './frames.js';
import type { Method } from './messages.js';

/** The codes of gRPC that this client tells apart. */
export const codes = { ok: 0, cancelled: 1, unknown: 2, deadlineExceeded: 4, internal: 13, unavailable: 14 } as const;

/** How a call failed: a code of gRPC, and the words of etcd or of the connection. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  /** `isUnsent`: the request has not left this process, or etcd has refused to look at it. */
  constructor(
    readonly code: number,
    message: string,
    readonly isUnsent = false,
  ) {
    super(message);
  }
}

/** A stream in both directions. */
export interface Duplex<Request> {
  write(request: Request): void;
  /** Ends the stream. Nothing is told afterwards. */
  cancel(): void;
}

/** What the reader of a stream is told: each message, and the end once. */
export interface StreamReader<Response> {
  readonly data: (response: Response) => void;
  /** Undefined if etcd ended the stream without an error. */
  readonly end: (failure: CallFailed | undefined) => void;
}

/** How often a member is asked whether it is there, and how long it may take to answer, in milliseconds. */
const pingMillis = 10_000;
/** The bytes that a member may send before they are read: pages of large objects. */
const windowBytes = 4 * 1024 * 1024;
/** The megabytes that the streams of a session may hold: pages of large objects, and the writes that wait. */
const sessionMegabytes = 512;

/** A session, and whether the member has accepted it: what is asked before waits in this process. */
interface Link {
  readonly session: ClientHttp2Session;
  isConnected: boolean;
}

export class Connection {
  readonly #deadlines = new Deadlines();
  #link: Link | undefined;

  constructor(
    readonly address: string,
    readonly tls: Endpoints['tls'],
  ) {}

  /** Calls a method, and fails after `millis` milliseconds. Rejects with CallFailed. */
  call<Request, Response>(
    { path, encode, decode }: Method<Request, Response>,
    request: Request,
    millis: number,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      let response: Response | undefined;
      const link = this.#linked();
      const stream = exchange(
        link,
        path,
        decode,
        {},
        {
          data: (message) => {
            response = message;
          },
          end: (failure) => {
            over();
            if (failure !== undefined) reject(failure);
            else if (response === undefined) reject(new CallFailed(codes.internal, 'etcd sent no message'));
            else resolve(response);
          },
        },
      );
      const over = this.#deadlines.after(millis, () => {
        reject(new CallFailed(codes.deadlineExceeded, `no response for ${millis} ms`, !link.isConnected));
        // The next call connects again.
        if (link.isConnected) stream.close(constants.NGHTTP2_CANCEL);
        else link.session.destroy();
      });
      stream.end(framed(encode(request)));
    });
  }

  /** Opens a stream, which fails if the member loses its leader. */
  open<Request, Response>(
    { path, encode, decode }: Method<Request, Response>,
    reader: StreamReader<Response>,
  ): Duplex<Request> {
    let isOver = false;
    const stream = exchange(
      this.#linked(),
      path,
      decode,
      { hasleader: 'true' },
      {
        data: (message) => {
          if (!isOver) reader.data(message);
        },
        end: (failure) => {
          if (!isOver) reader.end(failure);
          isOver = true;
        },
      },
    );
    return {
      write: (request) => void stream.write(framed(encode(request))),
      cancel: () => {
        isOver = true;
        stream.close(constants.NGHTTP2_CANCEL);
      },
    };
  }

  /** Ends all calls and streams. */
  close(): void {
    this.#link?.session.destroy();
  }

  /** Returns the session, and begins to connect if there is none. A request waits until it is connected. */
  #linked(): Link {
    const known = this.#link?.session;
    if (this.#link !== undefined && known?.closed === false && !known.destroyed) return this.#link;
    const { ca, certificate, key } = this.tls ?? {};
    const session = connect(`${this.tls ? 'https' : 'http'}://${this.address}`, {
      ...(ca && { ca }),
      ...(certificate && { cert: certificate }),
      ...(key && { key }),
      settings: { enablePush: false, initialWindowSize: windowBytes },
      maxSessionMemory: sessionMegabytes,
    });
    const link: Link = { session, isConnected: false };
    session.on('connect', () => {
      link.isConnected = true;
      watchOver(session);
      session.setLocalWindowSize(windowBytes);
    });
    // The streams of the session tell the error.
    session.on('error', () => {});
    this.#link = link;
    return link;
  }
}

/** Begins an exchange: the caller writes the messages of the request. */
function exchange<Response>(
  link: Link,
  path: string,
  decode: (bytes: Buffer) => Response,
  headers: Readonly<Record<string, string>>,
  reader: StreamReader<Response>,
): ClientHttp2Stream {
  const stream = link.session.request({
    ':method': 'POST',
    ':path': path,
    te: 'trailers',
    'content-type': 'application/grpc',
    ...headers,
  });
  const messages = new MessageReader();
  let [isTold, failure, reason]: [boolean, CallFailed | undefined, string] = [false, undefined, 'the connection ended'];
  const told = (head: Readonly<Record<string, unknown>>) => {
    isTold = true;
    failure = failureIn(head);
  };
  stream.on('response', (head) => {
    if (head[':status'] !== 200) reason = `etcd answered ${head[':status']}`;
    else if (head['grpc-status'] !== undefined) told(head);
  });
  stream.on('trailers', told);
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const message of messages.push(chunk)) reader.data(decode(message));
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  stream.on('error', (error) => {
    reason = error.message;
  });
  stream.on('close', () => {
    const isUnsent = !link.isConnected || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    reader.end(isTold ? failure : new CallFailed(codes.unavailable, reason, isUnsent));
  });
  return stream;
}

/** Ends a session whose member does not answer: the machine of a member may be gone without an end of its connections. */
function watchOver(session: ClientHttp2Session): void {
  let late: NodeJS.Timeout | undefined;
  const asking = setInterval(() => {
    if (session.closed || session.destroyed) return stop();
    late ??= setTimeout(() => session.destroy(new Error('the member does not answer')), pingMillis);
    session.ping(() => {
      clearTimeout(late);
      late = undefined;
    });
  }, pingMillis);
  asking.unref();
  const stop = () => {
    clearInterval(asking);
    clearTimeout(late);
  };
  session.on('close', stop);
}

/** Returns the failure that trailers tell; undefined for a success. */
function failureIn(trailers: Readonly<Record<string, unknown>>): CallFailed | undefined {
  const code = Number(trailers['grpc-status'] ?? codes.unknown);
  return code === codes.ok ? undefined : new CallFailed(code, decoded(String(trailers['grpc-message'] ?? '')));
}

/** Returns the text of a status, which is percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
