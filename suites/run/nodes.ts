// The nodes that run the pods of a target, and the capabilities that are absent without them.

import type { Client } from '../client/client.js';
import { at, itemsOf } from '../client/json.js';
import { pageSize } from '../client/pages.js';
import type { Nodes, NotSupported } from '../requirements/index.js';

/** Returns whose nodes run the pods of a target that none of a run serves. */
export async function findNodes(client: Client): Promise<Nodes> {
  const reply = await client.send({ method: 'GET', path: `/api/v1/nodes?limit=${pageSize}` });
  return reply.status === 200 && usableIn(itemsOf(reply.tryValue())).length > 0 ? 'theirs' : 'none';
}

/** Returns the names of the nodes that run a pod that names them, first those that every pod may use. */
export function usableIn(nodes: readonly unknown[]): string[] {
  const taintsOf = (node: unknown) => itemsOf({ items: at(node, 'spec', 'taints') });
  const isUsable = (node: unknown): boolean => {
    const isReady = itemsOf({ items: at(node, 'status', 'conditions') }).some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    );
    const evicts = taintsOf(node).some(({ effect }) => effect === 'NoExecute');
    const os = at(node, 'status', 'nodeInfo', 'operatingSystem') ?? at(node, 'metadata', 'labels', 'kubernetes.io/os');
    return isReady && !evicts && at(node, 'spec', 'unschedulable') !== true && os !== 'windows';
  };
  return nodes
    .filter(isUsable)
    .sort((one, other) => taintsOf(one).length - taintsOf(other).length)
    .map((node) => String(at(node, 'metadata', 'name')));
}

/** Returns the capabilities that cannot be tried with such nodes. */
export function lacksOf(nodes: Nodes): NotSupported[] {
  const observed: NotSupported = {
    capability: 'nodes:observed',
    reason: 'the nodes are not ours: what reaches them cannot be seen',
  };
  const running: NotSupported = {
    capability: 'nodes:running',
    reason:
      'no node runs pods here; run --egress-socket simulates one, for a server that was started to reach it there',
  };
  return { ours: [], theirs: [observed], none: [running] }[nodes];
}
