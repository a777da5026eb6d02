// Messages of the types of the field table: how each is written from its JSON form, and read into it.
import { type Field, isTypeName, type Type, typeOf } from '../../../matrix/api/types/index.js';
import { badRequest } from '../../errors.js';
import { type Form, requireWire, scalars, skipField } from './scalars.js';
import { delimited, enter, leave, type Reader, tagOf, text, varint, type Writer, writeText } from './wire.js';

type JsonObject = Record<string, unknown>;

interface Message {
  /** Writes the fields of a value: those of an object, or the list that a bare type is in JSON. */
  write(value: unknown, writer: Writer): void;
  /** Reads fields to the end of the reader's part, into an object that may have some. */
  read(reader: Reader, into: JsonObject): void;
}

const messages = new WeakMap<Type, Message>();

/** The message of a type; made when it is first asked for. */
export function messageOf(type: Type): Message {
  const known = messages.get(type);
  if (known !== undefined) return known;
  const message = makeMessage(type);
  messages.set(type, message);
  return message;
}

function makeMessage(type: Type): Message {
  // Types contain each other, so the fields are looked at when the first value comes.
  let forms: readonly FieldForm[] | undefined;
  const byNumber: (FieldForm | undefined)[] = [];
  const formsOf = (): readonly FieldForm[] => {
    if (forms === undefined) {
      forms = type.fields.map((field) => fieldForm(field));
      type.fields.forEach(({ proto }, index) => {
        byNumber[proto] = forms?.[index];
      });
    }
    return forms;
  };
  return {
    write(value, writer) {
      for (const form of formsOf()) form.write(value as JsonObject, writer);
    },
    read(reader, into) {
      formsOf();
      while (reader.pos < reader.len) {
        const tag = reader.tag();
        const form = byNumber[tag >>> 3];
        if (form === undefined) skipField(reader, tag);
        else form.read(reader, tag, into);
      }
    },
  };
}

/** One field: it takes its value from an object, and puts it there. */
interface FieldForm {
  write(source: JsonObject, writer: Writer): void;
  read(reader: Reader, tag: number, into: JsonObject): void;
}

function fieldForm(field: Field): FieldForm {
  if (field.inlined && isTypeName(field.type)) return inlinedForm(field, messageOf(typeOf(field.type)));
  if (field.bare) return listForm(field, itemForm(field), (source) => source as unknown as unknown[]);
  if (field.shape === 'list') return listForm(field, itemForm(field), (source) => source[field.name] as unknown[]);
  if (field.shape === 'map') return mapForm(field, itemForm(field));
  if (isTypeName(field.type) && typeOf(field.type).bare) return scalarForm(field, itemForm(field));
  if (isTypeName(field.type)) return objectForm(field, messageOf(typeOf(field.type)));
  return scalarForm(field, scalars[field.type]);
}

/** A value by itself, as it is in lists and maps: a scalar, an object, or the list of a bare type. */
function itemForm({ type: name }: Field): Form {
  if (!isTypeName(name)) return scalars[name];
  const type = typeOf(name);
  const message = messageOf(type);
  return {
    wire: delimited,
    write: (value, writer) => writeNested(message, value, writer),
    read(reader) {
      const into: JsonObject = {};
      readNested(message, reader, into);
      return type.bare === undefined ? into : (into[type.bare.name] ?? []);
    },
  };
}

function scalarForm({ name, type, proto, required, presence }: Field, form: Form): FieldForm {
  const tag = tagOf(proto, form.wire);
  // JSON has no field where its zero says nothing (Go leaves it out, too).
  const zero = required || presence ? undefined : zeros[type];
  return {
    write(source, writer) {
      const value = source[name];
      if (value !== undefined && value !== null) form.write(value, writer.uint32(tag));
    },
    read(reader, tag, into) {
      requireWire(tag, form.wire);
      const value = form.read(reader);
      if (value !== undefined && value !== zero) into[name] = value;
      else if (name in into) delete into[name];
    },
  };
}

const zeros: Readonly<Record<string, unknown>> = { string: '', boolean: false, int32: 0, int64: 0, bytes: '' };

function objectForm({ name, proto }: Field, message: Message): FieldForm {
  const tag = tagOf(proto, delimited);
  return {
    write(source, writer) {
      const value = source[name];
      if (value !== undefined && value !== null) writeNested(message, value, writer.uint32(tag));
    },
    read(reader, tag, into) {
      requireWire(tag, delimited);
      // A message that comes in parts is put together (the rule of the format).
      const value = (into[name] ?? {}) as JsonObject;
      readNested(message, reader, value);
      into[name] = value;
    },
  };
}

/** JSON has the fields of an inlined object among those of its parent. */
function inlinedForm({ proto }: Field, message: Message): FieldForm {
  const tag = tagOf(proto, delimited);
  return {
    write: (source, writer) => writeNested(message, source, writer.uint32(tag)),
    read(reader, tag, into) {
      requireWire(tag, delimited);
      readNested(message, reader, into);
    },
  };
}

function listForm(
  { name, proto }: Field,
  item: Form,
  listOf: (source: JsonObject) => unknown[] | undefined,
): FieldForm {
  const tag = tagOf(proto, item.wire);
  return {
    write(source, writer) {
      for (const value of listOf(source) ?? []) item.write(value, writer.uint32(tag));
    },
    read(reader, tag, into) {
      const list = (into[name] ?? []) as unknown[];
      into[name] = list;
      if (item.wire === varint && (tag & 7) === delimited) {
        // Numbers may come packed.
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

function mapForm({ name, proto, type }: Field, item: Form): FieldForm {
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

/** What an entry of a map has that says no value. */
const absentValues: Readonly<Record<string, unknown>> = { string: '', bytes: '', quantity: '0', ExtraValue: [] };

function writeNested(message: Message, value: unknown, writer: Writer): void {
  writer.fork();
  message.write(value, writer);
  writer.ldelim();
}

function readNested(message: Message, reader: Reader, into: JsonObject): void {
  const outer = enter(reader);
  message.read(reader, into);
  leave(reader, outer);
}
