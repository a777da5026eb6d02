// Reads and writes the wire format of protobuf: numbered fields in a message.

/** The wire types, which follow a field's number. Groups (3 and 4) are only skipped. */
export const wireTypes = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

export interface WireField {
  readonly number: number;
  readonly wireType: number;
  /** The value of a varint; 0 for other wire types. */
  readonly value: bigint;
  /** The bytes of a delimited field; empty for other wire types. */
  readonly bytes: Uint8Array;
}

const none = new Uint8Array(0);

/** Reads the fields of a message. Throws if the bytes are too short, a varint is too long, or a wire type unknown. */
export function readFields(bytes: Uint8Array): WireField[] {
  const fields: WireField[] = [];
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = reader.number();
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number === 0) throw new Error('a field has the number 0');
    const value = wireType === wireTypes.varint ? reader.varint() : 0n;
    const bytes = wireType === wireTypes.delimited ? reader.delimited() : none;
    if (wireType !== wireTypes.varint && wireType !== wireTypes.delimited) reader.skip(wireType);
    fields.push({ number, wireType, value, bytes });
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
    return BigInt(this.#read());
  }

  /** Reads a varint that is a tag or a length. */
  number(): number {
    return Number(this.#read());
  }

  /** Reads a varint: a number if it has at most four bytes, because numbers are faster. */
  #read(): number | bigint {
    let low = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return low;
    }
    let value = BigInt(low);
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new Error('a varint is longer than ten bytes');
  }

  #byte(): number {
    return this.#bytes[this.#at++] ?? fail(1);
  }

  delimited(): Uint8Array {
    return this.#take(this.number());
  }

  skip(wireType: number): void {
    if (wireType === wireTypes.fixed64) this.#take(8);
    else if (wireType === wireTypes.fixed32) this.#take(4);
    else if (wireType === wireTypes.startGroup) this.#skipGroup();
    else throw new Error(`a field has the wire type ${wireType}`);
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      const wireType = this.number() % 8;
      if (wireType === wireTypes.startGroup) depth += 1;
      else if (wireType === wireTypes.endGroup) depth -= 1;
      else if (wireType === wireTypes.varint) this.varint();
      else if (wireType === wireTypes.delimited) this.delimited();
      else this.skip(wireType);
    }
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) fail(length);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function fail(length: number): never {
  throw new Error(`${length} bytes are announced and not there`);
}

/** Encodes a varint; a negative number takes ten bytes. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

export function varintField(number: number, value: number | bigint): Uint8Array {
  return Buffer.concat([varint(number * 8 + wireTypes.varint), varint(value)]);
}

export function delimitedField(number: number, bytes: Uint8Array | string): Uint8Array {
  const content = Buffer.from(bytes);
  return Buffer.concat([varint(number * 8 + wireTypes.delimited), varint(content.length), content]);
}
