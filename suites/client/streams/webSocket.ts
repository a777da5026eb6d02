// A WebSocket to the target: received and sent messages, and the close.

import type { IncomingHttpHeaders } from 'node:http';
import WebSocket from 'ws';
import { defined } from '../../../matrix/api/index.js';
import type { Frame } from '../../requirements/index.js';
import type { SentHeaders } from '../calls.js';
import type { Redactor } from '../evidence/redaction.js';
import { recordedEvent } from '../evidence/writer.js';
import type { Health } from '../health.js';
import { readJson } from '../json.js';
import { readWhole, type TlsOptions } from '../transport.js';
import { Changes } from './changes.js';
import { type ChannelForm, splitMessage } from './channels.js';

/** One message: text, or bytes. */
export interface Message {
  readonly direction: Frame['direction'];
  /** Milliseconds since the request was sent. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly binary: boolean;
  /** The original bytes, if the message was translated. */
  readonly wire?: Buffer;
}

/** How the socket was closed: the code and reason of the closing handshake; 1006 if there was none. */
export interface Closing {
  readonly at: number;
  readonly code: number;
  readonly reason: string;
}

export interface Upgrade {
  readonly url: string;
  readonly headers: SentHeaders;
  /** Subprotocols in the order of preference. */
  readonly protocols: readonly string[];
  readonly tls: TlsOptions;
  /** The time of the request, as returned by `Date.now()`. */
  readonly started: number;
  /** Milliseconds that the response may take. */
  readonly deadline: number;
  /** Milliseconds that the reader waits for messages that must come at once. */
  readonly timeout: number;
  /** Records whether messages that must come at once do. */
  readonly health?: Health;
  /** Translates a received message before it is read; the identity when absent. */
  readonly rename?: (bytes: Buffer) => Buffer;
}

/** The response of a target: the upgrade, or another response with its body, which is read only for a refusal. */
export type Upgraded = { readonly headers: IncomingHttpHeaders; readonly status: number } & (
  | { readonly socket: Socket }
  | { readonly body: Buffer }
);

/** The Connection header of Firefox. Others send `Upgrade` alone. */
export const keptAlive = { connection: 'keep-alive, Upgrade' } as const;

/** Limits per connection. More ends the connection. */
const most = { messages: 10_000, bytes: 16 * 1024 * 1024 } as const;

/** Asks for an upgrade. Rejects if no response arrived, or if the response claims an upgrade and is invalid. */
export function upgrade(asked: Upgrade): Promise<Upgraded> {
  const { url, headers, protocols, tls, deadline } = asked;
  const connection = new WebSocket(url, [...protocols], {
    ...tls,
    headers,
    // Servers that browsers can reach refuse requests without an Origin.
    origin: new URL(url).origin,
    handshakeTimeout: deadline,
    maxPayload: most.bytes,
    perMessageDeflate: false,
    finishRequest(request) {
      request.setHeader('Connection', headers.connection ?? 'Upgrade');
      request.end();
    },
  });
  // The listener is set at once, because a message may arrive with the head.
  const socket = new Socket(connection, asked);
  return new Promise((resolve, reject) => {
    let head: IncomingHttpHeaders = {};
    connection.once('upgrade', (response) => {
      head = response.headers;
    });
    connection.once('open', () => resolve({ status: 101, headers: head, socket }));
    connection.once('error', reject);
    connection.once('unexpected-response', (_, response) => {
      const { statusCode: status = 0, headers } = response;
      // A success may be a stream that never ends.
      const reading = status < 300 ? Promise.resolve(Buffer.alloc(0)) : readWhole(response, deadline);
      reading.then((body) => resolve({ status, headers, body }), reject).finally(() => connection.terminate());
    });
  });
}

