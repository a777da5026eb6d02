// The servers that the controller is tested on, and all that the test may expect of one and not of another.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KubeConfig } from '@kubernetes/client-node';
import { startServer } from '../../../cli/index.js';
import { startFixtures } from '../../../cli/run/fixtures.js';
import { main } from '../../../cli/testing/serving.js';

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

const call = (...options: readonly string[]) => promisify(execFile)(process.execPath, [main, ...options]);

async function startKubeApiserver(...options: readonly string[]): Promise<TestedServer> {
  const state = await mkdtemp(join(tmpdir(), 'kube-apiserver-'));
  const fixtures = await startFixtures(undefined, 'k8s.io');
  const start = async () => {
    const { stdout } = await call('envtest', 'start', '--state', state, '--fixtures', fixtures.directory, ...options);
    const facts = Object.fromEntries(stdout.split('\n').map((line) => line.split(/: (.*)/s)));
    return {
      port: Number(new URL(facts.url).port),
      ca: await readFile(facts.ca, 'utf8'),
      token: facts.token as string,
    };
  };
  const stop = () => call('envtest', 'stop', '--state', state);
  const close = async (): Promise<void> => {
    await stop();
    await fixtures.close();
    await rm(state, { recursive: true, force: true });
  };
  // What its watch cache does not hold has expired, and a new process has an empty one.
  const expire = async (): Promise<number> => {
    await stop();
    return (await start()).port;
  };
  return { ...(await start()), expire, close };
}

const assets = process.env.KUBEBUILDER_ASSETS;
const real =
  assets === undefined ? { unavailable: 'KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver' } : {};

export const serverKinds: readonly ServerKind[] = [
  {
    name: 'the reference server with a node',
    expects: { collectsGarbage: true, deployments: 'run' },
    start: () => startReference(1),
  },
  {
    name: 'the reference server',
    expects: { collectsGarbage: true, deployments: 'need a node' },
    start: () => startReference(0),
  },
  {
    name: 'kube-apiserver',
    expects: { collectsGarbage: false, deployments: 'are stored' },
    ...real,
    start: () => startKubeApiserver('--no-controller-manager'),
  },
  {
    name: 'kube-apiserver with kube-controller-manager',
    expects: { collectsGarbage: true, deployments: 'need a node' },
    ...real,
    start: () => startKubeApiserver(),
  },
];
