// The simulated nodes of `serve`, which run pods and serve connections to them.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../reference-server/index.js';
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

/**
 * Starts the nodes `node-1`, `node-2`, …, which run the server's pods and register later by themselves. Returns a
 * function that stops them. Throws UsageError if there is no token for them.
 */
export async function startNodes(
  { url, caCertificate, token }: RunningServer,
  count: number,
  egressSocket: string,
): Promise<() => Promise<void>> {
  if (token === undefined)
    throw new UsageError('serve: --nodes needs a token: add one to the token file; the nodes use the first one');
  const { startNodeAgent } = await import('../node-agent/index.js');
  const agent = await startNodeAgent({
    api: { url, ca: caCertificate, token },
    nodes: Array.from({ length: count }, (_, index) => ({
      name: `node-${index + 1}`,
      address: `10.250.0.${index + 1}`,
      podCidr: `10.244.${index}.0/24`,
    })),
    egressSocket,
    schedule: true,
    recordEvents: true,
    onError: ({ message }) => process.stderr.write(`node agent: ${logLine(message)}\n`),
  });
  return async () => {
    await agent.close();
    await rm(egressSocket, { force: true });
  };
}
