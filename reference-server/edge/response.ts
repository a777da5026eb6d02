// Writes responses: the answers of handlers, and errors.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import type { Codec, Encoded } from '../codecs/codec.js';
import { json } from '../codecs/json.js';
import { badRequest } from '../errors.js';
import type { Answer, Negotiated } from '../request.js';
import type { StatusError } from '../statusError.js';
import { bodyLimit } from './body.js';
import { expectsContinue } from './expectContinue.js';
import { isStreamCodec } from './frames.js';
import type { Upgrade } from './locals.js';
import { beginningOf, isLongBody, writeParts } from './longBody.js';
import { serveStreamSocket } from './streamSocket.js';
import { sendWatch } from './watchResponse.js';
import { serveWatchSocket } from './watchSocket.js';
import { wantsWebSocket } from './webSocket.js';

type Streamed = Extract<Answer, { stream: unknown }>;

/**
 * Streams bytes until they end. A broken source breaks the connection, because a stream cannot report an error. The
 * source ends when the client disconnects.
 */
async function sendStream(response: ServerResponse, { status, reason, headers, stream }: Streamed): Promise<void> {
  const list = headers.flat();
  // A header of the backend takes precedence.
  if (!headers.some(([name]) => name.toLowerCase() === 'cache-control')) {
    list.push('Cache-Control', 'no-cache, private');
  }
  response.writeHead(status, reason ?? STATUS_CODES[status] ?? '', list);
  // Sends the head at once, with each character as a byte: flushHeaders would write UTF-8.
  response.write(Buffer.alloc(0));
  await passOn(stream, response);
}

/**
 * Passes a stream on until both have closed. `pipeline` of Node.js would add seven listeners for one event to a response
 * that has several already, and Node.js warns of more than ten.
 */
function passOn(stream: Readable, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.destroy();
      resolve();
    };
    stream
      .on('error', () => {})
      .on('close', () => {
        if (!stream.readableEnded) response.destroy();
      });
    if (response.destroyed) return end();
    response.on('close', end);
    stream.pipe(response);
  });
}

type Headers = Readonly<Record<string, string>>;

/** Sends the answer of a handler, over WebSocket for an upgrade. Rejects only before anything is written. */
export async function send(
  response: ServerResponse,
  answer: Exclude<Answer, { relay: unknown }>,
  { codec, pretty }: Negotiated,
  upgrade?: Upgrade,
): Promise<void> {
  if ('body' in answer) {
    const { body } = answer;
    const inTurns = body.encodeInTurns?.(codec, pretty);
    const content = inTurns === undefined ? body.encode(codec, pretty) : await inTurns;
    if (content instanceof Uint8Array && !isLongBody(content.length))
      sendBytes(response, answer.status, codec.mediaType, content, answer.headers);
    else await sendParts(response, answer.status, codec.mediaType, content, answer.headers);
  } else if ('raw' in answer) {
    sendRaw(response, answer);
  } else if ('watch' in answer) {
    if (!isStreamCodec(codec)) throw badRequest('this media type has no watch stream');
    if (upgrade !== undefined && wantsWebSocket(response.req)) {
      await serveWatchSocket(upgrade, response, answer.watch, codec);
      return;
    }
    writeHead(response, answer.status, codec.streamType ?? codec.mediaType);
    await sendWatch(response, answer.watch, codec);
  } else if (answer.asMessages && upgrade !== undefined && wantsWebSocket(response.req)) {
    await serveStreamSocket(upgrade, response, answer.stream);
  } else {
    await sendStream(response, answer);
  }
}

/** Sends a response that no codec encodes. */
export function sendRaw(response: ServerResponse, answer: Extract<Answer, { raw: unknown }>): void {
  const bytes = typeof answer.raw === 'string' ? Buffer.from(answer.raw) : answer.raw;
  sendBytes(response, answer.status, answer.mediaType, bytes, answer.headers);
}

/** Sends an error as a Status. Destroys a response that has already begun. */
export function sendError(response: ServerResponse, error: StatusError, codec: Codec, pretty: boolean): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendBytes(response, error.code, codec.mediaType, codec.encode(error.toStatus(), pretty), error.headers);
}

/** Returns the whole response of an error as text, for a connection without a parsed request. */
export function rawError(error: StatusError): string {
  const body = Buffer.from(json.encode(error.toStatus(), false)).toString();
  return [
    `HTTP/1.1 ${error.code} ${error.reason}`,
    'Cache-Control: no-cache, private',
    `Content-Type: ${json.mediaType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function sendBytes(
  response: ServerResponse,
  status: number,
  mediaType: string,
  bytes: Uint8Array,
  headers?: Headers,
): void {
  const lingers = leavesBodyUnread(response.req);
  writeHead(response, status, mediaType, headers, bytes.length, lingers);
  if (lingers) endAfterBody(response, bytes);
  else response.end(bytes);
}

/** Sends parts while they are made. A body that is complete soon has its length in the head. */
async function sendParts(
  response: ServerResponse,
  status: number,
  mediaType: string,
  content: Encoded,
  headers?: Headers,
): Promise<void> {
  const all = content instanceof Uint8Array ? [content] : content;
  const { parts, length } = await beginningOf(all);
  if (length !== undefined && !isLongBody(length)) {
    sendBytes(response, status, mediaType, Buffer.concat([...parts], length), headers);
    return;
  }
  const lingers = leavesBodyUnread(response.req);
  writeHead(response, status, mediaType, headers, length, lingers);
  await writeParts(response, parts);
  if (lingers) endAfterBody(response);
  else response.end();
}

function writeHead(
  response: ServerResponse,
  status: number,
  mediaType: string,
  headers?: Headers,
  length?: number,
  close = false,
): void {
  const list = headers?.['Cache-Control'] === undefined ? ['Cache-Control', 'no-cache, private'] : [];
  // A response without content describes none (RFC 9110, 8.6).
  if (status === 304) length = undefined;
  else list.push('Content-Type', mediaType);
  if (length !== undefined) list.push('Content-Length', String(length));
  if (close) list.push('Connection', 'close');
  for (const name in headers) list.push(name, headers[name] ?? '');
  response.writeHead(status, list);
}

/** Reports whether the body is unread, and is too long to read or waits for `100 Continue`. */
function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return expectsContinue(request) || encoding !== undefined || Number(length ?? 0) > bodyLimit;
}

/** The limits for dropping an unwanted body before the connection ends, in bytes and milliseconds. */
const lingering = { bytes: 64 * 1024 * 1024, milliseconds: 2000 };

/**
 * Responds at once, then drops the remaining bytes of the client: closing a socket with unread bytes resets it, and the
 * client would lose the response.
 */
function endAfterBody(response: ServerResponse, bytes?: Uint8Array): void {
  const request = response.req;
  let swallowed = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', count).off('end', finish).off('close', finish);
    response.end();
  };
  const count = (chunk: Buffer) => {
    swallowed += chunk.length;
    if (swallowed > lingering.bytes) finish();
  };
  const timer = setTimeout(finish, lingering.milliseconds);
  if (bytes !== undefined) response.write(bytes);
  if (expectsContinue(request)) finish();
  else request.on('data', count).on('end', finish).on('close', finish);
}
