// Channels of a WebSocket: each message starts with the number of its channel.
import { Changes } from './changes.js';
import { Channel } from './channel.js';

/** `binary`: the number is a byte. `base64`: messages are text, the number is a digit, and base64 follows the digit. */
export type ChannelForm = 'binary' | 'base64';

/** The socket that carries the channels. */
export interface Carrier {
  readonly isClosed: boolean;
  /** Calls the listener with each message, and with `undefined` at the close. */
  listen(listener: (message: { readonly bytes: Buffer; readonly binary: boolean } | undefined) => void): void;
  send(message: Buffer | string): void;
}

/** The maximum size of one message, in bytes. Longer content is sent in several messages. */
const messageBytes = 32 * 1024;
/** The channel that closes another one in version 5 of the protocol: the message is the number of that channel. */
export const closingMessage = 255;

export function splitMessage(
  form: ChannelForm,
  message: Buffer,
): { readonly channel: number; readonly content: Buffer } {
  const first = message[0] ?? 0;
  return form === 'binary'
    ? { channel: first, content: message.subarray(1) }
    : { channel: first - 0x30, content: Buffer.from(message.toString('latin1', 1), 'base64') };
}

export function joinMessage(form: ChannelForm, channel: number, content: Buffer): Buffer | string {
  return form === 'binary'
    ? Buffer.concat([Buffer.of(channel), content])
    : String.fromCharCode(0x30 + channel) + content.toString('base64');
}

export class Channels {
  readonly changes = new Changes();
  readonly #channels = new Map<number, Channel>();
  readonly #socket: Carrier;
  readonly #form: ChannelForm;
  readonly #ends: boolean;
  #mistaken = 0;

  /** `ends`: a channel can be closed, as in version 5 of the protocol. */
  constructor(socket: Carrier, form: ChannelForm, ends: boolean) {
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
      const { channel, content } = splitMessage(form, message.bytes);
      if (content.length > 0) this.channel(channel).take(content);
    });
  }

  /** The number of text messages where bytes are expected, and of binary messages where text is. */
  get mistaken(): number {
    return this.#mistaken;
  }

  get closed(): boolean {
    return this.#socket.isClosed;
  }

  channel(id: number): Channel {
    const known = this.#channels.get(id);
    if (known !== undefined) return known;
    const sending = {
      write: (content: Buffer) => {
        for (let at = 0; at < content.length; at += messageBytes) {
          this.#socket.send(joinMessage(this.#form, id, content.subarray(at, at + messageBytes)));
        }
      },
      end: () => {
        if (this.#ends) this.#socket.send(joinMessage(this.#form, closingMessage, Buffer.of(id)));
      },
    };
    const made = new Channel(id, sending, this.changes);
    this.#channels.set(id, made);
    return made;
  }
}
