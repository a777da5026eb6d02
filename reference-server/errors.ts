// The errors that the server answers with: one function for each reason.
import type { Resource } from '../matrix/api/index.js';
import { cut } from './excerpt.js';
import { type Cause, type StatusDetails, StatusError } from './statusError.js';

const qualified = ({ groupVersion, plural }: Resource): string =>
  groupVersion.group === '' ? plural : `${plural}.${groupVersion.group}`;

const detailsOf = (resource: Resource, name: string, more: StatusDetails = {}): StatusDetails => ({
  name,
  ...(resource.groupVersion.group === '' ? {} : { group: resource.groupVersion.group }),
  kind: resource.plural,
  ...more,
});

/** 400 for a request that the client must correct. */
export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message);

/** 401. The message does not say which credential failed, or why. */
export const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized');

/** 403 with the reason of an admission plug-in. */
export const forbidden = (resource: Resource, name: string, why: string): StatusError =>
  new StatusError(403, 'Forbidden', `${qualified(resource)} "${name}" is forbidden: ${why}`, detailsOf(resource, name));

/** 403 for a create in a terminating namespace. */
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

const because = (why: string): string => (why === '' ? '' : `: ${why}`);

/** 403 for a user who may not use a path. `why` is what the authorizer says; empty for nothing. */
export const forbiddenPath = (user: string, verb: string, path: string, why = ''): StatusError =>
  new StatusError(
    403,
    'Forbidden',
    `forbidden: User ${JSON.stringify(user)} cannot ${verb} path "${path}"${because(why)}`,
    {},
  );

/** 403 for a request on behalf of another user. */
export const impersonationRefused = (header: string): StatusError =>
  new StatusError(403, 'Forbidden', `impersonation is not supported: send the request without ${header}`, {});

/** A verb on a resource, or on one of its subresources. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  /** The plural of the resource, which may be unknown to the server. */
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped requests. */
  readonly namespace: string;
  /** Empty for a collection. */
  readonly name: string;
}

/** 403 for a user who may not use a resource, whether the server has the resource or not. `why` is as for a path. */
export function forbiddenResource(
  user: string,
  { verb, group, resource, subresource, namespace, name }: ResourceAttributes,
  why = '',
): StatusError {
  const what = `${resource}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` "${name}"`}`;
  const asked = `${resource}${subresource === '' ? '' : `/${subresource}`}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return new StatusError(
    403,
    'Forbidden',
    `${what} is forbidden: User ${JSON.stringify(user)} cannot ${verb} resource "${asked}" in API group "${group}" ${where}${because(why)}`,
    { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: resource },
  );
}

/** 404 for an unknown path. The message begins with the text that clients look for, and ends with a hint, if any. */
export const noSuchPath = (hint?: string): StatusError =>
  new StatusError(
    404,
    'NotFound',
    `the server could not find the requested resource${hint === undefined ? '' : ` (${hint})`}`,
    {},
  );

/** 404 for an absent object. */
export const notFound = (resource: Resource, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name));

/** 405 for a known path, with the allowed methods. */
export const methodNotAllowed = (allowed: readonly string[] = []): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
    allowed.length === 0 ? {} : { Allow: allowed.join(', ') },
  );

/** 405 for a verb that a resource does not support, on an existing path. */
export const verbNotSupported = (resource: Resource, verb: string): StatusError =>
  new StatusError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${qualified(resource)}"`,
    resource.groupVersion.group === ''
      ? { kind: resource.plural }
      : { group: resource.groupVersion.group, kind: resource.plural },
  );

/** 406 for the metadata of one object in place of a list, or the reverse. `is` says what the response is. */
export const notRepresentable = (asked: string, is: string): StatusError =>
  new StatusError(406, 'NotAcceptable', `you requested ${asked}, but the requested object ${is}`);

