// The nodes that `serve` plays beside the reference server, so that pods run, and can be asked.
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningServer } from '../reference-server/index.js';
import { logLine } from './logLine.js';
import { UsageError } from './usageError.js';

/** The most nodes of one server: each has a /24 of its own. */
export const mostNodes = 200;

/** How many nodes are wanted. Throws UsageError. */
export function nodesOf({ nodes, egressProxy }: { readonly nodes?: string; readonly egressProxy?: string }): number {
  const text = nodes ?? (egressProxy === undefined ? '1' : '0');
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > mostNodes)
    throw new UsageError(`serve: --nodes: "${text}"; give 0 to ${mostNodes}`);
  if (count > 0 && egressProxy !== undefined) {
    throw new UsageError('serve: --nodes and --egress-proxy contradict each other: give only one of them');
  }
  return count;
}

/** A new path for the socket between a server and its nodes: it exists once the nodes are started. */
export const newEgressSocket = (): string =>
  join(tmpdir(), `kube-api-conformance-${randomBytes(6).toString('hex')}.sock`);

/**
 * Starts nodes `node-1`, `node-2`, … that run the server's pods; they register by themselves, after this. The result
 * stops them. Throws UsageError where there is no token that they could use.
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
    onTrouble: ({ message }) => process.stderr.write(`node agent: ${logLine(message)}\n`),
  });
  return async () => {
    await agent.close();
    await rm(egressSocket, { force: true });
  };
}
