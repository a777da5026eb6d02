// The suite's own decoders and encoders: bytes of a media type to a value, a value to bytes.
import { dump, load } from 'js-yaml';
import type { JsonObject } from './json.js';

/** The type and subtype of a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Decodes a body by its Content-Type. Throws where it is malformed or of a type without a decoder. */
export function decode(contentType: string | undefined, bytes: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  switch (mediaTypeOf(contentType)) {
    case 'application/json':
      return JSON.parse(text);
    case 'application/yaml':
      return load(text);
    default:
      throw new Error(`no decoder for ${contentType ?? 'a body without Content-Type'}`);
  }
}

/** Writes an object as JSON or YAML. */
export function encode(mediaType: 'json' | 'yaml', value: JsonObject): string {
  return mediaType === 'json' ? JSON.stringify(value) : dump(value);
}
