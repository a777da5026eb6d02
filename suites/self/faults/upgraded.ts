// An upgraded connection through a broken server: its two ends, and what becomes of each piece between them.
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { WebSocket, WebSocketServer } from 'ws';
import { dataFrame } from '../../support/spdy/frames.js';
import { HeaderBlocks } from '../../support/spdy/headers.js';
import { readWhole } from '../../support/transport.js';
import type { ChangePiece, Fault, Passing, Piece, Returning } from './parts.js';

/** The good server, and how to speak TLS to it. */
export interface FarEnd {
  readonly url: string;
  readonly tls: SecureContextOptions;
}

/** A client's request for an upgrade, and its connection. */
export interface NearEnd {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Joins the client and the good server, piece by piece; a refusal goes back by `fault.reply`. */
export async function joinUpgraded(near: NearEnd, far: FarEnd, passing: Passing, fault: Fault): Promise<void> {
  const { upgrade = '' } = near.request.headers;
  const change = fault.piece?.(passing) ?? ((piece: Piece) => [piece]);
  const refuse = (returning: Returning) => answerRaw(near.socket, fault.reply?.(returning, passing) ?? returning);
  const isSocket = upgrade.toLowerCase() === 'websocket' && fault.piece !== undefined;
  await (isSocket ? joinSockets : joinBytes)({ near, far, passing, fault, change, refuse });
}

interface Joint {
  readonly near: NearEnd;
  readonly far: FarEnd;
  readonly passing: Passing;
  readonly fault: Fault;
  readonly change: ChangePiece;
  readonly refuse: (returning: Returning) => void;
}

/** Ends a connection with an answer that is no upgrade. */
export function answerRaw(socket: Duplex, { status, headers, body }: Returning): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}${length}connection: close\r\n\r\n${body}`);
}

const named = ['content-type'] as const;

async function returned(response: IncomingMessage): Promise<Returning> {
  const body = (await readWhole(response)).toString('utf8');
  const headers = Object.fromEntries(named.map((name) => [name, String(response.headers[name] ?? '')]));
  return { status: response.statusCode ?? 0, headers, body };
}

async function joinBytes({ near, far, passing, fault, change, refuse }: Joint): Promise<void> {
  const open = far.url.startsWith('https:') ? secureRequest : plainRequest;
  const headers = { ...passing.headers, connection: 'Upgrade' };
  const asked = open(far.url + passing.path, { ...far.tls, method: passing.method, headers, agent: false });
  await new Promise<void>((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', (response) => returned(response).then(refuse).then(resolve, reject));
    asked.once('upgrade', (response, socket, head) => {
      const { headers: answered } = fault.reply?.(
        { status: 101, headers: Object.fromEntries(pairs(response)), body: '' },
        passing,
      ) ?? { headers: Object.fromEntries(pairs(response)) };
      const lines = Object.entries(answered).map(([name, value]) => `${name}: ${value}\r\n`);
      near.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      if (fault.piece === undefined) {
        socket.write(near.head);
        near.socket.write(head);
        near.socket.pipe(socket, { end: !fault.holdsOn });
        socket.pipe(near.socket);
      } else {
        const streams = new Map<number, string>();
        pass(near.socket, near.head, socket, 'client', streams, change);
        pass(socket, head, near.socket, 'server', streams, change);
      }
      socket.on('error', () => undefined).on('close', () => near.socket.destroy());
      near.socket.on('close', () => {
        if (!fault.holdsOn) socket.destroy();
      });
      resolve();
    });
    asked.end();
  });
}

const pairs = ({ rawHeaders }: IncomingMessage): [string, string][] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    (rawHeaders[2 * index] ?? '').toLowerCase(),
    rawHeaders[2 * index + 1] ?? '',
  ]);

/** Passes SPDY frames on: control frames as they are, of which those that open a stream tell its name. */
function pass(
  source: Duplex,
  head: Buffer,
  target: Duplex,
  from: Piece['from'],
  streams: Map<number, string>,
  change: ChangePiece,
): void {
  const blocks = new HeaderBlocks();
  const take = async (frame: Buffer): Promise<void> => {
    const first = frame.readUInt32BE(0);
    if (first >= 0x8000_0000) {
      if ((first & 0xffff) === 1) {
        const { streamtype = '' } = await blocks.decode(frame.subarray(18));
        streams.set(frame.readUInt32BE(8), streamtype);
      }
      if (target.writable) target.write(frame);
      return;
    }
    const last = (frame.readUInt8(4) & 1) === 1;
    const piece: Piece = {
      from,
      id: first,
      stream: streams.get(first) ?? '',
      content: frame.subarray(8),
      last,
      text: false,
    };
    for (const { id, content, last } of change(piece)) if (target.writable) target.write(dataFrame(id, content, last));
  };
  const read = async (): Promise<void> => {
    let rest = head;
    for await (const chunk of source as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = frameEnd(rest); end <= rest.length; end = frameEnd(rest)) {
        await take(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    }
    target.end();
  };
  read()
    .catch(() => target.destroy())
    .finally(() => blocks.close());
}

const frameEnd = (bytes: Buffer): number => (bytes.length < 8 ? Number.POSITIVE_INFINITY : 8 + bytes.readUIntBE(5, 3));

const commandStreams = ['stdin', 'stdout', 'stderr', 'error', 'resize'];
/** The channel of version 5 on which the client ends another. */
const closing = 255;

/** A WebSocket on each side, so that messages can be taken apart. */
async function joinSockets({ near, far, passing, fault, change, refuse }: Joint): Promise<void> {
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = passing.headers;
  const wanted = protocols.split(',').map((protocol) => protocol.trim());
  const url = far.url.replace('http', 'ws') + passing.path;
  const other = new WebSocket(url, wanted, { ...far.tls, headers: { authorization }, perMessageDeflate: false });
  other.binaryType = 'nodebuffer';
  const early: [Buffer, boolean][] = [];
  const keep = (data: Buffer, binary: boolean): void => void early.push([data, binary]);
  other.on('message', keep);
  await new Promise<void>((resolve, reject) => {
    other.once('error', reject);
    other.once('unexpected-response', (_, response) => returned(response).then(refuse).then(resolve, reject));
    other.once('open', resolve);
  });
  if (other.readyState !== WebSocket.OPEN) return;
  const base64 = other.protocol.startsWith('v4.base64');
  const nameOf = (channel: number): string =>
    passing.path.includes('/portforward') ? (['data', 'error'][channel % 2] ?? '') : (commandStreams[channel] ?? '');
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: () => other.protocol,
    perMessageDeflate: false,
  });
  server.handleUpgrade(near.request, near.socket, near.head, (mine) => {
    const relay = (from: Piece['from'], target: WebSocket) => (data: Buffer, binary: boolean) => {
      const first = data[0] ?? 0;
      const channel = base64 ? first - 0x30 : first;
      const ends = channel === closing;
      const content = base64 ? Buffer.from(data.toString('latin1', 1), 'base64') : data.subarray(1);
      const id = ends ? (content[0] ?? 0) : channel;
      const piece = {
        from,
        id,
        stream: nameOf(id),
        content: ends ? Buffer.alloc(0) : content,
        last: ends,
        text: !binary,
      };
      for (const changed of change(piece)) target.send(messageOf(changed, base64), { binary: !changed.text });
    };
    mine.on('message', relay('client', other)).on('error', () => undefined);
    other.off('message', keep).on('message', relay('server', mine));
    for (const [data, binary] of early) relay('server', mine)(data, binary);
    other.on('close', () => mine.close());
    mine.on('close', () => {
      if (!fault.holdsOn) other.terminate();
    });
  });
}

function messageOf({ id, content, last }: Piece, base64: boolean): Buffer {
  if (last) return Buffer.of(closing, id);
  return base64
    ? Buffer.from(String.fromCharCode(0x30 + id) + content.toString('base64'))
    : Buffer.concat([Buffer.of(id), content]);
}
