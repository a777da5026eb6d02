// The values that the middleware of one request passes on: `response.locals` in Express.
import type { Duplex } from 'node:stream';
import type { RequestHandler, Response } from 'express';
import type { Operation, Verb } from '../../matrix/api/index.js';
import type { User } from '../authentication/authenticator.js';
import type { DecodedBody } from '../codecs/codec.js';
import type { Negotiated, PathParameters } from '../request.js';
import type { StatusError } from '../statusError.js';

/** The connection of an Upgrade request: the socket, and the bytes after the head. */
export interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Each middleware sets its values and reads those of earlier middleware. */
export interface Locals {
  /** Set for an Upgrade request. */
  upgrade?: Upgrade;
  /** When the request arrived, in the milliseconds of `performance.now`, if the server has metrics. */
  began?: number;
  /** The path exactly as sent. */
  pathname: string;
  query: URLSearchParams;
  pretty: boolean;
  user: User;
  /** Who sent the request, if it is on behalf of `user`. */
  sender?: User;
  error?: StatusError;
  /** What the audit event of the request says beside the usual. */
  annotations?: Readonly<Record<string, string>>;
  operation: Operation;
  path: PathParameters;
  /** The verb of the operation, or that of a watch if a list has `watch` set. */
  verb: Verb | 'discover';
  negotiated: Negotiated;
  body: DecodedBody | undefined;
}

export type Middleware = RequestHandler<unknown, unknown, unknown, unknown, Locals>;
export type ApiResponse = Response<unknown, Locals>;
