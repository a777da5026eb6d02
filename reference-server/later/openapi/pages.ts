// Answers requests for OpenAPI documents: media types, entity tags, hashes, and compression.
import Negotiator from 'negotiator';
import { mediaTypes } from '../../../matrix/api/index.js';
import { noSuchPath, notAcceptable } from '../../errors.js';
import type { Answer, ApiRequest } from '../../request.js';
import { DocumentCache } from './cache.js';
import type { DocumentSource } from './documents.js';
import type { Encoded } from './encoded.js';
import { typesV2 } from './gnosticV2.js';
import { typesV3 } from './gnosticV3.js';
import { madeV3 } from './remote.js';
import type { RemoteDocuments } from './remotes.js';

/** Shorter documents, in bytes, are not compressed. */
const leastCompressed = 1024;

/** How long a document with its hash in the URL stays valid, in milliseconds: a year. */
const longest = 365 * 24 * 60 * 60 * 1000;

const vary = { Vary: 'Accept, Accept-Encoding' };

/** The pages of a server. Of the documents, those are made again that another source changes. */
export class DocumentPages {
  #cache: DocumentCache | undefined;

  constructor(readonly remotes: RemoteDocuments) {}

  /** Answers a request. Throws 404 for an unknown document, and 406 if the client accepts no form of it. */
  async answer(request: ApiRequest, source: DocumentSource): Promise<Answer> {
    const cache = this.#cacheOf(source);
    const { path } = request.operation;
    const { all } = this.remotes;
    if (path === '/swagger.json') return respond(request, await cache.v2(all), []);
    if (path === '/openapi/v2') return respond(request, await cache.v2(all), typesV2);
    const document = request.path.path?.replace(/\/$/, '') ?? '';
    if (document === '') return respond(request, await cache.index(request.basePath, all), []);
    const own = await cache.v3(document);
    if (own !== undefined) return hashed(request, own, `${request.basePath}/openapi/v3/${document}`);
    const remote = all.find((one) => one.path === document);
    const made = remote && madeV3(remote, source.version);
    if (made !== undefined) return hashed(request, made, `${request.basePath}/openapi/v3/${document}`);
    if (remote?.hash === undefined) throw noSuchPath();
    return this.remotes.ask(request, remote);
  }

  #cacheOf(source: DocumentSource): DocumentCache {
    const before = this.#cache;
    if (before?.source === source) return before;
    const cache = new DocumentCache(source);
    if (before !== undefined) cache.takeOver(before);
    this.#cache = cache;
    return cache;
  }
}

/**
 * Answers a request for a document of OpenAPI 3. With its hash in the URL, it never changes; with another hash, the
 * client is sent to the present one.
 */
async function hashed(request: ApiRequest, encoded: Encoded, url: string): Promise<Answer> {
  const hash = request.query.get('hash') ?? '';
  if (hash !== '' && hash !== encoded.hash) {
    const headers = { ...vary, Location: `${url}?hash=${encoded.hash}`, Etag: tagOf(encoded) };
    return { status: 301, headers, raw: '', mediaType: mediaTypes.json };
  }
  const forever = {
    'Cache-Control': 'public, immutable',
    Expires: new Date(Date.now() + longest).toUTCString(),
  };
  return respond(request, encoded, typesV3, hash === '' ? {} : forever);
}

/** Answers with a document, in the protobuf form if the client prefers one of these types. */
async function respond(
  { headers: asked }: ApiRequest,
  encoded: Encoded,
  protobufTypes: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { accept = '*/*' } = asked;
  const types = [mediaTypes.json, ...protobufTypes];
  const type = new Negotiator({ headers: { accept } }).mediaTypes(types)[0];
  if (type === undefined) throw notAcceptable(types);
  const isJson = type === mediaTypes.json;
  const mediaType = isJson ? type : (protobufTypes[0] ?? type);
  const headers = { ...vary, Etag: tagOf(encoded), ...more };
  if (isKnown(asked['if-none-match'], encoded)) return { status: 304, headers, raw: '', mediaType };
  const form = isJson ? 'json' : 'protobuf';
  const bytes = encoded.bytes(form);
  const encoding = new Negotiator({ headers: { 'accept-encoding': asked['accept-encoding'] } });
  if (bytes.length < leastCompressed || encoding.encodings(['gzip', 'identity'])[0] !== 'gzip') {
    return { status: 200, headers, raw: bytes, mediaType };
  }
  return { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, raw: await encoded.gzip(form), mediaType };
}

const tagOf = ({ hash }: Encoded): string => `"${hash}"`;

/** Reports whether an If-None-Match header names the document, or any document. */
function isKnown(header: string | undefined, encoded: Encoded): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes('*') || tags.includes(tagOf(encoded));
}
