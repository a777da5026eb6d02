// The error of the server: a Status to throw anywhere, which the edge renders, and what a `catch` does with it.
import { cut } from './excerpt.js';

/** One cause of an invalid object: the reason, the message without the field, and the path of the field. */
export interface Cause {
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotFound'
    | 'ResourceVersionTooLarge'
    | 'NamespaceTerminating'
    | 'DisruptionBudget'
    | 'FieldManagerConflict';
  readonly message: string;
  readonly field?: string;
}

/** One cause of an error. */
export type StatusCause = Omit<Cause, 'reason'> & { readonly reason?: string };

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The most characters of a message, including quotes from the request. */
const longestMessage = 16 * 1024;

/** The v1 Status of an error. */
type FailureStatus = {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string };
  readonly status: 'Failure';
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
};

/** An error with its Status. Any code may throw it; the edge renders it. A longer message is cut. */
export class StatusError extends Error {
  constructor(
    readonly code: number,
    /** Empty for a server error of no known reason. */
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The metadata of the Status, with the token that continues a list. */
    readonly metadata: { readonly continue?: string } = {},
  ) {
    super(cut(message, longestMessage));
    this.name = 'StatusError';
  }

  /** The v1 Status object of this error. */
  toStatus(): FailureStatus {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason !== '' && { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

/**
 * For a `catch`: resolves to undefined if the error is a Status with one of these codes, which mean that another client
 * was faster. Rethrows other errors.
 */
export const unless =
  (...codes: readonly number[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof StatusError && codes.includes(error.code))) throw error;
  };

/** For a `catch`: resolves to undefined if the object is gone. */
export const unlessGone = unless(404);

/** 500 for an unexpected error. The log has the cause. */
const internal = (): StatusError =>
  new StatusError(500, 'InternalError', 'an internal error occurred; the log of the server has it');

/** Returns the error for the client. An error that is not a StatusError is logged and becomes a 500. */
export function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  reportError(error);
  return internal();
}

/** Writes an unexpected error to the log, which is stderr. */
export function reportError(error: unknown): void {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  log([`internal error: ${String(error).slice(0, longestMessage)}`, ...frames]);
}

/** Writes a line to the log about what a client has stored. */
export const reportStored = (message: string): void => log([message.slice(0, longestMessage)]);

function log(lines: readonly string[]): void {
  process.stderr.write(`${lines.map((line) => line.replace(/\p{Cc}/gu, '?')).join('\n')}\n`);
}
