// Encodes documents as protobuf messages of gnostic. A table for each message says how its JSON becomes fields.
import type { Writer } from 'protobufjs';
import { write } from '../../codecs/protobuf/wire.js';
import { jsonText } from '../../exactJson.js';
import type { DocumentNode } from './dialect.js';

/** Writes a JSON value as the content of a message. */
export type Message = (value: unknown, writer: Writer) => void;

/** Writes a field of a JSON object: the number of the field in protobuf, and the form of its value. */
type FieldWriter = (value: unknown, writer: Writer) => void;

const delimited = (number: number): number => (number << 3) | 2;

export const one =
  (number: number, message: () => Message): FieldWriter =>
  (value, writer) => {
    writer.uint32(delimited(number)).fork();
    message()(value, writer);
    writer.ldelim();
  };

/** A repeated field of messages, from a list. */
export const many =
  (number: number, message: () => Message): FieldWriter =>
  (value, writer) => {
    for (const item of value as readonly unknown[]) one(number, message)(item, writer);
  };

export const textField =
  (number: number): FieldWriter =>
  (value, writer) => {
    writer.uint32(delimited(number)).string(String(value));
  };

/** A repeated field of texts, from a list. */
export const texts =
  (number: number): FieldWriter =>
  (value, writer) => {
    for (const item of value as readonly string[]) textField(number)(item, writer);
  };

/** A field that is a boolean; the field is absent if the value is false. */
export const flagField =
  (number: number): FieldWriter =>
  (value, writer) => {
    if (value === true) writer.uint32(number << 3).bool(true);
  };

export const whole =
  (number: number): FieldWriter =>
  (value, writer) => {
    writer.uint32(number << 3).int64(value as number);
  };

export const double =
  (number: number): FieldWriter =>
  (value, writer) => {
    writer.uint32((number << 3) | 1).double(value as number);
  };

/** A field that is a schema or a boolean. */
export const schemaOrFlag =
  (number: number, schema: () => Message): FieldWriter =>
  (value, writer) => {
    const isFlag = typeof value === 'boolean';
    one(number, () => only(isFlag ? truth(2) : one(1, schema)))(value, writer);
  };

/** A field that is a boolean; the field is present for both values. */
export const truth =
  (number: number): FieldWriter =>
  (value, writer) => {
    writer.uint32(number << 3).bool(value as boolean);
  };

/** A message with one field, which holds the whole value. */
export const only =
  (field: FieldWriter): Message =>
  (value, writer) =>
    field(value, writer);

/** A message of repeated pairs of a name and a value, from a JSON object. */
export const named =
  (number: number, message: () => Message): Message =>
  (value, writer) => {
    for (const [name, inner] of Object.entries(value as DocumentNode)) pair(number, name, inner, message, writer);
  };

/**
 * A message with fields by their names in JSON. Names that begin with `x-` are pairs in the field `extensions`. Other
 * unknown names are an error of this program.
 */
export function message(fields: Readonly<Record<string, FieldWriter>>, extensions: number): Message {
  return (value, writer) => {
    for (const [name, inner] of Object.entries(value as DocumentNode)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field !== undefined) field(inner, writer);
      else if (name.startsWith('x-')) pair(extensions, name, inner, () => anything, writer);
      else throw new Error(`no field of this message is ${name}`);
    }
  };
}

/** A message with pairs by name, in one field for `x-` names and in another one for the others. */
export function paths(number: number, extensions: number, item: () => Message): Message {
  return (value, writer) => {
    for (const [name, inner] of Object.entries(value as DocumentNode)) {
      if (name.startsWith('x-')) pair(extensions, name, inner, () => anything, writer);
      else pair(number, name, inner, item, writer);
    }
  };
}

export const referenceOr =
  (value: FieldWriter, reference: FieldWriter): Message =>
  (inner, writer) => {
    const isReference = Object.keys(inner as DocumentNode)[0] === '$ref';
    (isReference ? reference : value)(inner, writer);
  };

/** Any value, as YAML in the second field. JSON is YAML. */
export const anything: Message = (value, writer) => {
  writer.uint32(delimited(2)).string(`${jsonText(value)}\n`);
};

function pair(number: number, name: string, value: unknown, of: () => Message, writer: Writer): void {
  writer.uint32(delimited(number)).fork().uint32(delimited(1)).string(name);
  one(2, of)(value, writer);
  writer.ldelim();
}

/** Returns the bytes of a message. */
export const encoded = (message: Message, value: DocumentNode): Uint8Array => write((writer) => message(value, writer));
