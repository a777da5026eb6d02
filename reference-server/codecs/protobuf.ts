// Protobuf: an object's message in an envelope that says its kind; lists joined and events framed from bytes that exist.
import { mediaTypes } from '../../matrix/api/index.js';
import { type Type, typeOf, typeOfKind } from '../../matrix/api/types/index.js';
import { badRequest, notAcceptable } from '../errors.js';
import type { ApiObject, Codec, GroupVersionKind } from './codec.js';
import { contentTag, field, lengthBytes, unwrap, watchFrame, wrap } from './protobuf/envelope.js';
import { messageOf } from './protobuf/messages.js';
import { read, write } from './protobuf/wire.js';

/** The codec under a vendor's media type (readings, 1). */
export function createProtobuf(mediaType: string): Codec {
  return {
    mediaType,
    needsKind: true,
    streamType: `${mediaType};stream=watch`,
    framePrefix: lengthBytes,

    /** There is but one form, whatever `pretty` says. Throws 406 for what has no message. */
    encode(value: ApiObject): Uint8Array {
      const { apiVersion = '', kind = '' } = value as Partial<GroupVersionKind>;
      return Buffer.concat(wrap(apiVersion, kind, [content(writableType(apiVersion, kind), value)]));
    },

    decode(bytes: Uint8Array, expected?: GroupVersionKind): unknown {
      const envelope = unwrap(bytes);
      // Clients may leave it to the URL to say what they send, as real servers let them.
      const apiVersion = envelope.apiVersion || expected?.apiVersion || '';
      const kind = envelope.kind || expected?.kind || '';
      const type = typeOfKind(apiVersion, kind) ?? versionless(kind);
      if (type === undefined) throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
      const value: Record<string, unknown> = { apiVersion, kind };
      read(envelope.content, (reader) => messageOf(type).read(reader, value));
      return value;
    },

    encodeItem: (apiVersion, kind, item) => content(writableType(apiVersion, kind), item),

    wholeOf: (apiVersion, kind, item) => Buffer.concat(wrap(apiVersion, kind, [item])),

    joinList({ apiVersion, kind, metadata }: ApiObject, items: readonly Uint8Array[]): readonly Uint8Array[] {
      const bytes = write((writer) => messageOf(typeOf('ListMeta')).write(metadata, writer));
      const list = [field(1, bytes.length), bytes, ...items];
      let length = 0;
      for (const part of list) length += part.length;
      return wrap(apiVersion as string, kind as string, [field(2, length), ...list]);
    },

    frame: watchFrame,
  };
}

/** The message of an object, as a field of an envelope or of a list: it is kept in this form. */
function content(type: Type, value: ApiObject): Uint8Array {
  return write((writer) => {
    writer.uint32(contentTag).fork();
    messageOf(type).write(value, writer);
    writer.ldelim();
  });
}

function writableType(apiVersion: string, kind: string): Type {
  const type = typeOfKind(apiVersion, kind) ?? versionless(kind);
  if (type === undefined) throw notAcceptable([mediaTypes.json, mediaTypes.yaml]);
  return type;
}

/** The kinds that say another version than their own, or none: their message is the same in every one. */
function versionless(kind: string): Type | undefined {
  return kind === 'DeleteOptions' || kind === 'APIVersions' ? typeOf(kind) : undefined;
}
