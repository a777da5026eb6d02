// An upgraded connection through a broken server: the client, the good server, and the edit of each frame between them.
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { WebSocket, WebSocketServer } from 'ws';
import { closingMessage, joinMessage, splitMessage } from '../../../client/streams/channels.js';
import { dataFrame } from '../../../client/streams/spdy/frames.js';
import { HeaderBlocks } from '../../../client/streams/spdy/headers.js';
import { readWhole } from '../../../client/transport.js';
import type { Broken, ChangeFrame, WireFrame, WireReply, WireRequest } from './fault.js';

/** The good server, and its TLS options. */
export interface Backend {
  readonly url: string;
  readonly tls: SecureContextOptions;
}

/** A client's request for an upgrade, and the client's connection. */
export interface ClientEnd {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Joins the client and the good server, frame by frame; `broken.reply` edits a refusal. */
export async function joinUpgraded(
  client: ClientEnd,
  backend: Backend,
  request: WireRequest,
  broken: Broken,
): Promise<void> {
  const { upgrade = '' } = client.request.headers;
  const change = broken.frame?.(request) ?? ((frame: WireFrame) => [frame]);
  const refuse = (reply: WireReply) => answerRaw(client.socket, broken.reply?.(reply, request) ?? reply);
  const isSocket = upgrade.toLowerCase() === 'websocket' && broken.frame !== undefined;
  await (isSocket ? joinSockets : joinBytes)({ client, backend, request, broken, change, refuse });
}

interface Joint {
  readonly client: ClientEnd;
  readonly backend: Backend;
  readonly request: WireRequest;
  readonly broken: Broken;
  readonly change: ChangeFrame;
  readonly refuse: (reply: WireReply) => void;
}

/** Ends a connection with a reply that is not an upgrade. */
export function answerRaw(socket: Duplex, reply: WireReply): void {
  const length = `content-length: ${Buffer.byteLength(reply.body)}\r\n`;
  socket.end(`HTTP/1.1 ${reply.status} Refused\r\n${linesOf(reply)}${length}connection: close\r\n\r\n${reply.body}`);
}

const linesOf = ({ headers }: WireReply): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

async function returned(response: IncomingMessage): Promise<WireReply> {
  const body = (await readWhole(response)).toString('utf8');
  const headers = { 'content-type': response.headers['content-type'] ?? '' };
  return { status: response.statusCode ?? 0, headers, body };
}

async function joinBytes({ client, backend, request, broken, change, refuse }: Joint): Promise<void> {
  const open = backend.url.startsWith('https:') ? secureRequest : plainRequest;
  const headers = { ...request.headers, connection: 'Upgrade' };
  const asked = open(backend.url + request.path, { ...backend.tls, method: request.method, headers, agent: false });
  await new Promise<void>((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', (response) => returned(response).then(refuse).then(resolve, reject));
    asked.once('upgrade', (response, socket, head) => {
      const given = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
      const reply: WireReply = { status: 101, headers: given, body: '' };
      const answered = broken.reply?.(reply, request) ?? reply;
      client.socket.write(`HTTP/1.1 101 Switching Protocols\r\n${linesOf(answered)}\r\n`);
      if (broken.frame === undefined) {
        socket.write(client.head);
        client.socket.write(head);
        client.socket.pipe(socket, { end: !broken.holdsOn });
        socket.pipe(client.socket);
      } else {
        const streams = new Map<number, string>();
        pass(client.socket, client.head, socket, 'client', streams, change);
        pass(socket, head, client.socket, 'server', streams, change);
      }
      socket.on('error', () => undefined).on('close', () => client.socket.destroy());
      client.socket.on('close', () => {
        if (!broken.holdsOn) socket.destroy();
      });
      resolve();
    });
    asked.end();
  });
}

/** Passes SPDY frames on. Control frames stay unchanged; frames that open a stream set its name. */
function pass(
  source: Duplex,
  head: Buffer,
  target: Duplex,
  from: WireFrame['from'],
  streams: Map<number, string>,
  change: ChangeFrame,
): void {
  const blocks = new HeaderBlocks();
  const take = async (bytes: Buffer): Promise<void> => {
    const first = bytes.readUInt32BE(0);
    if (first >= 0x8000_0000) {
      if ((first & 0xffff) === 1) {
        const { streamtype = '' } = await blocks.decode(bytes.subarray(18));
        streams.set(bytes.readUInt32BE(8), streamtype);
      }
      if (target.writable) target.write(bytes);
      return;
    }
    const last = (bytes.readUInt8(4) & 1) === 1;
    const stream = streams.get(first) ?? '';
    const frame: WireFrame = { from, id: first, stream, content: bytes.subarray(8), last, text: false };
    for (const { id, content, last } of change(frame)) if (target.writable) target.write(dataFrame(id, content, last));
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

/** Opens a WebSocket on each side, so that messages can be edited. */
async function joinSockets({ client, backend, request, broken, change, refuse }: Joint): Promise<void> {
  const { authorization = '', 'sec-websocket-protocol': protocols = '' } = request.headers;
  const wanted = protocols.split(',').map((protocol) => protocol.trim());
  const url = backend.url.replace('http', 'ws') + request.path;
  const other = new WebSocket(url, wanted, { ...backend.tls, headers: { authorization }, perMessageDeflate: false });
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
  const form = other.protocol.startsWith('v4.base64') ? 'base64' : 'binary';
  const nameOf = (channel: number): string =>
    request.path.includes('/portforward') ? (['data', 'error'][channel % 2] ?? '') : (commandStreams[channel] ?? '');
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: () => other.protocol,
    perMessageDeflate: false,
  });
  server.handleUpgrade(client.request, client.socket, client.head, (mine) => {
    const relay = (from: WireFrame['from'], target: WebSocket) => (data: Buffer, binary: boolean) => {
      const { channel, content } = splitMessage(form, data);
      const last = channel === closingMessage;
      const id = last ? (content[0] ?? 0) : channel;
      const bytes = last ? Buffer.alloc(0) : content;
      const frame: WireFrame = { from, id, stream: nameOf(id), content: bytes, last, text: !binary };
      for (const { id, content, last, text } of change(frame))
        target.send(last ? joinMessage('binary', closingMessage, Buffer.of(id)) : joinMessage(form, id, content), {
          binary: !text,
        });
    };
    mine.on('message', relay('client', other)).on('error', () => undefined);
    other.off('message', keep).on('message', relay('server', mine));
    for (const [data, binary] of early) relay('server', mine)(data, binary);
    other.on('close', () => {
      if (!broken.neverEnds) mine.close();
    });
    mine.on('close', () => {
      if (!broken.holdsOn) other.terminate();
    });
  });
}
