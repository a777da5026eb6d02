// A document in its encoded forms, each of which is made when it is first asked for.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { jsonText, parseJson } from '../../exactJson.js';
import type { DocumentNode } from './dialect.js';

type Form = 'json' | 'protobuf';

const compress = promisify(gzip);

/** A document in its encoded forms. */
export class Encoded {
  /** The SHA-512 of the JSON, in hexadecimal. */
  readonly hash: string;
  readonly #json: Buffer;
  readonly #toProtobuf: ((document: DocumentNode) => Uint8Array) | undefined;
  #protobuf: Uint8Array | undefined;
  readonly #compressed = new Map<Form, Promise<Buffer>>();

  constructor(document: DocumentNode, toProtobuf?: (document: DocumentNode) => Uint8Array) {
    this.#json = Buffer.from(jsonText(document));
    this.hash = createHash('sha512').update(this.#json).digest('hex').toUpperCase();
    this.#toProtobuf = toProtobuf;
  }

  /** Returns the bytes of a form. Throws if the document has no such form. */
  bytes(form: Form): Uint8Array {
    if (form === 'json') return this.#json;
    // The JSON is kept anyway, and the value would need more memory.
    this.#protobuf ??= this.#toProtobuf?.(this.document());
    if (this.#protobuf === undefined) throw new Error('the document has no protobuf form');
    return this.#protobuf;
  }

  /** Returns the document itself. */
  document(): DocumentNode {
    return parseJson(this.#json.toString()) as DocumentNode;
  }

  /** Returns the compressed bytes of a form. */
  gzip(form: Form): Promise<Buffer> {
    const known = this.#compressed.get(form) ?? compress(this.bytes(form));
    this.#compressed.set(form, known);
    return known;
  }
}
