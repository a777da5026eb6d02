// What the rows of broken servers are made of: the shape of a fault, and the ways of changing what passes.
import type { ChapterName } from '../../../matrix/requirements/index.js';
import type { CertificateName } from '../../fixtures/clientCertificates.js';
import type { Fixtures, Identity, StandInName } from '../../fixtures/fixtures.js';
import type { SeenRequest } from '../../stand-ins/node.js';
import type { ReceivedCall } from '../../stand-ins/secureServer.js';
import { isObject, type JsonObject } from '../../support/json.js';

/** A request on its way to the good server, or a reply on its way back. Bodies are JSON or YAML text; of protobuf, a character a byte. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Every Authorization header; the first is among the others. */
  readonly authorizations: readonly string[];
  /** The fixture that the client showed in the handshake. */
  readonly certificate?: CertificateName | undefined;
  /** Whether the connection resumed a TLS session. */
  readonly resumed: boolean;
}
export interface Returning {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a server knows of its users. */
export interface Known {
  readonly fixtures: Fixtures;
  /** The certificate that it shows. */
  readonly server: Identity;
}

export interface Fault {
  readonly name: string;
  /** Only cases whose id contains this. */
  readonly grep: string;
  /** Only the cases of these chapters; of every chapter when absent. */
  readonly chapters?: readonly ChapterName[];
  readonly fails: readonly string[];
  /** It is asked first which features it lacks, and not tried on those; else it must have all of them. */
  readonly probed?: true;
  /** The verdict on it, for a fault that shows what decides and what does not: true where conventions alone fail. */
  readonly conformant?: boolean;
  /** Changes a request, or answers it without the good server. */
  readonly request?: (passing: Passing, known: Known) => Passing | Returning;
  readonly reply?: (returning: Returning, passing: Passing) => Returning;
  /**
   * Makes, for each watch, what becomes of its events: each of them, and at the end `undefined`, becomes any number of
   * texts that are sent in its place, at once or when they are ready. `'cut'` breaks the connection.
   */
  readonly watch?: (passing: Passing) => ChangeEvent;
  /** Changes the calls that a stand-in has seen of the good server: what the broken one would have asked it. */
  readonly seen?: (call: ReceivedCall, standIn: StandInName) => readonly ReceivedCall[];
  /** Speaks TLS, and passes the certificates of clients on. */
  readonly tls?: true;
  /** The certificate that it shows instead of its own. */
  readonly identity?: (known: Known) => Identity;
  /** The certificate that it shows to a client that asks for it by a name. */
  readonly namedIdentity?: (known: Known) => Identity;
  /** Starts with what it should not start with. */
  readonly starts?: true;
  /** Said to a client whose bytes are no request. */
  readonly unread?: string;
  /** What becomes of a request before the node notes it. */
  readonly atNode?: (request: SeenRequest) => SeenRequest;
  /** What becomes of each piece that passes through an upgraded connection: any number of pieces in its place. */
  readonly piece?: (passing: Passing) => ChangePiece;
  /** Keeps the connection to the good server when the client leaves. */
  readonly holdsOn?: true;
  /** Does not end a log that is followed. */
  readonly neverEnds?: true;
  /** Sends the head of a watch with its first event. */
  readonly holdsHead?: true;
}

/** An event of a watch as the good server sent it. */
export interface PassingEvent {
  readonly type: string;
  readonly object: JsonObject;
}
type Sent = readonly string[] | 'cut';
export type ChangeEvent = (event: PassingEvent | undefined) => Sent | Promise<Sent>;

/** A piece of one stream of an upgraded connection. */
export interface Piece {
  readonly from: 'client' | 'server';
  /** The number of the channel, or of the SPDY stream. */
  readonly id: number;
  /** What it carries: `stdin`, `stdout`, `stderr`, `error`, `resize`; `data` and `error` of a port-forward. */
  readonly stream: string;
  readonly content: Buffer;
  /** It ends the stream. */
  readonly last: boolean;
  /** Text instead of bytes, of a message of a WebSocket. */
  readonly text: boolean;
}
export type ChangePiece = (piece: Piece) => readonly Piece[];

/** An event as a line. */
export const line = (event: PassingEvent | undefined): string =>
  event === undefined ? '' : `${JSON.stringify(event)}\n`;

/** A change of each event by itself: what it becomes, or nothing. */
export const eachEvent =
  (change: (event: PassingEvent, passing: Passing) => PassingEvent | undefined): NonNullable<Fault['watch']> =>
  (passing) =>
  (event) => [line(event && change(event, passing))];

type Change = (body: JsonObject, passing: Passing) => JsonObject;

/** Changes the body of every successful JSON answer. */
export const answering =
  (change: Change): NonNullable<Fault['reply']> =>
  (returning, passing) => {
    if (returning.status > 299 || !returning.headers['content-type']?.startsWith('application/json')) return returning;
    const body: unknown = JSON.parse(returning.body);
    return isObject(body) ? { ...returning, body: JSON.stringify(change(body, passing)) } : returning;
  };

/** Changes the body of every JSON request. */
export const asking =
  (method: string, change: (body: JsonObject) => JsonObject): ((passing: Passing) => Passing) =>
  (passing) => {
    if (passing.method !== method || !passing.body.startsWith('{')) return passing;
    try {
      const body: unknown = JSON.parse(passing.body);
      return isObject(body) ? { ...passing, body: JSON.stringify(change(body)) } : passing;
    } catch {
      return passing;
    }
  };

/** Sends the client's credentials on to the node. */
export function passesCredentials(): Pick<Fault, 'request' | 'atNode'> {
  let authorization = '';
  return {
    request: (passing) => {
      authorization = passing.headers.authorization ?? '';
      return passing;
    },
    atNode: (request) => ({ ...request, headers: { ...request.headers, authorization } }),
  };
}

const json = { 'content-type': 'application/json' };
export const reply = (status: number, body: JsonObject): Returning => ({
  status,
  headers: json,
  body: JSON.stringify(body),
});
export const failure = (status: number, reason: string): Returning =>
  reply(status, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status });
export const without = (object: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
export const metadata = (object: JsonObject): JsonObject => (isObject(object.metadata) ? object.metadata : {});
export const isCollection = ({ path }: Passing): boolean => /\/configmaps(\?|$)/.test(path);
export const isList = (body: JsonObject): boolean => Array.isArray(body.items);
export const acrossNamespaces = (path: string): string => path.replace(/\/namespaces\/[^/]+(?=\/configmaps(\?|$))/, '');
