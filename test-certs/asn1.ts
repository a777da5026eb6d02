// ASN.1 for certificates, encoded by node-forge. Its certificates are RSA only, but node:crypto can sign any bytes.
import type forge from 'node-forge';
// Only the ASN.1 module: loading all of node-forge would take a tenth of a server's start time.
import asn1 from 'node-forge/lib/asn1.js';

export type Asn1 = forge.asn1.Asn1;

const { Class, Type } = asn1;

/** Returns bytes as a string with one character for each byte, as node-forge needs them. */
const binary = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const primitive = (type: forge.asn1.Type, value: string): Asn1 => asn1.create(Class.UNIVERSAL, type, false, value);
const constructed = (type: forge.asn1.Type, value: Asn1[]): Asn1 => asn1.create(Class.UNIVERSAL, type, true, value);

export const sequence = (...parts: Asn1[]): Asn1 => constructed(Type.SEQUENCE, parts);

export const set = (...parts: Asn1[]): Asn1 => constructed(Type.SET, parts);

export const boolean = (value: boolean): Asn1 => primitive(Type.BOOLEAN, value ? '\xff' : '\0');

/** A positive integer from its big-endian bytes. The first byte must be below 0x80. */
export const integer = (bytes: Uint8Array): Asn1 => primitive(Type.INTEGER, binary(bytes));

/** A bit string. `unused` is the number of unused bits in the last byte. */
export const bitString = (bytes: Uint8Array, unused = 0): Asn1 =>
  primitive(Type.BITSTRING, String.fromCharCode(unused) + binary(bytes));

export const octetString = (bytes: Uint8Array): Asn1 => primitive(Type.OCTETSTRING, binary(bytes));

export const utf8 = (text: string): Asn1 => primitive(Type.UTF8, binary(Buffer.from(text)));

export const nothing = (): Asn1 => primitive(Type.NULL, '');

/** An object identifier in dotted form. */
export const oid = (dotted: string): Asn1 => primitive(Type.OID, asn1.oidToDer(dotted).getBytes());

/** Returns an object identifier in dotted form; empty for any other element. */
export const oidOf = (element: Asn1 | undefined): string =>
  element?.type === Type.OID && typeof element.value === 'string' ? asn1.derToOid(element.value) : '';

/** A time in seconds. Years before 2050 have the two-digit form, as RFC 5280 requires. */
export const time = (moment: Date): Asn1 =>
  moment.getUTCFullYear() < 2050
    ? primitive(Type.UTCTIME, asn1.dateToUtcTime(moment))
    : primitive(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(moment));

/** `[number] EXPLICIT`: wraps an element. */
export const explicit = (number: number, value: Asn1): Asn1 =>
  asn1.create(Class.CONTEXT_SPECIFIC, number as forge.asn1.Type, true, [value]);

/** `[number] IMPLICIT` of a primitive type: replaces its tag. */
export const implicit = (number: number, value: Uint8Array): Asn1 =>
  asn1.create(Class.CONTEXT_SPECIFIC, number as forge.asn1.Type, false, binary(value));

/** Encodes an element. */
export const toDer = (element: Asn1): Buffer => Buffer.from(asn1.toDer(element).getBytes(), 'latin1');

/** Decodes an element. Bit strings stay as they are. Throws if the bytes are not DER. */
export const fromDer = (bytes: Uint8Array): Asn1 => asn1.fromDer(binary(bytes), { decodeBitStrings: false } as never);
