// How the events of a stream are told apart and decoded, by its Content-Type.
import { isProtobuf } from './decoders.js';
import { JsonSequence } from './jsonSequence.js';
import { LineSequence } from './lineSequence.js';
import { decodeEvent } from './protobuf/envelope.js';
import { FrameSequence } from './protobuf/frames.js';

/** Reads the events of a stream. */
export interface EventReader {
  /** Takes chunks, gives events as bytes. */
  readonly sequence: JsonSequence | FrameSequence | LineSequence;
  /** Throws where the bytes are no event. */
  readonly decode: (bytes: Uint8Array) => unknown;
}

const decodeJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

/** The reader of a stream with that Content-Type: frames of protobuf, else JSON. */
export function eventReader(contentType: string | undefined): EventReader {
  return isProtobuf(contentType)
    ? { sequence: new FrameSequence(), decode: decodeEvent }
    : { sequence: new JsonSequence(), decode: decodeJson };
}

/** The reader of a stream of text: its lines, which decode to nothing. */
export const lineReader = (): EventReader => ({ sequence: new LineSequence(), decode: () => undefined });
