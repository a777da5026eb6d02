// Every codec, a row each: what answers are written in and bodies are read as.
import type { Codec } from './codec.js';
import { json } from './json.js';
import { yaml } from './yaml.js';

/** In the order in which they are offered; the first answers who does not say. */
export const codecs: readonly [Codec, ...Codec[]] = [json, yaml];

/** The codec of a media type (lower case, without parameters), or undefined. */
export function codecFor(mediaType: string): Codec | undefined {
  return byMediaType.get(mediaType);
}

/** The media types of bodies that can be read. */
export const readable: readonly string[] = codecs.map(({ mediaType }) => mediaType);

const byMediaType = new Map(codecs.map((codec) => [codec.mediaType, codec]));
