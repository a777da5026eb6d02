// Keeps the documents of one source in their encoded forms. Each is made when it is asked for.
import { type AsyncSteps, doAsyncInTurns, doInTurns } from '../../turns.js';
import type { DocumentNode } from './dialect.js';
import { type DocumentSource, documentV2, documentV3, pathsV3, sameItems, sameV3 } from './documents.js';
import { Encoded } from './encoded.js';
import { encodeV2 } from './gnosticV2.js';
import { encodeV3 } from './gnosticV3.js';
import { merged } from './merge.js';
import { madeV3, partOf } from './remote.js';
import type { RemoteDocument } from './remotes.js';

/** 32 MiB: a server with thousands of definitions has a document for each group version, which few clients ask for. */
const mostKept = 32 * 1024 * 1024;

export class DocumentCache {
  #own: Promise<Encoded> | undefined;
  /** The document with those parts of others that it was last asked for with. */
  #merged: { readonly parts: readonly DocumentNode[]; readonly document: Promise<Encoded> } | undefined;
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

  /** Returns the document of OpenAPI 2, with what `remotes` say of their APIs. */
  v2(remotes: readonly RemoteDocument[] = []): Promise<Encoded> {
    this.#own ??= this.#makeV2();
    const parts = remotes.map(partOf).filter((part) => part !== undefined);
    if (parts.length === 0) return this.#own;
    if (this.#merged === undefined || !sameItems(this.#merged.parts, parts)) {
      this.#merged = { parts, document: this.#own.then((own) => withParts(own, parts)) };
    }
    return this.#merged.document;
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

  /** Returns the index of the documents of OpenAPI 3, with their URLs below a base path, and of those of `remotes`. */
  async index(basePath: string, remotes: readonly RemoteDocument[] = []): Promise<Encoded> {
    const own = await doAsyncInTurns(this.#urls(basePath));
    const theirs = remotes.flatMap((remote) => {
      const hash = remote.hash ?? madeV3(remote, this.source.version)?.hash;
      if (hash === undefined || Object.hasOwn(own, remote.path)) return [];
      return [[remote.path, { serverRelativeURL: urlOf(basePath, remote.path, hash) }] as const];
    });
    return new Encoded({ paths: { ...own, ...Object.fromEntries(theirs) } });
  }

  async *#urls(basePath: string): AsyncSteps<DocumentNode> {
    const paths: Record<string, DocumentNode> = {};
    for (const path of this.#paths) {
      const hash = this.#hashes.get(path) ?? (await this.v3(path))?.hash;
      paths[path] = { serverRelativeURL: urlOf(basePath, path, hash ?? '') };
      yield;
    }
    return paths;
  }
}

const urlOf = (basePath: string, path: string, hash: string): string =>
  `${basePath}/openapi/v3/${path}${hash === '' ? '' : `?hash=${hash}`}`;

const withParts = (own: Encoded, parts: readonly DocumentNode[]): Encoded =>
  new Encoded(merged(own.document() as DocumentNode, parts), encodeV2);
