// Protobuf: messages of objects in an envelope with the kind; lists and events from cached bytes.
import { mediaTypes } from '../../matrix/api/index.js';
import { type Type, typeOf, typeOfKind } from '../../matrix/api/modern/index.js';
import { badRequest, notAcceptable } from '../errors.js';
import { doAll, doInTurns, type Steps } from '../turns.js';
import type { ApiObject, Codec, GroupVersionKind } from './codec.js';
import { contentTag, field, lengthBytes, unwrap, watchFrame, wrap } from './protobuf/envelope.js';
import { messageOf, readMessage } from './protobuf/messages.js';
import { faultOf, readerOf, write } from './protobuf/wire.js';

const nothing = new Uint8Array();
/** The most bytes of a list that are kept while its length is counted. */
const mostKept = 1024 * 1024;

/** Makes the codec for a vendor's media type (readings, 1). */
export function createProtobuf(mediaType: string): Codec {
  return {
    mediaType,
    needsKind: true,
    streamType: `${mediaType};stream=watch`,
    framePrefix: lengthBytes,

    /** `pretty` has no effect. Throws 406 for an object without a message type. */
    encode(value: ApiObject): Uint8Array {
      const { apiVersion = '', kind = '' } = value as Partial<GroupVersionKind>;
      return Buffer.concat(wrap(apiVersion, kind, [content(writableType(apiVersion, kind), value)]));
    },

    decode: (bytes, expected) => doAll(decoded(bytes, expected)),

    decodeInTurns: async (bytes, expected) => doInTurns(decoded(bytes, expected)),

    encodeItem: (apiVersion, kind, item) => content(writableType(apiVersion, kind), item),

    wholeOf: (apiVersion, kind, item) => Buffer.concat(wrap(apiVersion, kind, [item])),

    /** The length of the list precedes it. What is too long to keep is made again. */
    *joinList({ apiVersion, kind, metadata }: ApiObject, items: () => Iterable<Uint8Array>): Iterable<Uint8Array> {
      const bytes = write((writer) => messageOf(typeOf('ListMeta')).write(metadata, writer));
      const head = [field(1, bytes.length), bytes];
      let length = 0;
      let kept: Uint8Array[] | undefined = [];
      for (const item of items()) {
        length += item.length;
        if (length > mostKept) kept = undefined;
        kept?.push(item);
        yield nothing;
      }
      const whole = head.reduce((sum, part) => sum + part.length, length);
      const [before = nothing, after = nothing] = wrap(apiVersion as string, kind as string, []);
      yield* [before, field(2, whole), ...head];
      yield* kept ?? items();
      yield after;
    },

    frame: watchFrame,
  };
}

function* decoded(bytes: Uint8Array, expected: GroupVersionKind | undefined): Steps<unknown> {
  try {
    const envelope = unwrap(bytes);
    // As on real servers, the kind may be absent; it then follows from the URL.
    const apiVersion = envelope.apiVersion || expected?.apiVersion || '';
    const kind = envelope.kind || expected?.kind || '';
    const type = typeOfKind(apiVersion, kind) ?? versionless(kind);
    if (type === undefined) throw badRequest(`no kind "${kind}" is registered for version "${apiVersion}"`);
    const value: Record<string, unknown> = { apiVersion, kind };
    yield* readMessage(messageOf(type), readerOf(envelope.content), value);
    return value;
  } catch (error) {
    throw faultOf(error);
  }
}

/** The message of an object as a field of an envelope or of a list; the cache keeps this form. */
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

/** Kinds that may name another version or none: their message is the same in every version. */
function versionless(kind: string): Type | undefined {
  return kind === 'DeleteOptions' || kind === 'APIVersions' ? typeOf(kind) : undefined;
}
