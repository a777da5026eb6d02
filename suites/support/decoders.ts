// The suite's own decoders and encoders: bytes of a media type to a value, a value to bytes.
import type { Target } from '../../matrix/requirements/index.js';
import type { JsonObject } from './json.js';
import { decodeObject, encodeObject } from './protobuf/envelope.js';
import { readYaml, writeYaml } from './yaml.js';

/** The media types that an object is written in. */
export type ObjectType = 'json' | 'yaml' | 'protobuf';

/** The media type as it is called on the wire of a target. */
export function wireType(mediaType: ObjectType, { vendor }: Pick<Target, 'vendor'>): string {
  return mediaType === 'protobuf' ? `application/vnd.${vendor}.protobuf` : `application/${mediaType}`;
}

/** Whether a Content-Type names protobuf, of whatever vendor. */
export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/vnd\.[^/]+\.protobuf$/.test(mediaTypeOf(contentType));
}

/** The type and subtype of a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Decodes a body by its Content-Type. Throws where it is malformed or of a type without a decoder. */
export function decode(contentType: string | undefined, bytes: Uint8Array): unknown {
  if (isProtobuf(contentType)) return decodeObject(bytes);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  switch (mediaTypeOf(contentType)) {
    case 'application/json':
      return JSON.parse(text);
    case 'application/yaml':
      return readYaml(text);
    default:
      throw new Error(`no decoder for ${contentType ?? 'a body without Content-Type'}`);
  }
}

/** Writes an object in a media type. */
export function encode(mediaType: ObjectType, value: JsonObject): string | Uint8Array {
  if (mediaType === 'protobuf') return encodeObject(value);
  return mediaType === 'json' ? JSON.stringify(value) : writeYaml(value);
}
