// The words of real servers, which are written in Go, for calls that fail.
import { isIP } from 'node:net';
import { cut } from '../../excerpt.js';
import { StatusError } from '../../statusError.js';

/** Returns several errors as one text. */
export function aggregated(errors: readonly string[]): string {
  const all = [...new Set(errors)];
  return all.length > 1 ? `[${all.join(', ')}]` : (all[0] ?? '');
}

type NodeError = Error & { readonly code?: string; readonly address?: string; readonly port?: number };

/** Returns the error of a call that got no answer. */
export function callError(url: string, error: unknown, method = 'Post'): Error {
  return new Error(`${method} ${JSON.stringify(url)}: ${reasonOf(error)}`);
}

const unknownAuthority = 'x509: certificate signed by unknown authority';

const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: 'x509: certificate has expired or is not yet valid',
  ECONNRESET: 'EOF',
  EPIPE: 'EOF',
};

const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

function reasonOf(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  const { name, code = '', address, port, message } = error as NodeError;
  if (name === 'TimeoutError' || name === 'AbortError') return 'context deadline exceeded';
  if (systemErrors[code] !== undefined) return `dial tcp ${address}:${port}: connect: ${systemErrors[code]}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `dial tcp: lookup ${(error as { hostname?: string }).hostname}: no such host`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return otherName(error as NameError);
  return reasons[code] ?? (message || code || 'no answer');
}

interface NameError {
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

function otherName({ host = '', cert }: NameError): string {
  const isAddress = isIP(host) > 0;
  const names = (cert?.subjectaltname ?? '').split(', ').flatMap((entry) => {
    const [, type, name] = /^(DNS|IP Address):(.*)$/.exec(entry) ?? [];
    return name !== undefined && (type === 'IP Address') === isAddress ? [name] : [];
  });
  if (names.length > 0) return `x509: certificate is valid for ${names.join(', ')}, not ${host}`;
  return isAddress
    ? `x509: cannot validate certificate for ${host} because it doesn't contain any IP SANs`
    : `x509: certificate is not valid for any names, but wanted to match ${host}`;
}

/** Returns the error of a service that leads nowhere. */
export function serviceError(name: string, error: unknown): unknown {
  if (!(error instanceof StatusError)) return error;
  if (error.code === 404) return new Error(`service ${JSON.stringify(name)} not found`);
  if (error.code === 503) return new Error(`no endpoints available for service ${JSON.stringify(name)}`);
  return error;
}

const statusTexts: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  413: 'Request entity too large',
  415: 'the server was unable to respond with a content type that the client supports',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** The message about an answer that is not a success. */
export function statusMessage(status: number, body: string): string {
  if (status === 403) return cut(body.trim(), 1024) || 'unknown';
  const known = statusTexts[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    return `an error on the server (${JSON.stringify(cut(body.trim(), 1024) || 'unknown')}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}
