// The bytes of events, encoded once for all watches: of single events, and of arrays of events.
import { type Codec, joined } from '../codecs/codec.js';
import { asStatusError } from '../statusError.js';
import type { WatchEvent } from '../watch/sink.js';

export type StreamCodec = Codec & Required<Pick<Codec, 'frame'>>;

export function isStreamCodec(codec: Codec): codec is StreamCodec {
  return codec.frame !== undefined;
}

type Events = readonly WatchEvent[];

export const frameOf = rememberedByCodec((event: WatchEvent, codec) =>
  codec.frame(event.type, joined(event.object.encode(codec, false))),
);

/** Returns the frames of several events, one after another, cached by codec. */
export const framesOf = rememberedByCodec((events: Events, codec) => {
  const frames = events.map((event) => frameOf(event, codec));
  return frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames);
});

/** Returns the same frames as one chunk of a chunked HTTP body, which can go to a socket unchanged. */
export const chunkOf = rememberedByCodec((events: Events, codec) => {
  const frames = events.map((event) => frameOf(event, codec));
  const length = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), ...frames, chunkEnd]);
});

const chunkEnd = Buffer.from('\r\n');

type Make<Subject> = (subject: Subject, codec: StreamCodec) => Uint8Array;

function rememberedByCodec<Subject extends object>(make: Make<Subject>): Make<Subject> {
  const byCodec = new Map<Codec, WeakMap<Subject, Uint8Array>>();
  return (subject, codec) => {
    let made = byCodec.get(codec);
    if (made === undefined) {
      made = new WeakMap();
      byCodec.set(codec, made);
    }
    let bytes = made.get(subject);
    if (bytes === undefined) {
      bytes = make(subject, codec);
      made.set(subject, bytes);
    }
    return bytes;
  };
}

/** The last event of a watch that fails. */
export function errorEvent(error: unknown): WatchEvent {
  const status = asStatusError(error).toStatus();
  return { type: 'ERROR', object: { encode: (codec, pretty) => codec.encode(status, pretty) } };
}
