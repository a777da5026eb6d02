// Requests that no HTTP client would send: the header lines are sent unchanged, each request on its own connection.

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { defined } from '../../matrix/api/index.js';
import type { Header, Target } from '../requirements/index.js';
import type { Client } from './client.js';
import { recordedExchange } from './evidence/writer.js';
import { NoAnswer, Reply } from './reply.js';
import { basePathOf, dial } from './route.js';
import { afterRunning } from './runningTime.js';

/** A request without credentials, except for those in its lines. */
export interface RawCall {
  readonly method: string;
  readonly path: string;
  /** Header lines without line ends, each character one byte. Host and Connection are added to them. */
  readonly lines?: readonly string[];
  readonly tls?: {
    readonly version?: 'TLSv1.2' | 'TLSv1.3';
    /** The TLS session to resume. */
    readonly session?: Buffer;
    /** The address or name that the certificate must be valid for, instead of that of the URL. */
    readonly name?: string;
  };
}

export interface RawAnswer {
  /** Absent if the target closed the connection without a response. */
  readonly reply?: Reply;
  /** Every header line of the response, with its name in lower case. */
  readonly headers: readonly Header[];
  /** Why the connection ended; absent for a normal end. */
  readonly error?: string;
  /** SHA-256 of the target's certificate; absent without TLS. */
  readonly fingerprint?: string;
  /** The last TLS session that the target issued. */
  readonly session?: Buffer;
}

/** The number of bytes per write. Writing stops when the target has read enough. */
const slice = 64 * 1024;
/** The maximum number of bytes of a response. */
const most = 4 * 1024 * 1024;
/** The number of characters of a header line that the evidence keeps. */
const kept = 500;

/**
 * Sends the request and reads until the connection ends; again while the target asks to wait. Rejects with NoAnswer if the target keeps the connection open
 * and sends nothing.
 */
export function rawRequest(client: Client, call: RawCall): Promise<RawAnswer> {
  return client.untilAnswered(
    call,
    () => sentOnce(client, call),
    ({ reply }) => reply,
  );
}

async function sentOnce(client: Client, call: RawCall): Promise<RawAnswer> {
  const { method, path, lines = [] } = call;
  const { stop } = client.health;
  if (stop !== undefined) throw new NoAnswer(`${method} ${path} was not sent: ${stop.reason}`);
  const url = new URL(client.target.url);
  const started = Date.now();
  const head = [
    `${method} ${basePathOf(url.href)}${path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: close',
    ...lines,
    '',
    '',
  ];
  const socket = open(client.target, call.tls);
  const deadline = client.timeout;
  const ended = await exchange(socket, Buffer.from(head.join('\r\n'), 'latin1'), deadline);
  const bytes = finalOf(ended.bytes);
  const reply = replyOf(`${method} ${path}`, bytes);
  const error = ended.error ?? (reply === undefined ? 'the connection was closed without an answer' : undefined);
  const request = { method, url: client.target.url + path, headers: lines.map((line) => headerOf(client, line)) };
  const exchanged = recordedExchange(
    client.redactor,
    {
      type: 'exchange',
      id: randomUUID(),
      at: new Date(started).toISOString(),
      milliseconds: Date.now() - started,
      request,
      ...(reply === undefined ? {} : { response: { status: reply.status, headers: Object.entries(reply.headers) } }),
      ...(ended.protocol === undefined ? {} : { tls: { protocol: ended.protocol, authorized: true } }),
      ...defined({ error }),
    },
    undefined,
    reply,
  );
  client.adopt([exchanged]);
  const what = `${method} ${path}: no answer: ${error}`;
  if (ended.timedOut) client.health.timedOut(what, Date.now() - started);
  else if (reply === undefined) client.health.disconnected(what, started);
  if (ended.timedOut) throw new NoAnswer(what);
  const { fingerprint, session } = ended;
  return { headers: headLinesOf(bytes), ...defined({ fingerprint, reply, error, session }) };
}

function open(target: Target, { version, session, name }: NonNullable<RawCall['tls']> = {}): Socket {
  const options = {
    ...(version === undefined ? {} : { minVersion: version, maxVersion: version }),
    ...defined({ session }),
  };
  return dial(target, options, name);
}

/** How a connection ended, and everything that was received. */
interface Ended {
  readonly bytes: Buffer;
  readonly error?: string;
  readonly timedOut: boolean;
  readonly protocol?: string;
  readonly session?: Buffer;
  readonly fingerprint?: string;
}

function exchange(socket: Socket, request: Buffer, timeout: number): Promise<Ended> {
  const chunks: Buffer[] = [];
  let session: Buffer | undefined;
  let facts: Pick<Ended, 'protocol' | 'fingerprint'> = {};
  const write = (from: number): void => {
    if (chunks.length > 0 || from >= request.length || socket.destroyed) return;
    socket.write(request.subarray(from, from + slice), () => write(from + slice));
  };
  return new Promise((resolve) => {
    const end = (error?: string, timedOut = false): void => {
      cancel();
      socket.destroy();
      resolve({
        ...facts,
        bytes: Buffer.concat(chunks),
        timedOut,
        ...defined({ error, session }),
      });
    };
    const cancel = afterRunning(timeout, () => end(`the connection was still open after ${timeout} ms`, true));
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => {
      if (socket instanceof TLSSocket)
        facts = {
          protocol: socket.getProtocol() ?? 'unknown',
          fingerprint: socket.getPeerCertificate().fingerprint256,
        };
      write(0);
    });
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) end(`the answer is larger than ${most} bytes`);
    });
    socket.once('end', () => end());
    socket.once('error', ({ message }) => end(message));
    socket.once('close', () => end());
  });
}

function headerOf({ redactor }: Client, line: string): Header {
  const [, name = '', value = ''] = /^([^:]*):?(.*)$/s.exec(line) ?? [];
  return [name, redactor.redactHeader(name, value.trim()).slice(0, kept)];
}

/** Returns the final response: a server may send interim ones before it, such as 103 Early Hints. */
function finalOf(bytes: Buffer): Buffer {
  const end = bytes.indexOf('\r\n\r\n');
  const isInterim = end !== -1 && /^HTTP\/1\.1 1(?!01)\d\d /.test(bytes.toString('latin1', 0, end));
  return isInterim ? finalOf(bytes.subarray(end + 4)) : bytes;
}

/** Returns the header lines of a response. */
function headLinesOf(bytes: Buffer): Header[] {
  const end = bytes.indexOf('\r\n\r\n');
  const [, ...lines] = bytes.toString('latin1', 0, end === -1 ? bytes.length : end).split('\r\n');
  return lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]);
}

/** Returns the response in these bytes; undefined if the bytes do not begin with one. */
function replyOf(request: string, bytes: Buffer): Reply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = ''] = bytes.toString('latin1', 0, end === -1 ? bytes.length : end).split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1];
  if (status === undefined) return undefined;
  const headers = Object.fromEntries(headLinesOf(bytes));
  const body = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  return new Reply(
    request,
    Number(status),
    headers,
    /chunked/i.test(headers['transfer-encoding'] ?? '') ? joined(body) : body,
  );
}

function joined(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const line = body.indexOf('\r\n', from);
    const size = line === -1 ? Number.NaN : Number.parseInt(body.toString('latin1', from, line), 16);
    if (!(size > 0)) break;
    parts.push(body.subarray(line + 2, line + 2 + size));
    from = line + 4 + size;
  }
  return Buffer.concat(parts);
}
