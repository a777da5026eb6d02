// Keeps the documents of one source in their encoded forms. Each is made when it is asked for.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { jsonText, parseJson } from '../../exactJson.js';
import { type AsyncSteps, doAsyncInTurns, doInTurns } from '../../turns.js';
import type { DocumentNode } from './dialect.js';
import { type DocumentSource, documentV2, documentV3, pathsV3, sameV3 } from './documents.js';
import { encodeV2 } from './gnosticV2.js';
import { encodeV3 } from './gnosticV3.js';

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
    this.#protobuf ??= this.#toProtobuf?.(parseJson(this.#json.toString()) as DocumentNode);
    if (this.#protobuf === undefined) throw new Error('the document has no protobuf form');
    return this.#protobuf;
  }

  /** Returns the compressed bytes of a form. */
  gzip(form: Form): Promise<Buffer> {
    const known = this.#compressed.get(form) ?? compress(this.bytes(form));
    this.#compressed.set(form, known);
    return known;
  }
}

/** 32 MiB: a server with thousands of definitions has a document for each group version, which few clients ask for. */
const mostKept = 32 * 1024 * 1024;

export class DocumentCache {
  #v2: Promise<Encoded> | undefined;
  /** The documents by their paths; the one that was asked for last is the last. */
  readonly #v3 = new Map<string, Encoded>();
  #bytes = 0;
  /** The hashes of all documents that were made. */
  readonly #hashes = new Map<string, string>();
  readonly #paths: readonly string[];

  /** `most`: the bytes of JSON that the kept documents of OpenAPI 3 have at most, beside the last one. */
  constructor(
    readonly source: DocumentSource,
    readonly most = mostKept,
  ) {
    this.#paths = pathsV3(source);
  }

  /** Takes over what the cache of another source of the same server has made, if this source makes the same. */
  takeOver(before: DocumentCache): void {
    for (const path of this.#paths) before.#give(path, this);
  }

  #give(path: string, to: DocumentCache): void {
    const hash = this.#hashes.get(path);
    if (hash === undefined || !sameV3(this.source, to.source, path)) return;
    to.#hashes.set(path, hash);
    const document = this.#v3.get(path);
    if (document !== undefined) to.#keep(path, document);
  }

  #keep(path: string, document: Encoded): void {
    this.#hashes.set(path, document.hash);
    this.#bytes += document.bytes('json').length - (this.#v3.get(path)?.bytes('json').length ?? 0);
    this.#v3.delete(path);
    this.#v3.set(path, document);
    for (const [oldest, old] of this.#v3) {
      if (this.#bytes <= this.most || oldest === path) return;
      this.#v3.delete(oldest);
      this.#bytes -= old.bytes('json').length;
    }
  }

  /** Returns the document of OpenAPI 2. */
  v2(): Promise<Encoded> {
    this.#v2 ??= this.#makeV2();
    return this.#v2;
  }

  async #makeV2(): Promise<Encoded> {
    return new Encoded(await doInTurns(documentV2(this.source)), encodeV2);
  }

  /** Returns the document of OpenAPI 3 at a path such as `api/v1`; undefined if there is none. */
  async v3(path: string): Promise<Encoded | undefined> {
    const encoded = this.#v3.get(path) ?? (await this.#makeV3(path));
    if (encoded !== undefined) this.#keep(path, encoded);
    return encoded;
  }

  async #makeV3(path: string): Promise<Encoded | undefined> {
    const document = await doInTurns(documentV3(this.source, path));
    return document && new Encoded(document, encodeV3);
  }

  /** Returns the index of the documents of OpenAPI 3, with their URLs below a base path. */
  async index(basePath: string): Promise<Encoded> {
    return new Encoded({ paths: await doAsyncInTurns(this.#urls(basePath)) });
  }

  async *#urls(basePath: string): AsyncSteps<DocumentNode> {
    const paths: Record<string, DocumentNode> = {};
    for (const path of this.#paths) {
      const hash = this.#hashes.get(path) ?? (await this.v3(path))?.hash;
      paths[path] = { serverRelativeURL: `${basePath}/openapi/v3/${path}?hash=${hash}` };
      yield;
    }
    return paths;
  }
}
