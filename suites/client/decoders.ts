// The suite's own decoders and encoders: from the bytes of a media type to a value, and back.
import type { Target } from '../requirements/index.js';
import { type JsonObject, readJson, shallow, utf8Of } from './json.js';
import { decodeObject, encodeObject } from './protobuf/envelope.js';
import { readYaml, writeYaml } from './yaml.js';

export type ObjectType = 'json' | 'yaml' | 'protobuf';

export function wireType(mediaType: ObjectType, { vendor }: Pick<Target, 'vendor'>): string {
  return mediaType === 'protobuf' ? `application/vnd.${vendor}.protobuf` : `application/${mediaType}`;
}

export function isProtobuf(contentType: string | undefined): boolean {
  return /^application\/vnd\.[^/]+\.protobuf$/.test(mediaTypeOf(contentType));
}

/** Returns the type and subtype of a Content-Type, in lower case and without parameters. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Decodes a body by its Content-Type. Throws if the body is malformed or the type has no decoder. */
export function decodeBody(contentType: string | undefined, bytes: Uint8Array): unknown {
  if (isProtobuf(contentType)) return decodeObject(bytes);
  const text = utf8Of(bytes);
  switch (mediaTypeOf(contentType)) {
    case 'application/json':
      return readJson(text);
    case 'application/yaml':
      return shallow(readYaml(text));
    default:
      throw new Error(`no decoder for ${contentType ?? 'a body without Content-Type'}`);
  }
}

export function encodeBody(mediaType: ObjectType, value: JsonObject): string | Uint8Array {
  if (mediaType === 'protobuf') return encodeObject(value);
  return mediaType === 'json' ? JSON.stringify(value) : writeYaml(value);
}
