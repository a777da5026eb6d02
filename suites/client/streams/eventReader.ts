// Splits a stream into events and decodes them, by the Content-Type.
import { isProtobuf } from '../decoders.js';
import { decodeEvent } from '../protobuf/envelope.js';
import { FrameSequence } from '../protobuf/frames.js';
import { utf8Of } from '../utf8.js';
import { JsonSequence } from './jsonSequence.js';
import { LineSequence } from './lineSequence.js';

/** Reads the events of a stream. */
export interface EventReader {
  /** Takes chunks, and returns events as bytes. */
  readonly sequence: JsonSequence | FrameSequence | LineSequence;
  /** Throws if the bytes are not an event. */
  readonly decode: (bytes: Uint8Array) => unknown;
}

const decodeJson = (bytes: Uint8Array): unknown => JSON.parse(utf8Of(bytes));

/** Returns the reader for a Content-Type: frames of protobuf, or JSON for all others. */
export function eventReader(contentType: string | undefined): EventReader {
  return isProtobuf(contentType)
    ? { sequence: new FrameSequence(), decode: decodeEvent }
    : { sequence: new JsonSequence(), decode: decodeJson };
}

/** Returns the reader for a stream of text: lines, which are not decoded. */
export const lineReader = (): EventReader => ({ sequence: new LineSequence(), decode: () => undefined });
