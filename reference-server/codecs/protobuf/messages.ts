// Messages of the types of the field table: encoding from JSON values, and decoding into them.
import { type Field, isTypeName, type Type, typeOf } from '../../../matrix/api/modern/index.js';
import { badRequest } from '../../errors.js';
import { doAll, type Steps } from '../../turns.js';
import { maximumDepth } from '../jsonScanner.js';
import { protobufScalars, requireWire, skipField, type WireFormat } from './scalars.js';
import {
  badProtobuf,
  delimited,
  enter,
  leave,
  type Reader,
  tagOf,
  text,
  varint,
  type Writer,
  writeText,
} from './wire.js';

type JsonObject = Record<string, unknown>;

export interface Message {
  /** Writes the fields of an object, or the list that a bare type is in JSON. */
  write(value: unknown, writer: Writer): void;
  fields(): readonly (FieldFormat | undefined)[];
}

/** A message that is being read, and the end of the one around it. */
interface Open {
  readonly fields: readonly (FieldFormat | undefined)[];
  readonly into: JsonObject;
  readonly outer: number;
}

/** The approximate length of a step, in bytes. */
const stepLength = 16 * 1024;

/** Reads fields to the end of a message, and of those in it, into an object, which may already have some. */
export function* readMessage(message: Message, reader: Reader, into: JsonObject): Steps<void> {
  const around: Open[] = [];
  let open: Open = { fields: message.fields(), into, outer: reader.len };
  for (let from = reader.pos; ; ) {
    if (reader.pos < reader.len) {
      const tag = reader.tag();
      const format = open.fields[tag >>> 3];
      if (format === undefined) skipField(reader, tag);
      else if (format.read !== undefined) format.read(reader, tag, open.into);
      else {
        if (around.push(open) > maximumDepth) throw badProtobuf(`nesting is deeper than ${maximumDepth}`);
        const into = format.enter(tag, open.into);
        open = { fields: format.message.fields(), into, outer: enter(reader) };
      }
    } else {
      leave(reader, open.outer);
      const next = around.pop();
      if (next === undefined) return;
      open = next;
    }
    if (reader.pos - from < stepLength) continue;
    from = reader.pos;
    yield;
  }
}

const messages = new WeakMap<Type, Message>();

/** Returns the message of a type. Messages are made on first use. */
export function messageOf(type: Type): Message {
  const known = messages.get(type);
  if (known !== undefined) return known;
  const message = makeMessage(type);
  messages.set(type, message);
  return message;
}

function makeMessage(type: Type): Message {
  // Types contain each other, so the fields are resolved when the first value arrives.
  let formats: readonly FieldFormat[] | undefined;
  const byNumber: (FieldFormat | undefined)[] = [];
  const formatsOf = (): readonly FieldFormat[] => {
    if (formats === undefined) {
      formats = type.fields.map((field) => fieldFormat(field));
      type.fields.forEach(({ proto }, index) => {
        byNumber[proto] = formats?.[index];
      });
    }
    return formats;
  };
  return {
    write(value, writer) {
      for (const format of formatsOf()) format.write(value as JsonObject, writer);
    },
    fields() {
      formatsOf();
      return byNumber;
    },
  };
}

/** One field, which takes its value from an object, and sets it there: a value, or a message to enter. */
type FieldFormat = { write(source: JsonObject, writer: Writer): void } & (
  | { read(reader: Reader, tag: number, into: JsonObject): void }
  | {
      readonly read?: undefined;
      readonly message: Message;
      /** Returns the object into which to read the message. */
      enter(tag: number, into: JsonObject): JsonObject;
    }
);

function fieldFormat(field: Field): FieldFormat {
  if (field.or !== undefined) return scalarFormat(field, eitherFormat(field, field.or));
  if (field.inlined && isTypeName(field.type)) return inlinedFormat(field, messageOf(typeOf(field.type)));
  if (field.bare) return listFormat(field, itemFormat(field), (source) => source as unknown as unknown[]);
  if (field.shape === 'list') return listFormat(field, itemFormat(field), (source) => source[field.name] as unknown[]);
  if (field.shape === 'map') return mapFormat(field, itemFormat(field));
  if (isTypeName(field.type) && typeOf(field.type).bare) return scalarFormat(field, itemFormat(field));
  if (isTypeName(field.type)) return objectFormat(field, messageOf(typeOf(field.type)));
  return scalarFormat(field, protobufScalars[field.type]);
}

/** The format of a single value in lists and maps: a scalar, an object, or the list of a bare type. */
function itemFormat({ type: name }: Field): WireFormat {
  if (!isTypeName(name)) return protobufScalars[name];
  const type = typeOf(name);
  const message = messageOf(type);
  return {
    wire: delimited,
    write: (value, writer) => writeNested(message, value, writer),
    read(reader) {
      const into = readNested(reader, () => {
        const object: JsonObject = {};
        doAll(readMessage(message, reader, object));
        return object;
      });
      return type.bare === undefined ? into : (into[type.bare.name] ?? []);
    },
  };
}

/** How deep each reader is in messages that are read by calls within calls. */
const depths = new WeakMap<Reader, number>();

/** Reads what is in the next message. Throws 400 if it is too deep. */
function readNested<T>(reader: Reader, read: () => T): T {
  const depth = (depths.get(reader) ?? 0) + 1;
  if (depth > maximumDepth) throw badProtobuf(`nesting is deeper than ${maximumDepth}`);
  depths.set(reader, depth);
  const outer = enter(reader);
  const value = read();
  leave(reader, outer);
  depths.set(reader, depth - 1);
  return value;
}

