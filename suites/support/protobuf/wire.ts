// The wire format of protobuf: numbered fields in a message, read and written.

/** The wire types: what follows a field's number. Groups (3 and 4) are only skipped. */
export const wireTypes = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

/** One field of a message as it came. */
export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** Of a varint; 0 for others. */
  readonly value: bigint;
  /** Of a delimited field; empty for others. */
  readonly bytes: Uint8Array;
}

const none = new Uint8Array(0);

/** Reads the fields of a message. Throws where the bytes are none: too short, too long a varint, an unknown wire type. */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = Number(reader.varint());
    const field = { number: Math.floor(tag / 8), wireType: tag % 8, value: 0n, bytes: none };
    if (field.number === 0) throw new Error('a field has the number 0');
    if (field.wireType === wireTypes.varint) fields.push({ ...field, value: reader.varint() });
    else if (field.wireType === wireTypes.delimited) fields.push({ ...field, bytes: reader.delimited() });
    else {
      reader.skip(field.wireType);
      fields.push(field);
    }
  }
  return fields;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1)[0] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new Error('a varint is longer than ten bytes');
  }

  delimited(): Uint8Array {
    return this.#take(Number(this.varint()));
  }

  /** Goes past the value of a wire type that no field of the table has. */
  skip(wireType: number): void {
    if (wireType === wireTypes.fixed64) this.#take(8);
    else if (wireType === wireTypes.fixed32) this.#take(4);
    else if (wireType === wireTypes.startGroup) this.#skipGroup();
    else throw new Error(`a field has the wire type ${wireType}`);
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      const wireType = Number(this.varint()) % 8;
      if (wireType === wireTypes.startGroup) depth += 1;
      else if (wireType === wireTypes.endGroup) depth -= 1;
      else if (wireType === wireTypes.varint) this.varint();
      else if (wireType === wireTypes.delimited) this.delimited();
      else this.skip(wireType);
    }
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new Error(`${length} bytes are announced and not there`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** A varint; a negative number takes ten bytes. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** A field that is a number. */
export function varintField(number: number, value: number | bigint): Uint8Array {
  return Buffer.concat([varint(number * 8 + wireTypes.varint), varint(value)]);
}

/** A field that is a message, a text or bytes. */
export function delimitedField(number: number, bytes: Uint8Array | string): Uint8Array {
  const content = Buffer.from(bytes);
  return Buffer.concat([varint(number * 8 + wireTypes.delimited), varint(content.length), content]);
}
