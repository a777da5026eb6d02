// Decodes and encodes the values of protobuf fields in their JSON forms.
import type { Scalar } from '../../../matrix/api/types/index.js';
import { type Json, readJson, utf8Of as text } from '../json.js';
import { delimitedField, readFields, varint, varintField, type WireField, wireTypes } from './wire.js';

const whole = (value: bigint): number => Number(value);

interface ScalarCodec {
  readonly wireType: number;
  readonly decode: (field: WireField) => Json;
  /** Returns the bytes of a delimited value, or a number. */
  readonly encode: (value: Json) => Uint8Array | number;
}

const delimited = (decode: (bytes: Uint8Array) => Json, encode: (value: Json) => Uint8Array): ScalarCodec => ({
  wireType: wireTypes.delimited,
  decode: ({ bytes }) => decode(bytes),
  encode,
});
const number = (decode: (value: bigint) => Json): ScalarCodec => ({
  wireType: wireTypes.varint,
  decode: ({ value }) => decode(value),
  encode: (value) => Number(value),
});

const forms: Readonly<Record<Scalar, ScalarCodec>> = {
  string: delimited(text, (value) => Buffer.from(String(value))),
  bytes: delimited(
    (bytes) => Buffer.from(bytes).toString('base64'),
    (value) => Buffer.from(String(value), 'base64'),
  ),
  boolean: number((value) => value !== 0n),
  int32: number((value) => whole(BigInt.asIntN(32, value))),
  int64: number(whole),
  quantity: delimited(
    (bytes) => text(valuesOf(bytes).get(1)?.bytes ?? new Uint8Array(0)),
    (value) => delimitedField(1, String(value)),
  ),
  intOrString: delimited(decodeIntOrString, (value) =>
    typeof value === 'number'
      ? Buffer.concat([varintField(1, 0), varintField(2, value), delimitedField(3, '')])
      : Buffer.concat([varintField(1, 1), varintField(2, 0), delimitedField(3, String(value))]),
  ),
  time: delimited(decodeTime, (value) =>
    Buffer.concat([varintField(1, Math.floor(Date.parse(String(value)) / 1000)), varintField(2, 0)]),
  ),
  raw: delimited(
    (bytes) => readJson(text(valuesOf(bytes).get(1)?.bytes ?? Buffer.from('null'))) as Json,
    (value) => delimitedField(1, JSON.stringify(value)),
  ),
};

/** Decodes one value. Throws if the wire type is not the scalar's. */
export function decodeScalar(scalar: Scalar, field: WireField): Json {
  const form = forms[scalar];
  if (field.wireType !== form.wireType)
    throw new Error(`field ${field.number} has the wire type ${field.wireType}, which is no ${scalar}`);
  return form.decode(field);
}

/** Decodes the values of one field of a list. Numbers can be packed, several in one field. */
export function decodeScalars(scalar: Scalar, field: WireField): Json[] {
  const packed = forms[scalar].wireType === wireTypes.varint && field.wireType === wireTypes.delimited;
  if (!packed) return [decodeScalar(scalar, field)];
  // A number decodes like a field after a tag is added.
  const values: Json[] = [];
  for (let at = 0; at < field.bytes.length; ) {
    const end = field.bytes.findIndex((byte, index) => index >= at && byte < 0x80) + 1;
    const [one] = readFields(Buffer.concat([varint(8), field.bytes.subarray(at, end === 0 ? undefined : end)]));
    values.push(decodeScalar(scalar, one as WireField));
    at = end;
  }
  return values;
}

export function encodeScalar(scalar: Scalar, proto: number, value: Json): Uint8Array {
  const content = forms[scalar].encode(value);
  return typeof content === 'number' ? varintField(proto, content) : delimitedField(proto, content);
}

/** Returns the fields of a message without lists: the last field of a number counts. */
function valuesOf(bytes: Uint8Array): Map<number, WireField> {
  return new Map(readFields(bytes).map((field) => [field.number, field]));
}

function decodeIntOrString(bytes: Uint8Array): Json {
  const values = valuesOf(bytes);
  return values.get(1)?.value === 1n
    ? text(values.get(3)?.bytes ?? new Uint8Array(0))
    : whole(values.get(2)?.value ?? 0n);
}

/** Decodes a time. An empty message is null. JSON has no fractions of a second. */
function decodeTime(bytes: Uint8Array): Json {
  const seconds = valuesOf(bytes).get(1)?.value;
  if (seconds === undefined) return null;
  return new Date(whole(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
