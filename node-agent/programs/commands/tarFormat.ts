// The tar format: ustar headers, and the extensions for long names (pax, GNU).
import { ProgramError } from '../../kernel/process.js';

export interface Header {
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly modified: Date;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  readonly target: string;
}

/** A header block. The content of an `extension` describes the next entry. */
export type Block = Header & { readonly extension?: 'pax' | 'name' | 'target' };

const blockSize = 512;
const kinds: Readonly<Record<string, Header['kind']>> = { '0': 'file', '\0': 'file', '2': 'link', '5': 'directory' };
const types = { file: '0', directory: '5', link: '2', other: '0' } as const;
const extensions: Readonly<Record<string, 'pax' | 'name' | 'target'>> = { x: 'pax', L: 'name', K: 'target' };

/** Returns the number of bytes that fill the last block of an entry. */
export const padding = (size: number): number => (blockSize - (size % blockSize)) % blockSize;

/** The two blocks of zeros at the end of an archive. */
export const trailer = Buffer.alloc(2 * blockSize);

/**
 * Decodes a header block. Returns undefined for a block of zeros, which ends the archive. Throws ProgramError for a
 * wrong checksum.
 */
export function readHeader(block: Buffer): Block | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (octal(block, 148, 8) !== checksum(block)) throw new ProgramError('invalid tar header checksum');
  const type = String.fromCharCode(block[156] ?? 0);
  const prefix = block.toString('latin1', 257, 262) === 'ustar' ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  const extension = extensions[type];
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    mode: octal(block, 100, 8) & 0o7777,
    size: octal(block, 124, 12),
    modified: new Date(octal(block, 136, 12) * 1000),
    kind: kinds[type] ?? 'other',
    target: text(block, 157, 100),
    ...(extension !== undefined && { extension }),
  };
}

/** Decodes those fields of a pax header that tar uses. */
export function readPax(content: Buffer): { name?: string; target?: string; size?: number } {
  const fields: { name?: string; target?: string; size?: number } = {};
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !(length > 0)) break;
    const [key = '', ...value] = content.toString('utf8', space + 1, at + length - 1).split('=');
    if (key === 'path') fields.name = value.join('=');
    if (key === 'linkpath') fields.target = value.join('=');
    if (key === 'size') fields.size = Number(value.join('='));
    at += length;
  }
  return fields;
}

/** Encodes the header blocks of an entry. */
export function writeHeader(header: Header): Buffer {
  const long = [header.name, header.target].some((value) => Buffer.byteLength(value) > 100);
  if (!long) return encode(header, types[header.kind]);
  const fields = Buffer.from(paxField('path', header.name) + paxField('linkpath', header.target));
  const pax = encode({ ...header, name: 'PaxHeader', target: '', size: fields.length }, 'x');
  return Buffer.concat([pax, fields, Buffer.alloc(padding(fields.length)), encode(header, types[header.kind])]);
}

function encode({ name, mode, size, modified, target }: Header, type: string): Buffer {
  const block = Buffer.alloc(blockSize);
  block.write(name, 0, 100);
  block.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write(
    `${Math.floor(modified.getTime() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  block.write(type, 156);
  block.write(target, 157, 100);
  block.write('ustar\x0000', 257, 'latin1');
  block.write('root', 265);
  block.write('root', 297);
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function paxField(key: string, value: string): string {
  if (value === '') return '';
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  // The length includes its own digits.
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}

function checksum(block: Buffer): number {
  let sum = 8 * 0x20;
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function octal(block: Buffer, at: number, length: number): number {
  // A size too large for the octal field is a binary number.
  if (((block[at] ?? 0) & 0x80) !== 0) return Number(block.readBigUInt64BE(at + length - 8));
  return Number.parseInt(text(block, at, length).trim() || '0', 8);
}
