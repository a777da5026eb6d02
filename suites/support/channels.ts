// Channels of a WebSocket: each message starts with the number of the stream that it belongs to.
import { Changes } from './changes.js';
import { Channel } from './channel.js';
import type { Socket } from './webSocket.js';

/** `binary`: the number is a byte. `base64`: messages are text, the number is a digit, and base64 follows it. */
export type ChannelForm = 'binary' | 'base64';

/** Bytes of one message: what is longer becomes several. */
const messageBytes = 32 * 1024;
/** The channel of version 5 on which the end of another is told: its number is the message. */
const closing = 255;

/** The channel and the content of a message. */
export function split(form: ChannelForm, message: Buffer): { readonly channel: number; readonly content: Buffer } {
  const first = message[0] ?? 0;
  return form === 'binary'
    ? { channel: first, content: message.subarray(1) }
    : { channel: first - 0x30, content: Buffer.from(message.toString('latin1', 1), 'base64') };
}

function join(form: ChannelForm, channel: number, content: Buffer): Buffer | string {
  return form === 'binary'
    ? Buffer.concat([Buffer.of(channel), content])
    : String.fromCharCode(0x30 + channel) + content.toString('base64');
}

export class Channels {
  readonly changes = new Changes();
  readonly #channels = new Map<number, Channel>();
  readonly #socket: Socket;
  readonly #form: ChannelForm;
  readonly #ends: boolean;
  #mistaken = 0;

  /** `ends`: the end of a channel can be told, as in version 5 of the protocol. */
  constructor(socket: Socket, form: ChannelForm, ends: boolean) {
    this.#socket = socket;
    this.#form = form;
    this.#ends = ends;
    socket.listen((message) => {
      if (message === undefined) {
        for (const channel of this.#channels.values()) channel.over('gone');
        this.changes.happened();
        return;
      }
      if (message.binary !== (form === 'binary')) this.#mistaken += 1;
      const { channel, content } = split(form, message.bytes);
      if (content.length > 0) this.channel(channel).take(content);
    });
  }

  /** Messages that were text where bytes are due, or bytes where text is. */
  get mistaken(): number {
    return this.#mistaken;
  }

  get closed(): boolean {
    return this.#socket.isClosed;
  }

  /** The channel of that number: what came on it, and the way to send on it. */
  channel(id: number): Channel {
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const sending = {
      write: (content: Buffer) => {
        for (let at = 0; at < content.length; at += messageBytes) {
          this.#socket.send(join(this.#form, id, content.subarray(at, at + messageBytes)));
        }
      },
      end: () => {
        if (this.#ends) this.#socket.send(join(this.#form, closing, Buffer.of(id)));
      },
    };
    const made = new Channel(id, sending, this.changes);
    this.#channels.set(id, made);
    return made;
  }
}
