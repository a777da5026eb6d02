// The type of a fault: a good server with one edit on the wire.

import type { JsonObject } from '../../../client/json.js';
import type { CertificateName } from '../../../fixtures/clientCertificates.js';
import type { CertifiedKey, Fixtures, StandInName } from '../../../fixtures/fixtures.js';
import type { ChapterName } from '../../../requirements/index.js';
import type { SeenRequest } from '../../../stand-ins/node.js';
import type { ReceivedCall } from '../../../stand-ins/secureServer.js';

/** The name of a fixture, or of a certificate that the suite made while it ran. */
export type ShownCertificate = CertificateName | `made ${string}` | undefined;

/** A request to the good server. Bodies are JSON or YAML text; in protobuf, one character is one byte. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** By names in lower case. Each line of a header that begins with `impersonate-` is a header of its own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Every Authorization header; the first one is also in `headers`. */
  readonly authorizations: readonly string[];
  /** The certificate that the client presented in the handshake. */
  readonly certificate?: ShownCertificate;
  /** The port of the client, which tells its connections apart. */
  readonly port: number;
  /** Whether the connection resumed a TLS session. */
  readonly resumed: boolean;
  /** Whether the body came in chunks. */
  readonly isChunked: boolean;
  /** The version of HTTP, such as `2.0`. */
  readonly version: string;
}

export interface WireReply {
  readonly status: number;
  /** By names in lower case. Each line of `set-cookie` is a header of its own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body, if it is not text. */
  readonly bytes?: Buffer;
}

/** An event of a watch as the good server sent it. */
export interface WireEvent {
  readonly type: string;
  readonly object: JsonObject;
}

/** A frame of one stream of an upgraded connection. */
export interface WireFrame {
  readonly from: 'client' | 'server';
  /** The number of the channel, or of the SPDY stream. */
  readonly id: number;
  /** The name of the stream: `stdin`, `stdout`, `stderr`, `error`, `resize`; `data` and `error` of a port-forward. */
  readonly stream: string;
  readonly content: Buffer;
  /** Whether the frame is the last one of the stream. */
  readonly last: boolean;
  /** Whether a message of a WebSocket is text. */
  readonly text: boolean;
}

/** The users that the good server was started with. */
export interface ServerUsers {
  readonly fixtures: Fixtures;
  /** The certificate that the server presents. */
  readonly server: CertifiedKey;
}

export type ChangeEvent = (event: WireEvent | undefined) => readonly string[] | Promise<readonly string[]>;
export type ChangeFrame = (frame: WireFrame) => readonly WireFrame[];

type MaybePromise<Value> = Value | Promise<Value>;

/** The edits that break a good server. */
export interface Broken {
  /** Called when the broken server starts: it knows nothing of what an earlier one was asked. */
  readonly starting?: () => void;
  /** Changes a request, or replies without the good server. A promise holds the request back. */
  readonly request?: (request: WireRequest, users: ServerUsers) => MaybePromise<WireRequest | WireReply>;
  readonly reply?: (reply: WireReply, request: WireRequest) => WireReply;
  /** Returns the milliseconds by which a response is late. */
  readonly delay?: (request: WireRequest) => number;
  /** Returns, for each watch, the function that turns each event, and `undefined` at the end, into the texts to send. */
  readonly watch?: (request: WireRequest) => ChangeEvent;
  /** Returns, for each upgraded connection, the function that turns each frame into the frames to send. */
  readonly frame?: (request: WireRequest) => ChangeFrame;
  /** Changes the calls that a stand-in received into the calls of the broken server. */
  readonly calls?: (call: ReceivedCall, standIn: StandInName) => readonly ReceivedCall[];
  /** Changes a request before the node records it. */
  readonly atNode?: (request: SeenRequest) => SeenRequest;
  /** Uses TLS, and passes the certificates of clients on. */
  readonly tls?: true;
  /** Returns the certificate that the server presents instead of its own. */
  readonly identity?: (users: ServerUsers) => CertifiedKey;
  /** Returns the certificate that the server presents to a client that asks for a name. */
  readonly namedIdentity?: (users: ServerUsers) => CertifiedKey;
  /** Starts with options that a server must reject. */
  readonly starts?: true;
  /** The response to bytes that are not a request. */
  readonly unread?: string;
  /** Keeps the connection to the good server open when the client closes its own. */
  readonly holdsOn?: true;
  /** Never permits the body of a request that waits for 100 Continue. */
  readonly neverContinues?: true;
  /** Sends the body of a GET after a HEAD too. */
  readonly answersHeadWhole?: true;
  /** Offers HTTP/2; needs `tls`. */
  readonly http2?: true;
  /** Ends each connection over HTTP/2 gracefully, with its first stream: later requests need another one. */
  readonly leavesHttp2?: true;
  /** Takes one stream at a time on each connection over HTTP/2. */
  readonly singleStreams?: true;
  /** Never ends a log that is followed, or a WebSocket whose frames are edited. */
  readonly neverEnds?: true;
  /** Sends the head of a watch only with its first event. */
  readonly holdsHead?: true;
  /** The suite first probes which features the server lacks, and omits their cases. */
  readonly probed?: true;
  /** The run guards the objects of others from this server: it does not send what the cases judge. */
  readonly blocks?: true;
  /** The expected verdict, for a fault that shows the level of a requirement: true if only recommended requirements fail. */
  readonly conformant?: boolean;
}

