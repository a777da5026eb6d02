// The suite's own decoders and encoders: from the bytes of a media type to a value, and back.
import type { Target } from '../requirements/index.js';
import type { JsonObject } from './json.js';
import { decodeObject, encodeObject } from './protobuf/envelope.js';
import { utf8Of } from './utf8.js';
import { readYaml, writeYaml } from './yaml.js';

/** The media types of objects. */
export type ObjectType = 'json' | 'yaml' | 'protobuf';

/** Returns the name of a media type on the wire of a target. */
export function wireType(mediaType: ObjectType, { vendor }: Pick<Target, 'vendor'>): string {
  return mediaType === 'protobuf' ? `application/vnd.${vendor}.protobuf` : `application/${mediaType}`;
}

/** Reports whether a Content-Type is protobuf, of any vendor. */
export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/vnd\.[^/]+\.protobuf$/.test(mediaTypeOf(contentType));
}

/** Returns the type and subtype of a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Decodes a body by its Content-Type. Throws if the body is malformed or the type has no decoder. */
export function decode(contentType: string | undefined, bytes: Uint8Array): unknown {
  if (isProtobuf(contentType)) return decodeObject(bytes);
  const text = utf8Of(bytes);
  switch (mediaTypeOf(contentType)) {
    case 'application/json':
      return JSON.parse(text);
    case 'application/yaml':
      return readYaml(text);
    default:
      throw new Error(`no decoder for ${contentType ?? 'a body without Content-Type'}`);
  }
}

/** Encodes an object in a media type. */
export function encode(mediaType: ObjectType, value: JsonObject): string | Uint8Array {
  if (mediaType === 'protobuf') return encodeObject(value);
  return mediaType === 'json' ? JSON.stringify(value) : writeYaml(value);
}