/** 406 with the media types of the server. */
export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`, {});

/** 409 for a name that is taken, maybe for a moment only. */
export function alreadyExists(resource: Resource, name: string, isBeingDeleted = false): StatusError {
  const taken = `${qualified(resource)} "${name}" already exists`;
  const message = isBeingDeleted ? `object is being deleted: ${taken}` : taken;
  return new StatusError(409, 'AlreadyExists', message, detailsOf(resource, name));
}

/** 409 for a write that conflicts with another one. */
export const conflict = (resource: Resource, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  );

/** The reason of a conflict about the resourceVersion. */
export const modified = 'the object has been modified; please apply your changes to the latest version and try again';

/** 410 for a revision that is no longer in history, with the token that continues a list at the newest revision. */
export const expired = (message: string, token?: string): StatusError =>
  new StatusError(410, 'Expired', message, undefined, {}, token === undefined ? {} : { continue: token });

/** 413 with the limit, in bytes. */
export const tooLarge = (limit: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** 415 with the supported media types. */
export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    {},
  );

/** 501 for a body in a transfer encoding beside chunks. */
export const unsupportedTransfer = (encoding: string): StatusError =>
  new StatusError(501, 'NotImplemented', `the transfer encoding ${JSON.stringify(encoding)} is not supported`);

/** 415 for a compressed body. */
export const unsupportedEncoding = (encoding: string): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was encoded as ${JSON.stringify(encoding)} - only identity is accepted`,
    {},
    { 'Accept-Encoding': 'identity' },
  );

/** 422 with all causes. `kind` and `group` are those of the body. */
export function invalid(
  groupKind: { group: string; kind: string },
  fullName: string,
  causes: readonly Cause[],
): StatusError {
  const { group, kind } = groupKind;
  const name = cut(fullName);
  const texts = [...new Set(causes.map(({ field, message }) => `${field ?? '<nil>'}: ${message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${list}`, {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind,
    causes,
  });
}

/** 422 for a patch that does not apply to the object. */
export const rejectedPatch = (why: string): StatusError =>
  new StatusError(422, 'Invalid', `the server rejected our request due to an error in our request: ${why}`, {});

/** 429 for an eviction that a disruption budget does not allow. `retryAfter` is in seconds; 0 promises nothing. */
export const evictionRefused = (why: string, retryAfter = 0): StatusError =>
  new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message: why }],
      ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
    },
    retryAfter > 0 ? { 'Retry-After': String(retryAfter) } : {},
  );

/** 500 for a pod whose service account has no token yet. A retry may succeed. */
export const noTokenYet = (account: string): StatusError =>
  new StatusError(
    500,
    'ServerTimeout',
    `No API token found for service account ${JSON.stringify(account)}, retry after the token is automatically created and added to the service account`,
    { name: 'create pod', kind: 'serviceaccounts', retryAfterSeconds: 1 },
    { 'Retry-After': '1' },
  );

/** 504 for a revision that is not reached yet. */
export const revisionTooLarge = (asked: string, current: string): StatusError =>
  new StatusError(
    504,
    'Timeout',
    `Timeout: Too large resource version: ${asked}, current: ${current}`,
    { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
    { 'Retry-After': '1' },
  );

/** 503 for a request to a server that stops: the client may send it again, to another server or later. */
export const stopping = (): StatusError =>
  new StatusError(
    503,
    'ServiceUnavailable',
    'the server is stopping',
    { retryAfterSeconds: 1 },
    { 'Retry-After': '1', Connection: 'close' },
  );

/** 503 for a backend that exists but cannot be reached. */
export const unavailable = (message: string): StatusError => new StatusError(503, 'ServiceUnavailable', message);

/** 504 for a backend that was reached but does not respond. */
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

/** Returns the error for a refusal by a node, or 503 if the node's response is not a refusal. */
export function nodeError(status: number, message: string): StatusError {
  if (status < 400) return unavailable(`the node answers ${status}`);
  return new StatusError(status, reasons[status] ?? 'Unknown', message || `the node answers ${status}`);
}
