// Reads and decodes request bodies, with limits, and only for operations with a body.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ByteQueue } from '../../matrix/api/byteQueue.js';
import { apiVersionOf, type BodyForm, mediaTypes, type Operation } from '../../matrix/api/index.js';
import { type Codec, type DecodedBody, decodeBytes, type GroupVersionKind, isLong } from '../codecs/codec.js';
import { RepeatedFields } from '../codecs/fieldPaths.js';
import type { Codecs } from '../codecs/index.js';
import { json, writtenIn } from '../codecs/json.js';
import { badRequest, tooLarge, unsupportedEncoding, unsupportedMediaType, unsupportedTransfer } from '../errors.js';
import { runTimeKindOf } from '../schema/runTimeKind.js';
import { StatusError } from '../statusError.js';
import { sendContinue } from './expectContinue.js';
import { hasGoodParameters, mediaTypeOf } from './negotiation.js';

/** The maximum size of a body in bytes: 3 MiB, as on real servers. */
export const bodyLimit = 3 * 1024 * 1024;

/**
 * Returns the form of an operation's body. Every delete accepts options, even if the document declares no body: a dry
 * run or a precondition must not be ignored.
 */
export function bodyForm({ body, verb }: Operation): BodyForm {
  return verb === 'deletePlain' || verb === 'deleteCollection' ? 'options' : body;
}

/**
 * Reads and decodes the body of an operation. Throws 413 above 3 MiB, 415 for an unsupported type or encoding, 501 for
 * an unsupported transfer encoding, and 400 for a malformed body or a missing object or patch (readings, 4). Returns
 * undefined for absent delete options. With `allowsDuplicates`, a repeated field is no error: the last one counts, and
 * the body has the paths.
 */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  codecs: Codecs,
  allowsDuplicates = false,
): Promise<DecodedBody | undefined> {
  const { headers } = request;
  const form = bodyForm(operation);
  const declared = headers['content-length'];
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') throw unsupportedTransfer(transfer);
  const chunked = transfer !== undefined;
  if (declared !== undefined && Number(declared) > bodyLimit) throw tooLarge(bodyLimit);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding);
  const isEmpty = !chunked && (declared === undefined || Number(declared) === 0);
  if (isEmpty && form === 'options') return undefined;
  const mediaType = requireType(operation, headers['content-type'], codecs);
  if (!isEmpty && request.readableEnded) throw new Error('the body was read before: mount the API above body parsers');
  const bytes = isEmpty ? noBytes : await collect(request);
  if (bytes.length === 0 && form === 'options') return undefined;
  const codec = codecs.of(mediaType) ?? codecs.ofPatch(mediaType) ?? json;
  const repeated = allowsDuplicates || codec.allowsDuplicates ? new RepeatedFields() : undefined;
  const value = await decode(bytes, codec, operation, repeated);
  const written = codec === json && !isLong(bytes) ? writtenIn(bytes) : undefined;
  return {
    mediaType,
    value,
    ...(isLong(bytes) && { isLong: true }),
    ...(repeated && { duplicates: repeated.found }),
    ...(written && { written }),
  };
}

/** Returns the body of a request as a stream to pass on, or undefined if there is none. */
export function bodyStream(request: IncomingMessage): Readable | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length ?? 0) === 0) return undefined;
  sendContinue(request);
  return request;
}

const noBytes = Buffer.alloc(0);

/** Reports whether the body is an object of a kind that has no message in protobuf. */
const isMessageless = ({ body, resource, verb, responseTypes }: Operation): boolean =>
  body === 'object' &&
  resource?.modern === true &&
  verb !== 'discover' &&
  resource.bodyKinds[verb] === undefined &&
  responseTypes !== 'any' &&
  !responseTypes.includes('protobuf');

function requireType(operation: Operation, contentType: string | undefined, codecs: Codecs): string {
  const form = bodyForm(operation);
  const mediaType = mediaTypeOf(contentType);
  if (form === 'patch') {
    const { resource } = operation;
    const hasTable = resource === undefined || runTimeKindOf(resource)?.body === undefined;
    // A strategic merge needs the field table.
    const isServed = (type: string): boolean => hasTable || type !== mediaTypes.strategicMergePatch;
    if (mediaType === undefined || codecs.ofPatch(mediaType) === undefined || !isServed(mediaType))
      throw unsupportedMediaType(codecs.patchTypes.filter(isServed));
    return mediaType;
  }
  if (mediaType === undefined) return json.mediaType;
  const accepted = isMessageless(operation) ? codecs.all.filter(({ needsKind }) => needsKind !== true) : codecs.all;
  const codec = codecs.of(mediaType);
  if (codec === undefined || !accepted.includes(codec) || !hasGoodParameters(contentType ?? '')) {
    throw unsupportedMediaType(accepted.map(({ mediaType }) => mediaType));
  }
  return mediaType;
}

async function decode(
  bytes: Uint8Array,
  codec: Codec,
  operation: Operation,
  duplicates: RepeatedFields | undefined,
): Promise<unknown> {
  try {
    if (bytes.length === 0 && codec.needsKind !== true) throw badRequest('unexpected end of JSON input (<empty>)');
    return await decodeBytes(codec, bytes, expectedKind(operation), duplicates);
  } catch (error) {
    if (!(error instanceof StatusError) || operation.body === 'patch') throw error;
    // A format with a separate kind knows the kind even if the object is malformed.
    const what = codec.needsKind === true ? '' : "couldn't get version/kind; ";
    throw badRequest(`${unreadable(operation)}${what}${error.message}`);
  }
}

function expectedKind({ body, resource, verb }: Operation): GroupVersionKind {
  if (body !== 'object' || resource === undefined || verb === 'discover') return deleteOptions;
  return resource.bodyKinds[verb] ?? { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind };
}

const deleteOptions: GroupVersionKind = { apiVersion: 'v1', kind: 'DeleteOptions' };

function unreadable(operation: Operation): string {
  if (operation.body !== 'object' || operation.verb === 'discover') return '';
  return `the object provided is unrecognized (must be of type ${expectedKind(operation).kind}): `;
}

function collect(request: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const received = new ByteQueue();
    // The request releases the other listeners when it ends.
    const stop = (error: Error) => {
      request.off('data', onData);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      received.push(chunk);
      if (received.length > bodyLimit) stop(tooLarge(bodyLimit));
    };
    const onEnd = () => resolve(received.bytes);
    const onClose = () => {
      if (!request.readableEnded) stop(badRequest('the connection ended before the body did'));
    };
    request.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    sendContinue(request);
  });
}