/** A broken server, and exactly those requirements that it must fail in the cases that run. */
export interface Fault extends Broken {
  readonly name: string;
  /** Only cases whose id contains this text. */
  readonly grep: string;
  /** Only the cases of these chapters; of every chapter when absent. */
  readonly chapters?: readonly ChapterName[];
  readonly fails: readonly string[];
  /** The cases are of the custom resource that the suite finds, and not of the interface. */
  readonly ofFound?: true;
}

/** A row of a chapter's table: see `fault`. */
export interface FaultRow extends Broken {
  readonly name: string;
  readonly fails: string;
}

/** The verdict is expected to be conformant, since only recommended requirements fail. */
export const conformant: Broken = { conformant: true };
/** The verdict is expected to be not conformant. */
export const notConformant: Broken = { conformant: false };

/**
 * Returns a row: the behaviour of the broken server, the failures, and the edits that break it. `fails` names requirements of the chapter
 * and the cases to run: `scope` runs that requirement on every subject, `scope › GET /api` on the subjects that begin with this text, and
 * `scope same-name in configmaps` all cases of the chapter whose ids contain the text. `…` stands for `/api/v1/namespaces/{namespace}`.
 */
export function fault(name: string, fails: string, edits: readonly Broken[]): FaultRow {
  return { name, fails, ...composed(edits) };
}

/** Applies one edit after the other. If an edit replies to a request, later edits do not see it. */
export function composed(edits: readonly Broken[]): Broken {
  const requests = edits.flatMap(({ request }) => request ?? []);
  const replies = edits.flatMap(({ reply }) => reply ?? []);
  return {
    ...(Object.assign({}, ...edits) as Broken),
    starting: () => {
      for (const { starting } of edits) starting?.();
    },
    request: async (given, users) => {
      let left: WireRequest | WireReply = given;
      for (const edit of requests) if (!('status' in left)) left = await edit(left, users);
      return left;
    },
    reply: (given, request) => replies.reduce((left, edit) => edit(left, request), given),
  };
}

/**
 * Returns the faults of a chapter. A chapter with a scope, `log in configmaps`, is for rows that name no cases. Only cases of `chapters`
 * run; by default those of the chapter.
 */
export function faultsOf(
  of: ChapterName | `${ChapterName} ${string}`,
  rows: readonly FaultRow[],
  chapters?: readonly ChapterName[],
): readonly Fault[] {
  const [, chapter = '', scope = ''] = /^(\w+)(.*)/.exec(of) ?? [];
  return rows.map(({ fails, ...row }) => {
    const scoped = / (›|in) /.test(fails) ? fails : fails + scope;
    const line = scoped.replace(/\s+/g, ' ').replace('…', '/api/v1/namespaces/{namespace}');
    const [, names = '', subject = '', text] = /^(.*?)(?: › (.*)| in (.*))?$/.exec(line) ?? [];
    const ids = names.split(' ').filter(Boolean);
    const full = ids.map((id) => (id.includes('.') ? id : `${chapter}.${id}`));
    return {
      ...row,
      grep: text ?? `${full[0]} › ${subject}`,
      chapters: chapters ?? [chapter as ChapterName],
      fails: full,
    };
  });
}

/** Returns the same fault for a server with TLS. */
export const overTls = (row: Fault): Fault => ({ ...row, tls: true });

/** The chapters with rules for every kind: a fault of one kind shows in all of them. */
const ofEveryKind: readonly ChapterName[] = [
  'surface',
  'responses',
  'discovery',
  'list',
  'read',
  'create',
  'replace',
  'delete',
  'deleteCollection',
  'errors',
];

/** Returns the faults of a chapter with rules for every kind. The cases of all such chapters run. */
export const faultsOfEveryKind = (chapter: ChapterName, rows: readonly FaultRow[]): readonly Fault[] =>
  faultsOf(chapter, rows, ofEveryKind);