/** An open connection. Messages are kept from the first one. */
export class Socket {
  readonly #socket: WebSocket;
  readonly #started: number;
  readonly #timeout: number;
  readonly #health: Health | undefined;
  #isOpened = false;
  #isCut = false;
  readonly #messages: Message[] = [];
  readonly #changes = new Changes();
  #bytes = 0;
  #closing: Closing | undefined;
  #listener: ((message: Message | undefined) => void) | undefined;

  constructor(
    socket: WebSocket,
    { started, timeout, health, rename }: Pick<Upgrade, 'started' | 'timeout' | 'health' | 'rename'>,
  ) {
    this.#socket = socket;
    this.#started = started;
    this.#timeout = timeout;
    this.#health = health;
    socket.binaryType = 'nodebuffer';
    socket.once('open', () => {
      this.#isOpened = true;
    });
    socket.on('message', (data: Buffer, binary) => {
      this.#bytes += data.length;
      if (this.#bytes > most.bytes || this.#messages.length > most.messages) return socket.terminate();
      const message = this.#note('received', rename?.(data) ?? data, binary, rename && data);
      this.#listener?.(message);
      this.#changes.happened();
    });
    socket.on('close', (code, reason) => {
      this.#closing = { at: this.#now(), code, reason: reason.toString() };
      if (code === 1006 && this.#isOpened && !this.#isCut) this.#health?.disconnected('a WebSocket that just ended');
      this.#listener?.(undefined);
      this.#changes.happened();
    });
    // The close reports a broken connection.
    socket.on('error', () => undefined);
  }

  /** The subprotocol that the target chose; empty for none. */
  get protocol(): string {
    return this.#socket.protocol;
  }

  get received(): readonly Message[] {
    return this.#messages.filter(({ direction }) => direction === 'received');
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Calls the listener with the received messages, with later messages, and with `undefined` at the close. */
  listen(listener: (message: Message | undefined) => void): void {
    this.#listener = listener;
    for (const message of this.received) listener(message);
    if (this.isClosed) listener(undefined);
  }

  /** Sends a message: a string as text, a Buffer as bytes. */
  send(data: string | Buffer): void {
    this.#note('sent', Buffer.from(data), typeof data !== 'string');
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data);
  }

  close(code = 1000): void {
    this.#socket.close(code);
  }

  /** Closes the connection at once. */
  cut(): void {
    this.#isCut = true;
    this.#socket.terminate();
  }

  /** Waits until `settled` holds, the socket is closed or the deadline passes. Reports whether `settled` holds. */
  async until(settled: (received: readonly Message[]) => boolean, deadline?: number): Promise<boolean> {
    const begun = Date.now();
    const held = await this.#changes.until(
      () => settled(this.received),
      () => this.#closing !== undefined,
      deadline ?? this.#timeout,
    );
    if (!held && deadline === undefined && this.#closing === undefined)
      this.#health?.timedOut('a WebSocket: events that must come at once', Date.now() - begun);
    return held;
  }

  /** Waits for the close; undefined if the socket is open at the deadline. */
  async closed(deadline?: number): Promise<Closing | undefined> {
    await this.until(() => this.#closing !== undefined, deadline);
    return this.#closing;
  }

  /** Returns the first messages in both directions for the evidence, redacted, and split into channels by `form`. */
  recorded(redactor: Redactor, form?: ChannelForm): Frame[] {
    return this.#messages.slice(0, 50).map(({ direction, at, bytes: read, wire: bytes = read }) => {
      if (form === undefined) return { direction, ...recordedEvent(redactor, at, bytes, decoded(bytes)) };
      const { channel, content } = splitMessage(form, bytes);
      return { direction, channel, ...recordedEvent(redactor, at, content, undefined) };
    });
  }

  #note(direction: Frame['direction'], bytes: Buffer, binary: boolean, wire?: Buffer): Message {
    const message = { direction, at: this.#now(), bytes, binary, ...defined({ wire }) };
    this.#messages.push(message);
    return message;
  }

  #now(): number {
    return Date.now() - this.#started;
  }
}

function decoded(bytes: Buffer): unknown {
  try {
    return readJson(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