/**
 * The format of an object that another value can replace in JSON. In protobuf, both are fields of one message: the
 * object and a list of such objects (1 and 2), or a boolean and the object (1 and 2).
 */
function eitherFormat(field: Field, or: NonNullable<Field['or']>): WireFormat {
  const item = itemFormat(field);
  const [objectTag, otherTag] =
    or === 'list' ? [tagOf(1, delimited), tagOf(2, delimited)] : [tagOf(2, delimited), tagOf(1, varint)];
  return {
    wire: delimited,
    write(value, writer) {
      writer.fork();
      if (Array.isArray(value)) for (const each of value) item.write(each, writer.uint32(otherTag));
      else {
        if (or === 'boolean') writer.uint32(otherTag).bool(value !== false);
        if (typeof value !== 'boolean') item.write(value, writer.uint32(objectTag));
      }
      writer.ldelim();
    },
    read(reader) {
      return readNested(reader, () => {
        let object: unknown;
        let other: unknown[] | boolean = or === 'list' ? [] : false;
        while (reader.pos < reader.len) {
          const tag = reader.tag();
          if (tag === objectTag) object = item.read(reader);
          else if (tag !== otherTag) skipField(reader, tag);
          else if (Array.isArray(other)) other.push(item.read(reader));
          else other = reader.bool();
        }
        return object ?? other;
      });
    },
  };
}

function scalarFormat({ name, type, proto, required, presence }: Field, format: WireFormat): FieldFormat {
  const tag = tagOf(proto, format.wire);
  // JSON omits a field whose zero equals absence, as Go does.
  const zero = required || presence ? undefined : zeros[type];
  return {
    write(source, writer) {
      const value = source[name];
      if (value !== undefined && value !== null) format.write(value, writer.uint32(tag));
    },
    read(reader, tag, into) {
      requireWire(tag, format.wire);
      const value = format.read(reader);
      if (value !== undefined && value !== zero) into[name] = value;
      else if (name in into) delete into[name];
    },
  };
}

const zeros: Readonly<Record<string, unknown>> = { string: '', boolean: false, int32: 0, int64: 0, bytes: '' };

function objectFormat({ name, proto }: Field, message: Message): FieldFormat {
  const tag = tagOf(proto, delimited);
  return {
    message,
    write(source, writer) {
      const value = source[name];
      if (value !== undefined && value !== null) writeNested(message, value, writer.uint32(tag));
    },
    /** The format requires that a message in several parts is merged. */
    enter(tag, into) {
      requireWire(tag, delimited);
      const value = (into[name] ?? {}) as JsonObject;
      into[name] = value;
      return value;
    },
  };
}

/** In JSON, the fields of an inlined object are among those of its parent. */
function inlinedFormat({ proto }: Field, message: Message): FieldFormat {
  const tag = tagOf(proto, delimited);
  return {
    message,
    write: (source, writer) => writeNested(message, source, writer.uint32(tag)),
    enter(tag, into) {
      requireWire(tag, delimited);
      return into;
    },
  };
}

function listFormat(
  { name, proto, type }: Field,
  item: WireFormat,
  listOf: (source: JsonObject) => unknown[] | undefined,
): FieldFormat {
  const tag = tagOf(proto, item.wire);
  const listIn = (into: JsonObject): unknown[] => {
    const list = (into[name] ?? []) as unknown[];
    into[name] = list;
    return list;
  };
  const write = (source: JsonObject, writer: Writer): void => {
    for (const value of listOf(source) ?? []) item.write(value, writer.uint32(tag));
  };
  if (isTypeName(type) && typeOf(type).bare === undefined) {
    return {
      message: messageOf(typeOf(type)),
      write,
      enter(tag, into) {
        requireWire(tag, delimited);
        const object: JsonObject = {};
        listIn(into).push(object);
        return object;
      },
    };
  }
  return {
    write,
    read(reader, tag, into) {
      const list = listIn(into);
      if (item.wire === varint && (tag & 7) === delimited) {
        // Numbers may be packed.
        const outer = enter(reader);
        while (reader.pos < reader.len) list.push(item.read(reader));
        leave(reader, outer);
        return;
      }
      requireWire(tag, item.wire);
      list.push(item.read(reader));
    },
  };
}

function mapFormat({ name, proto, type }: Field, item: WireFormat): FieldFormat {
  const tag = tagOf(proto, delimited);
  const keyTag = tagOf(1, delimited);
  const valueTag = tagOf(2, item.wire);
  return {
    write(source, writer) {
      const map = source[name] as JsonObject | null | undefined;
      if (map === undefined || map === null) return;
      for (const key of Object.keys(map)) {
        writeText(key, writer.uint32(tag).fork().uint32(keyTag));
        item.write(map[key], writer.uint32(valueTag));
        writer.ldelim();
      }
    },
    read(reader, tag, into) {
      requireWire(tag, delimited);
      const outer = enter(reader);
      let key = '';
      let value: unknown = absentValues[type] ?? {};
      while (reader.pos < reader.len) {
        const inner = reader.tag();
        if (inner === keyTag) key = text(reader);
        else if (inner === valueTag) value = item.read(reader);
        else skipField(reader, inner);
      }
      leave(reader, outer);
      if (key === '__proto__') throw badRequest('the key "__proto__" is not allowed');
      const map = (into[name] ?? {}) as JsonObject;
      into[name] = map;
      map[key] = value;
    },
  };
}

/** The default values of map entries. */
const absentValues: Readonly<Record<string, unknown>> = { string: '', bytes: '', quantity: '0', ExtraValue: [] };

function writeNested(message: Message, value: unknown, writer: Writer): void {
  writer.fork();
  message.write(value, writer);
  writer.ldelim();
}
