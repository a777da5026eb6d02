// Every error that the server answers with: one class, one constructor function for each reason.
import type { Resource } from '../matrix/api/index.js';
import type { ApiObject } from './codecs/codec.js';
import { cut } from './excerpt.js';
import { StorageFull } from './storage/storage.js';

/** One cause of an invalid object: the reason, the message without the field, the path of the field. */
export interface Cause {
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueNotFound'
    | 'ResourceVersionTooLarge'
    | 'NamespaceTerminating';
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
}

/** The most characters of a message, whatever of a request it quotes. */
const longestMessage = 16 * 1024;

/** An error with its Status: thrown anywhere, rendered once, at the edge. A message that is too long is cut. */
export class StatusError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The metadata of the Status: where a list can be continued. */
    readonly metadata: { readonly continue?: string } = {},
  ) {
    super(cut(message, longestMessage));
    this.name = 'StatusError';
  }

  /** The v1 Status object of this error. */
  toStatus(): ApiObject {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

const qualified = ({ groupVersion, plural }: Resource): string =>
  groupVersion.group === '' ? plural : `${plural}.${groupVersion.group}`;

const detailsOf = (resource: Resource, name: string, more: StatusDetails = {}): StatusDetails => ({
  name,
  ...(resource.groupVersion.group === '' ? {} : { group: resource.groupVersion.group }),
  kind: resource.plural,
  ...more,
});

/** 400 for anything that the client must write differently. */
export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

/** 401 without a hint which credential failed, or why. */
export const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');

/** 403 with the reason that admission gives. */
export const forbidden = (resource: Resource, name: string, why: string): StatusError =>
  new StatusError(403, 'Forbidden', `${qualified(resource)} "${name}" is forbidden: ${why}`, detailsOf(resource, name));

/** 403 for a create in a namespace that is on its way out. */
export const namespaceTerminating = (resource: Resource, name: string, namespace: string): StatusError =>
  new StatusError(
    403,
    'Forbidden',
    `${qualified(resource)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    detailsOf(resource, name, {
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    }),
  );

/** 403 for a user who may not use a path. */
export const forbiddenPath = (user: string, verb: string, path: string): StatusError =>
  new StatusError(403, 'Forbidden', `forbidden: User ${JSON.stringify(user)} cannot ${verb} path "${path}"`, {});

/** 403 for a request that is to be answered as another user's. */
export const impersonationRefused = (header: string): StatusError =>
  new StatusError(403, 'Forbidden', `impersonation is not supported: send the request without ${header}`, {});

/** A verb on a resource, or on one of its subresources. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  /** The plural, of a served resource or not. */
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty at the scope of the cluster. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

/** 403 for a user who may not do something with a resource, whether it is served or not. */
export function forbiddenResource(
  user: string,
  { verb, group, resource, subresource, namespace, name }: ResourceAttributes,
): StatusError {
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` "${name}"`}`;
  const asked = `${resource}${subresource === '' ? '' : `/${subresource}`}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return new StatusError(
    403,
    'Forbidden',
    `${what} is forbidden: User ${JSON.stringify(user)} cannot ${verb} resource "${asked}" in API group "${group}" ${where}`,
    { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: resource },
  );
}

/** 404 for a path that names nothing this server serves. */
export const noSuchPath = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});

/** 404 for an object. */
export const notFound = (resource: Resource, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));

/** 405 for a known path, with the methods that it has. */
export const methodNotAllowed = (allowed: readonly string[] = []): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
    allowed.length === 0 ? {} : { Allow: allowed.join(', ') },
  );

/** 405 for a verb that a resource does not have, on a path that it has. */
export const verbNotSupported = (resource: Resource, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${qualified(resource)}"`,
    resource.groupVersion.group === ''
      ? { kind: resource.plural }
      : { group: resource.groupVersion.group, kind: resource.plural },
  );

/** 406 with the media types that would be accepted. */
export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`, {});

/** 409 for a name that is taken. */
export const alreadyExists = (resource: Resource, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name));

/** 409 for a write that lost against another one. */
export const conflict = (resource: Resource, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

/** What a stale resourceVersion is told. */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** 410 for a revision that history no longer holds; with the token by which a list can go on without it. */
export const expired = (message: string, token?: string): StatusError =>
  new StatusError(410, 'Expired', message, undefined, {}, token === undefined ? {} : { continue: token });

/** 413 with the limit in bytes. */
export const tooLarge = (limit: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** 415 with the media types that would be understood. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    {},
  );

/** 415 for a body that is compressed. */
export const unsupportedEncoding = (encoding: string): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was encoded as ${JSON.stringify(encoding)} - only identity is accepted`,
    {},
    { 'Accept-Encoding': 'identity' },
  );

/** 422 with every cause; `kind` is the Kind of the body, `group` its group. */
export function invalid(
  groupKind: { group: string; kind: string },
  given: string,
  causes: readonly Cause[],
): StatusError {
  const { group, kind } = groupKind;
  const name = cut(given);
  const texts = causes.map(({ field, message }) => `${field ?? '<nil>'}: ${message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind,
    causes,
  });
}

/** 422 for a patch that cannot be applied to the object. */
export const rejectedPatch = (why: string): StatusError =>
  new StatusError(422, 'Invalid', `the server rejected our request due to an error in our request: ${why}`, {});

/** 500 for a pod whose account has no token yet; a later try finds one. */
export const noTokenYet = (account: string): StatusError =>
  new StatusError(
    500,
    'ServerTimeout',
    `No API token found for service account ${JSON.stringify(account)}, retry after the token is automatically created and added to the service account`,
    { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
    { 'Retry-After': '1' },
  );

/** 504 for a revision that is not here yet. */
export const revisionTooLarge = (asked: string, current: string): StatusError =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

/** 507 for a write that finds no room; reads go on. */
const insufficientStorage = (): StatusError =>
  new StatusError(507, 'InsufficientStorage', 'the storage is full: nothing was written');

/** 503 for what is there and cannot be reached. */
export const unavailable = (message: string): StatusError => new StatusError(503, 'ServiceUnavailable', message);

/** 504 for what was reached and does not answer. */
export const gatewayTimeout = (message: string): StatusError => new StatusError(504, 'Timeout', message);

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  422: 'Invalid',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** What a node said of a request that it refuses; what is no refusal was not understood, and is 503. */
export function nodeError(status: number, message: string): StatusError {
  if (status < 400) return unavailable(`the node answers ${status}`);
  return new StatusError(status, reasons[status] ?? 'Unknown', message || `the node answers ${status}`);
}

/** 500 for what should not have happened; the cause stays in the log. */
const internal = (): StatusError =>
  new StatusError(500, 'InternalError', 'an internal error occurred; the log of the server has it');

/** What the client is told of anything that was thrown; what is not a StatusError goes to the log whole. */
export function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof StorageFull) return insufficientStorage();
  reportError(error);
  return internal();
}

/** Writes what should not have happened to the log, which is stderr. */
export function reportError(error: unknown): void {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const lines = [`internal error: ${String(error).slice(0, longestMessage)}`, ...frames].map((line) =>
    line.replace(/\p{Cc}/gu, '?'),
  );
  process.stderr.write(`${lines.join('\n')}\n`);
}
