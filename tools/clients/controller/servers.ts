// The servers that the controller is tested on, and all that the test may expect of one and not of another.
import { KubeConfig } from '@kubernetes/client-node';
import { startServer } from '../../../cli/index.js';
import { startKubeApiserver, withoutKubeApiserver } from '../../../cli/testing/kubeApiserver.js';
import { isSoak } from '../../../suites/testing/soak.js';

/** What acts on objects beside the controller under test. */
export interface Expectations {
  readonly collectsGarbage: boolean;
  /** What becomes of a Deployment: its pods run, or they wait for a node, or it is only stored. */
  readonly deployments: 'run' | 'need a node' | 'are stored';
}

export interface TestedServer {
  readonly port: number;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
  /** Makes the server forget its history, so that a watch from an earlier version gets 410. Returns its port then. */
  expire(): Promise<number>;
  close(): Promise<void>;
}

/** The way of a client to a server through a port, its own or that of a relay. */
export function configOf(port: number, { ca, token }: TestedServer): KubeConfig {
  const config = new KubeConfig();
  const cluster = { name: 'c', server: `https://127.0.0.1:${port}`, caData: Buffer.from(ca).toString('base64') };
  const contexts = [{ name: 'c', cluster: 'c', user: 'u' }];
  config.loadFromOptions({ clusters: [cluster], users: [{ name: 'u', token }], contexts, currentContext: 'c' });
  return config;
}

export interface ServerKind {
  readonly name: string;
  readonly expects: Expectations;
  /** Why the server cannot be started here. */
  readonly unavailable?: string;
  /** Set if it does less for a controller than another, or is slow to start and to collect: only the soak tests it. */
  readonly inSoak?: true;
  start(): Promise<TestedServer>;
}

async function startReference(nodes: number): Promise<TestedServer> {
  const server = await startServer({ nodes });
  const expire = async (): Promise<number> => {
    await server.compact();
    return server.port;
  };
  return { ...server, expire };
}

async function startReal(...options: readonly string[]): Promise<TestedServer> {
  const { port, token, caCertificate: ca, restart: expire, stop: close } = await startKubeApiserver(...options);
  // What its watch cache does not hold has expired, and a new process has an empty one.
  return { port, ca, token, expire, close };
}

const real = withoutKubeApiserver === undefined ? {} : { unavailable: withoutKubeApiserver };

const all: readonly ServerKind[] = [
  {
    name: 'the reference server with a node',
    expects: { collectsGarbage: true, deployments: 'run' },
    start: () => startReference(1),
  },
  {
    name: 'the reference server',
    expects: { collectsGarbage: true, deployments: 'need a node' },
    inSoak: true,
    start: () => startReference(0),
  },
  {
    name: 'kube-apiserver',
    expects: { collectsGarbage: false, deployments: 'are stored' },
    ...real,
    inSoak: true,
    start: () => startReal('--no-controller-manager'),
  },
  {
    name: 'kube-apiserver with kube-controller-manager',
    expects: { collectsGarbage: true, deployments: 'need a node' },
    ...real,
    inSoak: true,
    start: () => startReal(),
  },
];

export const serverKinds = isSoak ? all : all.filter(({ inSoak }) => inSoak === undefined);
