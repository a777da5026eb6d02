// The simulated nodes of `serve`, which run pods and serve connections to them.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningServer, StaticToken } from '../reference-server/index.js';
import { UsageError } from './errors.js';
import { logLine } from './terminal.js';

/** The most nodes of one server: each has its own /24. */
export const mostNodes = 200;

interface NodeFlags {
  readonly nodes?: string;
  readonly egressProxy?: string;
  readonly etcdServers?: string;
}

/** Returns the number of nodes; none beside an etcd, whose other servers have them too. Throws UsageError for an invalid one. */
export function nodesOf({ nodes, egressProxy, etcdServers }: NodeFlags): number {
  const text = nodes ?? (egressProxy === undefined && etcdServers === undefined ? '1' : '0');
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > mostNodes)
    throw new UsageError(`serve: --nodes: "${text}"; give 0 to ${mostNodes}`);
  if (count > 0 && egressProxy !== undefined) {
    throw new UsageError('serve: --nodes and --egress-proxy contradict each other: give only one of them');
  }
  return count;
}

/** Returns a new path for the socket between a server and its nodes. The socket exists once the nodes are started. */
export const newEgressSocket = (): string =>
  join(tmpdir(), `kube-api-conformance-${randomBytes(6).toString('hex')}.sock`);

const nameOf = (index: number): string => `node-${index + 1}`;

/** Returns a token for each component that a server with nodes has: the nodes, their scheduler and their service proxy. */
export function componentTokens(nodes: number): readonly StaticToken[] {
  if (nodes === 0) return [];
  const userOf = (name: string, ...groups: string[]): StaticToken => ({
    token: randomBytes(24).toString('base64url'),
    user: { name, groups },
  });
  const kubelets = Array.from({ length: nodes }, (_, index) => userOf(`system:node:${nameOf(index)}`, 'system:nodes'));
  return [...kubelets, userOf('system:kube-scheduler'), userOf('system:kube-proxy')];
}

/** The longest wait for nodes, in milliseconds: nodes that come later are not in the state that `reset` returns to. */
const timeout = 5000;

interface RunningNodes {
  /** Resolves when all nodes have registered, or after five seconds. */
  registered(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the nodes `node-1`, `node-2`, …, which run the server's pods and register later by themselves. */
export async function startNodes(
  { url, caCertificate }: RunningServer,
  count: number,
  egressSocket: string,
  tokens: readonly StaticToken[],
): Promise<RunningNodes> {
  const tokenOf = new Map(tokens.map(({ user, token }) => [user.name, token]));
  const { startNodeAgent } = await import('../node-agent/index.js');
  const agent = await startNodeAgent({
    api: { url, ca: caCertificate },
    tokenOf: (user) => tokenOf.get(user) ?? '',
    nodes: Array.from({ length: count }, (_, index) => ({
      name: nameOf(index),
      address: `10.250.0.${index + 1}`,
      podCidr: `10.244.${index}.0/24`,
    })),
    egressSocket,
    schedule: true,
    recordEvents: true,
    onError: ({ message }) => process.stderr.write(`node agent: ${logLine(message)}\n`),
  });
  return {
    async registered() {
      await Promise.race([agent.registered, pause(timeout, undefined, { ref: false })]);
    },
    async stop() {
      await agent.close();
      await rm(egressSocket, { force: true });
    },
  };
}
