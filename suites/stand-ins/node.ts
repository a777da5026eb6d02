// What reached the node that the run plays beside its target: kept here, asked for by the workers.
import { createHash } from 'node:crypto';
import { connect } from './control.js';
import { serveControl } from './controlServer.js';

/** A request that reached the node. Of credentials in its headers there is a digest, which tells them apart. */
export interface NodeRequest {
  /** `node NAME` for its kubelet, `pod NAMESPACE/NAME` for a program. */
  readonly to: string;
  /** When it came: ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** As it came, without the query; of a kubelet's interface, as `/containerLogs/namespace/pod/container`. */
  readonly path: string;
  /** In the order in which they came; a name can come more than once. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whether it was answered whole, or whoever asked has gone. */
  readonly ended: boolean;
}

interface NodeControl {
  /** The requests to whom, or whose path, contains the text, the oldest first; those since that time where one is given. */
  received(about: string, since?: string): Promise<readonly NodeRequest[]>;
}

const operations = ['received'] as const;

/** The node of the run, as checks see it. */
export interface SuiteNode extends NodeControl {
  /** What a pod names in `spec.nodeName` to run there: nothing else is placed on it. */
  readonly name: string;
}

/** The node behind the URL of a record. */
export const connectNode = (name: string, url: string): SuiteNode => ({
  name,
  ...connect<NodeControl>(url, operations),
});

/** A request as whoever plays the node saw it. */
export interface SeenRequest {
  readonly to: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ended: Promise<void>;
}

/** A running record. */
export interface NodeRecord {
  /** For connectNode, in other processes. */
  readonly controlUrl: string;
  add(request: SeenRequest): void;
  close(): Promise<void>;
}

/** Requests that are kept: the oldest go first. */
const most = 20_000;
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'sec-websocket-protocol']);

/** Starts a record and its endpoint. */
export async function startNodeRecord(): Promise<NodeRecord> {
  const requests: (NodeRequest & { ended: boolean })[] = [];
  const control: NodeControl = {
    received: async (about, since = '') =>
      requests.filter(({ to, path, at }) => at >= since && (path.includes(about) || to.includes(about))),
  };
  const { url, close } = await serveControl(control, operations);
  return {
    controlUrl: url,
    add: ({ to, method, path, headers, ended }) => {
      const [before = '', query = ''] = path.split(/\?(.*)/s);
      const kept = {
        ...{ to, at: new Date().toISOString(), method, path: before, query: [...new URLSearchParams(query)] },
        headers: withoutCredentials(headers),
        ended: false,
      };
      requests.push(kept);
      if (requests.length > most) requests.shift();
      void ended.then(() => {
        kept.ended = true;
      });
    },
    close,
  };
}

function withoutCredentials(headers: SeenRequest['headers']): NodeRequest['headers'] {
  const clean = ([name, value]: [string, string | readonly string[] | undefined]) =>
    value === undefined ? [] : [[name, credentials.has(name) ? withoutCredential(value) : value] as const];
  return Object.fromEntries(Object.entries(headers).flatMap(clean));
}

/** Protocols stay, as far as they are no bearer token. */
const withoutCredential = (value: string | readonly string[]): string =>
  String(value)
    .split(/, */)
    .map((part) => (part.endsWith('channel.k8s.io') ? part : digestOf(part)))
    .join(', ');

/** What stands in the record for a credential. */
export const digestOf = (credential: string): string =>
  `sha256:${createHash('sha256').update(credential).digest('hex')}`;
