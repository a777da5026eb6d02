// Header blocks of SPDY/3.1: names and values with their lengths, compressed with one history for each direction.
import { constants, deflateRawSync, deflateSync, inflateRawSync } from 'node:zlib';

/** The peer violated the protocol, so the session cannot continue. The message contains no data of the peer. */
export class SpdyProtocolError extends Error {}

/** Headers with names in lower case. A zero byte separates several values of one name. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** The most bytes of a decompressed header block; those of Kubernetes have a few hundred. */
const maxHeaderBytes = 64 * 1024;
/** The maximum distance of a back-reference in deflate. */
const windowBytes = 32 * 1024;
const finishFlush = constants.Z_SYNC_FLUSH;

/**
 * Compresses the header blocks of one direction. Only the first block refers to the dictionary, and no block refers to
 * an earlier one. That is valid deflate, needs no state in native memory, and costs a few bytes per stream.
 */
export class HeaderCompressor {
  #started = false;

  compress(headers: SpdyHeaders): Buffer {
    const block = encodeHeaders(headers);
    if (this.#started) return deflateRawSync(block, { finishFlush });
    this.#started = true;
    return deflateSync(block, { finishFlush, dictionary });
  }
}

/**
 * Decompresses the header blocks of one direction. A block ends at a byte boundary (sync flush), so each one can be
 * decompressed separately.
 */
export class HeaderDecompressor {
  #history: Buffer | undefined;

  /** Throws SpdyProtocolError if the block is damaged, too large, or compressed with another dictionary. */
  decompress(block: Buffer): SpdyHeaders {
    const deflated = this.#history === undefined ? this.#start(block) : block;
    const history = this.#history ?? dictionary;
    const inflated = inflate(deflated, history);
    this.#history = Buffer.concat([history, inflated]).subarray(-windowBytes);
    return decodeHeaders(inflated);
  }

  #start(block: Buffer): Buffer {
    const isZlib = block.length >= 6 && (block.readUInt8(0) & 0x0f) === 8 && block.readUInt16BE(0) % 31 === 0;
    if (!isZlib) throw new SpdyProtocolError('the first header block is not compressed with zlib');
    const hasDictionary = (block.readUInt8(1) & 0x20) !== 0;
    if (hasDictionary && block.readUInt32BE(2) !== dictionaryId)
      throw new SpdyProtocolError('a header block is compressed with another dictionary');
    this.#history = hasDictionary ? dictionary : Buffer.alloc(0);
    return block.subarray(hasDictionary ? 6 : 2);
  }
}

function inflate(block: Buffer, history: Buffer): Buffer {
  try {
    const options = { finishFlush, maxOutputLength: maxHeaderBytes };
    return inflateRawSync(block, history.length === 0 ? options : { ...options, dictionary: history });
  } catch (error) {
    throw new SpdyProtocolError('a header block cannot be inflated', { cause: error });
  }
}

function encodeHeaders(headers: SpdyHeaders): Buffer {
  const parts = [uint32(headers.size)];
  for (const text of [...headers].flat()) {
    const bytes = Buffer.from(text);
    parts.push(uint32(bytes.length), bytes);
  }
  return Buffer.concat(parts);
}

function decodeHeaders(block: Buffer): SpdyHeaders {
  let offset = 0;
  const take = (length: number) => {
    if (offset + length > block.length) throw new SpdyProtocolError('a header block ends early');
    offset += length;
    return block.subarray(offset - length, offset);
  };
  const text = () => take(take(4).readUInt32BE()).toString('utf8');
  const headers = new Map<string, string>();
  for (let left = take(4).readUInt32BE(); left > 0; left--) {
    const name = text();
    if (name === '' || name !== name.toLowerCase()) throw new SpdyProtocolError('a header name is not in lower case');
    if (headers.has(name)) throw new SpdyProtocolError('a header block names a header twice');
    headers.set(name, text());
  }
  if (offset !== block.length) throw new SpdyProtocolError('a header block is longer than its headers');
  return headers;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

// The dictionary of SPDY/3 header compression, shared by client and server (draft 3, 2.6.10.1).

const names =
  'options,head,post,put,delete,trace,accept,accept-charset,accept-encoding,accept-language,accept-ranges,age,allow,' +
  'authorization,cache-control,connection,content-base,content-encoding,content-language,content-length,' +
  'content-location,content-md5,content-range,content-type,date,etag,expect,expires,from,host,if-match,' +
  'if-modified-since,if-none-match,if-range,if-unmodified-since,last-modified,location,max-forwards,pragma,' +
  'proxy-authenticate,proxy-authorization,range,referer,retry-after,server,te,trailer,transfer-encoding,upgrade,' +
  'user-agent,vary,via,warning,www-authenticate,method,get,status,200 OK,version,HTTP/1.1,url,public,set-cookie,' +
  'keep-alive,origin';

const values =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
  '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden' +
  '404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

/** The dictionary. As in a header block, the length of each name precedes it in four bytes. */
export const dictionary: Buffer = Buffer.concat([
  ...names.split(',').flatMap((name) => [Buffer.from([0, 0, 0, name.length]), Buffer.from(name)]),
  Buffer.from(values),
]);

/** The id of the dictionary in a compressed stream: the Adler-32 sum of its bytes. */
export const dictionaryId = 0xe3c6a7c2;
