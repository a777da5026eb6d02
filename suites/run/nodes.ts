// The nodes that run the pods of a target, and the capabilities that are absent without them.

import type { Client } from '../client/client.js';
import { at, itemsOf } from '../client/json.js';
import { pageSize } from '../client/pages.js';
import type { Nodes, NotSupported } from '../requirements/index.js';

export async function findNodes(client: Client): Promise<Nodes> {
  const reply = await client.send({ method: 'GET', path: `/api/v1/nodes?limit=${pageSize}` });
  const isReady = (node: unknown): boolean =>
    itemsOf({ items: at(node, 'status', 'conditions') }).some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    );
  return reply.status === 200 && itemsOf(reply.tryValue()).some(isReady) ? 'theirs' : 'none';
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
