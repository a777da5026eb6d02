// The requests that reached the node of a run, recorded here and read by the workers.
import { createHash } from 'node:crypto';
import { connectOperations } from './control.js';
import { serveControl } from './controlServer.js';
import { Recent } from './recent.js';

/** A request that reached the node. Credentials in its headers are replaced with digests, which tell them apart. */
export interface NodeRequest {
  /** `node NAME` for the kubelet, `pod NAMESPACE/NAME` for a program in a pod. */
  readonly to: string;
  /** The time of the request, in ISO 8601. */
  readonly at: string;
  readonly method: string;
  /** The path without the query; at the kubelet for example `/containerLogs/namespace/pod/container`. */
  readonly path: string;
  /** The query parameters in their order; a name can occur more than once. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Whether the response is complete or the client has closed the connection. */
  readonly ended: boolean;
}

interface NodeControl {
  /** Returns the requests whose `to` or path contains the text, the oldest first; with `since`, only later ones. */
  received(about: string, since?: string): Promise<readonly NodeRequest[]>;
}

const operations = ['received'] as const;

/** The node of the run, as checks see it. */
export interface SuiteNode extends NodeControl {
  /** The value of `spec.nodeName` for pods that run there. No other pod is scheduled to the node. */
  readonly name: string;
}

export const connectNode = (name: string, url: string): SuiteNode => ({
  name,
  ...connectOperations<NodeControl>(url, operations),
});

/** A request as the simulated node received it. */
export interface SeenRequest {
  readonly to: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ended: Promise<void>;
}

export interface NodeRecord {
  /** The URL for connectNode in other processes. */
  readonly controlUrl: string;
  add(request: SeenRequest): void;
  close(): Promise<void>;
}

const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'sec-websocket-protocol']);

export async function startNodeRecord(): Promise<NodeRecord> {
  const requests = new Recent<NodeRequest>();
  const control: NodeControl = {
    received: async (about, since = '') =>
      requests.all.filter(({ to, path, at }) => at >= since && (path.includes(about) || to.includes(about))),
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
      requests.add(kept, path.length);
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

/** Returns a header value with digests for credentials. Names of protocols stay. */
const withoutCredential = (value: string | readonly string[]): string =>
  String(value)
    .split(/, */)
    .map((part) => (part.endsWith('channel.k8s.io') ? part : digestOf(part)))
    .join(', ');

/** Returns the digest that replaces a credential in the record. */
export const digestOf = (credential: string): string =>
  `sha256:${createHash('sha256').update(credential).digest('hex')}`;
